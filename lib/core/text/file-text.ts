/** Bytes and text of files: what is text, how long it is, how many lines it has. Pure. */

const encoder = new TextEncoder();

/** A byte order mark is part of the file: it is kept, so that reading and writing back changes nothing. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const NEWLINE = 10;

export const encodeText = (text: string): Uint8Array => encoder.encode(text);

/** Calling the encoder takes longer than to look at the characters of a name or a number. */
const SHORT_CHARS = 100;

/** In UTF-8. */
export function byteLength(text: string): number {
  if (text.length > SHORT_CHARS) return encoder.encode(text).length;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7f) return encoder.encode(text).length;
  return text.length;
}

/** The text of a file, or undefined where it is binary: not UTF-8, or with a zero byte in it. */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Lines of a file; a last one without a newline counts too. */
export function linesOf(bytes: Uint8Array): number {
  let newlines = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) newlines++;
  const endsOpen = bytes.length > 0 && bytes.at(-1) !== NEWLINE;
  return endsOpen ? newlines + 1 : newlines;
}

/** The lines of a text without their newlines, counted as `linesOf` counts them. */
export function splitLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
