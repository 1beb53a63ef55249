/** Joins what a step changed in a text with what others changed in it meanwhile. */
import { applyPatch, type StructuredPatchHunk, structuredPatch } from "diff";
import { decodeText, encodeText } from "../../core/text/file-text.ts";

export interface Versions {
  /** As the step found it, as it left it, and as it is now. */
  was: Uint8Array;
  left: Uint8Array;
  now: Uint8Array;
}

/**
 * Undefined: both changed the same lines, a place is not certain, or it is no text. `loosely`: lines that were added fit
 * beside any others.
 */
export function mergeText({ was, left, now }: Versions, loosely: boolean): Uint8Array | undefined {
  const [before, after, present] = [was, left, now].map((bytes) => decodeText(bytes));
  if (before === undefined || after === undefined || present === undefined) return undefined;
  if (present === after) return left;
  const patch = structuredPatch("a", "b", before, after, "", "", { context: CONTEXT });
  // What it wrote was there: where that is another text now, nothing says what it would write.
  const isCertain =
    patch.hunks.length > 0 && patch.hunks.every((hunk) => isOnce(hunk, before) && isOnce(hunk, present));
  const merged = isCertain ? applyPatch(present, patch) : false;
  if (merged !== false) return encodeText(merged);
  const added = loosely ? addLines({ before, after, present }) : false;
  return added === false ? undefined : encodeText(added);
}

const CONTEXT = 3;

/** Lines are only ever added: none is changed or removed where others are. */
function addLines({ before, after, present }: Record<"before" | "after" | "present", string>): string | false {
  const patch = structuredPatch("a", "b", before, after, "", "", { context: 0 });
  return patch.hunks.every(({ oldLines }) => oldLines === 0) && applyPatch(present, patch);
}

/** A patch fits at any place that has its lines: of two equal ones it could take the wrong one. */
function isOnce({ lines }: StructuredPatchHunk, text: string): boolean {
  const old = lines.filter((line) => line.startsWith(" ") || line.startsWith("-")).map((line) => line.slice(1));
  if (old.length === 0) return false;
  const there = text.split("\n");
  let found = 0;
  for (let at = 0; at + old.length <= there.length && found < 2; at += 1)
    if (old.every((line, index) => line === there[at + index])) found += 1;
  return found === 1;
}
