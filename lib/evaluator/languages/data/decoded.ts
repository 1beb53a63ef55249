/** The text of a data file, or where it is none. Pure. */
import { KiB } from "../../../core/limits.ts";
import type { DataFormat, Problem } from "./data-language.ts";
import { positionAt } from "./position-at.ts";

/** A byte order mark is no part of the text. */
export function decoded(
  bytes: Uint8Array,
  { declaresEncoding = false }: Pick<DataFormat, "declaresEncoding">,
): { text: string } | Problem {
  // Every encoding of the web but UTF-16 has the marks of its formats where ASCII has them.
  if (declaresEncoding && OTHER_ENCODING.test(latin1(bytes.subarray(0, 1 * KiB)))) return { text: latin1(bytes) };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    const sound = soundBytes(bytes);
    const before = new TextDecoder().decode(bytes.subarray(0, sound));
    return { ...positionAt(before, before.length), message: "it is not valid UTF-8" };
  }
}

const OTHER_ENCODING = /(?:charset|encoding)\s*=\s*["']?(?!utf-?8)[\w-]+/i;

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");

/** How many bytes from the beginning are UTF-8: halved until found, so that a large file costs twenty looks. */
function soundBytes(bytes: Uint8Array): number {
  let sound = 0;
  let broken = bytes.length;
  while (broken - sound > 1) {
    const middle = (sound + broken) >> 1;
    if (isBeginning(bytes.subarray(0, middle))) sound = middle;
    else broken = middle;
  }
  return sound;
}

/** `stream`: what is cut within a character is no mistake. */
function isBeginning(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
