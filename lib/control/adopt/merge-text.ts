/** Joins what a step changed in a text with what others changed in it meanwhile. */
import { applyPatch, diffArrays, type StructuredPatchHunk, structuredPatch } from "diff";
import { decodeText, encodeText } from "../../core/text/file-text.ts";

export interface Versions {
  /** As the step found it, as it left it, and as it is now. */
  was: Uint8Array;
  left: Uint8Array;
  now: Uint8Array;
}

/**
 * Undefined: both changed the same lines, a place is not certain, or it is no text. `isOfAll`: several steps write in it, and
 * what they add at one place stands in the order of the program.
 */
export function mergeText({ was, left, now }: Versions, isOfAll: boolean): Uint8Array | undefined {
  const [before, after, present] = [was, left, now].map((bytes) => decodeText(bytes));
  if (before === undefined || after === undefined || present === undefined) return undefined;
  if (present === after) return left;
  const merged = isOfAll ? mergeLines({ before, after, present }) : applyCertain({ before, after, present });
  return merged === undefined ? undefined : encodeText(merged);
}

type Texts = Record<"before" | "after" | "present", string>;

const CONTEXT = 3;

function applyCertain({ before, after, present }: Texts): string | undefined {
  const patch = structuredPatch("a", "b", before, after, "", "", { context: CONTEXT });
  // What it wrote was there: where that is another text now, nothing says what it would write.
  const isCertain =
    patch.hunks.length > 0 && patch.hunks.every((hunk) => isOnce(hunk, before) && isOnce(hunk, present));
  const merged = isCertain && applyPatch(present, patch);
  return merged === false ? undefined : merged;
}

/** Lines `from` up to `to` of the text before become others. */
interface Edit {
  from: number;
  to: number;
  lines: string[];
}

/** Added lines fit beside any others, after those that are there; a line that is changed or removed must be as it was. */
function mergeLines({ before, after, present }: Texts): string | undefined {
  const theirs = editsOf(before, present);
  const own = editsOf(before, after).filter((edit) => !theirs.some((each) => isSameEdit(each, edit)));
  const isInTheWay = ({ from, to }: Edit): boolean =>
    to > from && theirs.some((each) => each.from <= to && each.to >= from);
  if (own.some(isInTheWay)) return undefined;
  const lines = linesOf(before);
  const merged: string[] = [];
  let at = 0;
  // Sorting is stable: at one place theirs come first.
  for (const { from, to, lines: added } of [...theirs, ...own].sort((one, other) => one.from - other.from)) {
    merged.push(...lines.slice(at, from), ...added);
    at = Math.max(at, to);
  }
  return [...merged, ...lines.slice(at)].map((line) => `${line}\n`).join("");
}

function editsOf(before: string, after: string): Edit[] {
  let at = 0;
  const edits: Edit[] = [];
  for (const { added, removed, value } of diffArrays(linesOf(before), linesOf(after))) {
    const last = edits.at(-1);
    const edit = last && last.to === at ? last : { from: at, to: at, lines: [] };
    if (!added) at += value.length;
    if (!added && !removed) continue;
    if (edit !== last) edits.push(edit);
    if (added) edit.lines.push(...value);
    else edit.to = at;
  }
  return edits;
}

const linesOf = (text: string): string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

const isSameEdit = (one: Edit, other: Edit): boolean => JSON.stringify(one) === JSON.stringify(other);

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
