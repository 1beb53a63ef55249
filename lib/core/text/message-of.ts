/** What was thrown says, for people: libraries throw plain objects too. Pure. */
export const messageOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "message" in error ? String(error.message) : String(error);
