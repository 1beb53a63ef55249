/** Joins what a step changed in a text with what others changed in it meanwhile. */
import { applyPatch, structuredPatch } from "diff";
import { decodeText, encodeText } from "../../core/text/file-text.ts";

export interface Versions {
  /** As the step found it, as it left it, and as it is now. */
  was: Uint8Array;
  left: Uint8Array;
  now: Uint8Array;
}

/** Undefined: both changed the same lines, or it is no text. `loosely`: lines that were added fit beside any others. */
export function mergeText({ was, left, now }: Versions, loosely: boolean): Uint8Array | undefined {
  const [before, after, present] = [was, left, now].map((bytes) => decodeText(bytes));
  if (before === undefined || after === undefined || present === undefined) return undefined;
  for (const context of loosely ? [CONTEXT, 0] : [CONTEXT]) {
    const merged = applyPatch(present, structuredPatch("a", "b", before, after, "", "", { context }));
    if (merged !== false) return encodeText(merged);
  }
  return undefined;
}

const CONTEXT = 3;
