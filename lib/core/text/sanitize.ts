/** Text from models, servers, files and programs, made safe to show and to store: one definition for every surface. Pure. */

/** Control characters but for tabs and line ends, and the characters that turn the direction of writing. */
const HOSTILE = /(?![\t\n\r])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

const ESC = "\\u001b";
/** Terminal titles, links and the like: up to a bell or a terminator, and not beyond the line. */
const STRINGS = new RegExp(
  `(?:${ESC}[\\]PX^_]|[\\u0090\\u0098\\u009d-\\u009f])[^\\u0007\\u001b\\u009c\\n]*(?:\\u0007|${ESC}\\\\|\\u009c)?`,
  "g",
);
/** Colours and cursor movements. */
const SEQUENCES = new RegExp(`(?:${ESC}\\[|\\u009b)[0-?]*[ -/]*[@-~]?`, "g");
const SHORT_SEQUENCES = new RegExp(`${ESC}[ -/]*[0-~]?`, "g");

/** Without terminal escapes, control and direction characters. Tabs stay, and line ends as `\n`. */
export const sanitize = (text: string): string =>
  text
    .replace(STRINGS, "")
    .replace(SEQUENCES, "")
    .replace(SHORT_SEQUENCES, "")
    .replace(/\r\n?|[\p{Zl}\p{Zp}]/gu, "\n")
    .replace(HOSTILE, "")
    .toWellFormed();

/** The same in one line. */
export const sanitizeLine = (text: string): string => sanitize(text).replace(/[\t\n]+/g, " ");

/** Hidden characters shown as signs, for readers who need to see that they are there. */
export const reveal = (text: string): string => text.replace(HOSTILE, signOf);

/** Unicode has pictures of the oldest ones: `␛`. The others are named: `⟦U+202E⟧`. */
function signOf(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(PICTURES + code);
  if (code === 0x7f) return "␡";
  return `⟦U+${code.toString(16).toUpperCase().padStart(4, "0")}⟧`;
}

const PICTURES = 0x2400;
