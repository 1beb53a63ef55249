/** Whether a place in a program is the same in another one: all before it is equal, and so are the blocks around it. Pure. */
import { START } from "./advance.ts";
import type { Frames } from "./frames.ts";
import { listsIn } from "./nodes.ts";
import { nodeData } from "./program-data.ts";
import type { Program, ProgramNode } from "./schema.ts";

export const isStart = (frames: Frames): boolean => isSame(frames, START);

/** What is at the place, and after it, may be another. */
export function keepsPlace(before: Program, after: Program, frames: Frames): boolean {
  let [was, is] = [before.instructions, after.instructions];
  for (const [depth, { at, round = 1 }] of frames.entries()) {
    if (!isSame(was.slice(0, at), is.slice(0, at))) return false;
    if (depth === frames.length - 1) return true;
    const [outer, now] = [was[at], is[at]];
    if (!outer || !now || !isSame(headOf(outer), headOf(now))) return false;
    const index = outer.kind === "if" ? round - 1 : 0;
    const [one, other] = [listsIn(outer)[index], listsIn(now)[index]];
    if (!one || !other) return false;
    [was, is] = [one[1], other[1]];
  }
  return true;
}

/** A block without what is inside it. */
function headOf(node: ProgramNode): Record<string, unknown> {
  const inner = new Set(listsIn(node).map(([[field]]) => field));
  return Object.fromEntries(Object.entries(nodeData(node)).filter(([field]) => !inner.has(field)));
}

/** Both were read by the same schema, which gives fields one order. */
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
