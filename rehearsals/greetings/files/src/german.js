/** Greets somebody in German. */
export const greet = (name) => `Guten Tag, ${name}!`;
