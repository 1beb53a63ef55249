/** The outline of a program as an instruction's prompt shows it: titles with states around the instruction. Pure. */
import { OUTLINE_TOKENS } from "../limits.ts";
import { oneLine } from "../text/cut.ts";
import { byteLength } from "../text/file-text.ts";
import { likelyTokens } from "../turn/estimate.ts";
import type { Instruction } from "./program.ts";

export type OutlineRow = Pick<Instruction, "number" | "title" | "status" | "unchecked">;

/** More rows than this never fit the outline's tokens. */
export const OUTLINE_BEFORE = 30;
export const OUTLINE_ROWS = 90;

const TITLE_CHARS = 100;
/** For the two lines that stand for what is not shown. */
const FOLD_TOKENS = 24;

/** `rows`: a part of the program in order, with the instruction `now`. `skipped`: of the whole program. */
export function outlineOf(
  rows: readonly OutlineRow[],
  { now, total, skipped, tokens = OUTLINE_TOKENS }: { now: number; total: number; skipped: number; tokens?: number },
): string {
  const { first, last } = windowOf(rows, now, tokens - FOLD_TOKENS);
  const shown = rows.slice(first, last).map((row) => lineOf(row, now));
  const top = rows[first]?.number ?? 1;
  const bottom = rows[last - 1]?.number ?? total;
  return [...foldBefore(top - 1, skipped), ...shown, ...foldAfter(bottom + 1, total)].join("\n");
}

/** Grows from `now`, one row after and one before in turn, while it fits. */
function windowOf(rows: readonly OutlineRow[], now: number, tokens: number): { first: number; last: number } {
  const at = Math.max(
    0,
    rows.findIndex(({ number }) => number === now),
  );
  const cost = (row: OutlineRow): number => likelyTokens(byteLength(lineOf(row, now)) + 1, { tokensPerByte: 0 });
  const here = rows[at];
  let [first, last, used] = [at, Math.min(at + 1, rows.length), here ? cost(here) : 0];
  for (;;) {
    const after = rows[last];
    const fitsAfter = after !== undefined && used + cost(after) <= tokens;
    if (fitsAfter) {
      used += cost(after);
      last += 1;
    }
    const before = rows[first - 1];
    const fitsBefore = before !== undefined && used + cost(before) <= tokens;
    if (fitsBefore) {
      used += cost(before);
      first -= 1;
    }
    if (!fitsAfter && !fitsBefore) return { first, last };
  }
}

const lineOf = (row: OutlineRow, now: number): string =>
  `${row.number}. ${oneLine(row.title, TITLE_CHARS)}${stateOf(row, now)}`;

function stateOf({ number, status, unchecked }: OutlineRow, now: number): string {
  if (number === now) return " ← this instruction";
  if (status === "skipped") return " (skipped: nothing of it is there)";
  if (status === "accepted") return unchecked.length > 0 ? " (done, in part unchecked)" : " (done)";
  return "";
}

function foldBefore(last: number, skipped: number): string[] {
  if (last < 1) return [];
  const but = skipped > 0 ? `, ${skipped} of the program skipped` : "";
  return [`1 to ${last}: done${but}`];
}

const foldAfter = (first: number, total: number): string[] => (first > total ? [] : [`${first} to ${total}: to come`]);
