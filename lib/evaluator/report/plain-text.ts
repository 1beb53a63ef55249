/** Makes text of hostile programs safe to show and to store: no terminal escapes, no control or direction characters. */

const ESC = "\\u001b";
/** Titles, links and the like: up to a bell or a terminator, and not beyond the line. */
const STRINGS = new RegExp(
  `(?:${ESC}[\\]PX^_]|[\\u0090\\u0098\\u009d-\\u009f])[^\\u0007\\u001b\\u009c\\n]*(?:\\u0007|${ESC}\\\\|\\u009c)?`,
  "g",
);
/** Colours, cursor movements. */
const SEQUENCES = new RegExp(`(?:${ESC}\\[|\\u009b)[0-?]*[ -/]*[@-~]?`, "g");
const SHORT = new RegExp(`${ESC}[ -/]*[0-~]?`, "g");
/** All but tab and line feed; with them the characters that turn the direction of writing. */
const CONTROLS = /(?![\t\n])\p{Cc}|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

export function plainText(text: string): string {
  return text
    .replace(STRINGS, "")
    .replace(SEQUENCES, "")
    .replace(SHORT, "")
    .replace(/\r\n?/g, "\n")
    .replace(CONTROLS, "");
}

/** Head and tail of a text that is too long, with a mark of what lies between. */
export function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = Math.floor(limit / 2);
  return `${text.slice(0, half)}${leftOut(text.length - 2 * half, "characters")}${text.slice(-half)}`;
}

export const leftOut = (count: number, unit: string): string => `\n… ${count} ${unit} left out …\n`;
