/** Greets somebody in Italian. */
export const greet = (name) => `Buongiorno, ${name}!`;
