/** Quotation marks, apostrophes and dashes as a printer sets them. Code never passes here. */

/** `before`: the last character before the text in the same paragraph. */
export type Typeset = (text: string, before?: string) => string;

/** Quotation marks differ by language: only those of English are set, other languages get apostrophes. */
export const typesetter = (language: string): Typeset => (/^en\b/.test(language) ? english : apostrophes);

const apostrophes: Typeset = (text) => text.replace(/(?<=\p{L})'(?=\p{L})/gu, "’");

const english: Typeset = (text, before = "") => {
  const dashed = text.replace(/(?<=[\p{L}"'])---?(?=[\p{L}"'])/gu, "—").replace(/(?<=\s)---?(?=\s)/gu, "–");
  // Of two marks side by side the second turns as the first did.
  let set = before;
  return dashed.replace(/["']|[^"']+/g, (part, at: number) => {
    const shown = /["']/.test(part) ? quotation(part, set.slice(-1), dashed.slice(at + 1, at + 7)) : part;
    set = shown;
    return shown;
  });
};

function quotation(mark: string, before: string, after: string): string {
  const opens = before === "" || /[\s([{/“‘]/.test(before) || (isDash(before) && /^[\p{L}\p{N}]/u.test(after));
  if (opens && /^\s/.test(after)) return mark;
  if (mark === '"') return opens ? "“" : "”";
  return opens && !ELISION.test(after) ? "‘" : "’";
}

/** After a dash a quotation begins, or one ends that was interrupted. */
const isDash = (character: string): boolean => /[-–—]/.test(character);

/** What begins with an apostrophe, not with a quotation: '90s, 'tis, 'em. */
const ELISION = /^(?:\d\ds?\b|(?:tis|twas|twere|til|em|cause|bout|round|n)\b)/i;
