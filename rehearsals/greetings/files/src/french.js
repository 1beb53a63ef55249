/** Greets somebody in French. */
export const greet = (name) => `Bonjour, ${name}!`;
