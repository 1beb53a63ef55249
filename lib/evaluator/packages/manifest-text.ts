/** Reads a manifest of a generated project as untrusted bytes, and says what cannot be read. */
import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { oneLine } from "../../core/text/cut.ts";

export interface ManifestText {
  /** Absent: there is no such file, or it cannot be read. */
  text?: string;
  /** Why it cannot be read. */
  refused: string[];
}

const MANIFEST_BYTES = 256 * 1024;

export async function readManifestText(folder: string, name: string, limit = MANIFEST_BYTES): Promise<ManifestText> {
  try {
    const found = await lstat(join(folder, name));
    if (!found.isFile()) return { refused: [] };
    if (found.size > limit) return { refused: [`${shown(name)}: not read, it is larger than ${limit / 1024} KB`] };
    const text = decoded(await readFile(join(folder, name)));
    return text === undefined ? { refused: [`${shown(name)}: not read, it is no text`] } : { text, refused: [] };
  } catch {
    return { refused: [] };
  }
}

/** Some computers write lists of packages in UTF-16; the mark at the beginning says so. */
function decoded(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

const SHOWN_CHARS = 160;

/** Text of a manifest, fit for a message. */
export const shown = (text: string): string => oneLine(text, SHOWN_CHARS);
