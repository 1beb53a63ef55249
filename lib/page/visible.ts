/** What others wrote, so that nothing in it hides: characters that nobody sees are shown as signs. Pure. */

/** Control characters but for tabs and ends of lines; and those that turn the direction in which the rest is read. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must be seen
const HIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

export const visible = (text: string): string => text.replace(HIDDEN, signOf);

/** Unicode has pictures of the oldest ones: `␛`. The others are named: `⟦U+202E⟧`. */
function signOf(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(PICTURES + code);
  if (code === 0x7f) return "␡";
  return `⟦U+${code.toString(16).toUpperCase().padStart(4, "0")}⟧`;
}

const PICTURES = 0x2400;
