/** Between two steps: remembers the calls that are done, and opens those that begin. Repeatable after a crash. */
import type { Memo, MemoState } from "../../core/memo/memo.ts";
import { callsEntered, callsLeft, isInside } from "../../core/program/language/calls/passed-calls.ts";
import type { Frames } from "../../core/program/language/frames.ts";
import type { Program } from "../../core/program/language/schema.ts";
import type { Instruction } from "../../core/program/program.ts";
import type { Run } from "../../core/run/run.ts";
import type { World } from "../world.ts";
import { nameCall } from "./name-call.ts";

export interface Passing {
  program: Program;
  from: Frames;
  to: Frames;
}

/** A call of more steps is not remembered. */
export const MEMO_STEPS = 200;

export async function passCalls(world: World, run: Run, { program, from, to }: Passing): Promise<Run> {
  const left = callsLeft(from, to);
  const state = stateAfter(run, { left, entered: callsEntered(from, to) });
  const memos = [];
  for (const depth of left) {
    const memo = await memoOf(world, run, from.slice(0, depth + 1));
    const name = memo && (await nameCall(world, run, { program, frames: from, depth }));
    if (memo && name) memos.push({ name, memo });
  }
  const isSame = JSON.stringify(state) === JSON.stringify(run.memo);
  if (memos.length === 0 && isSame) return run;
  return world.registry.commit(run, { run: isSame ? {} : state ? { memo: state } : { remove: ["memo"] }, memos });
}

/** Of what it takes over, the calls inside are a part. */
function stateAfter(
  { memo, options }: Run,
  { left, entered }: { left: number[]; entered: number[] },
): MemoState | undefined {
  const isOver = memo?.calls.some((depth) => left.includes(depth)) ?? false;
  const kept = isOver ? undefined : memo;
  if (kept?.of || entered.length === 0 || options.memo === false) return kept;
  return { ...kept, calls: [...new Set([...(kept?.calls ?? []), ...entered])] };
}

/** Undefined: not each of its steps was accepted as it was asked. */
async function memoOf({ registry }: World, { id, pc }: Run, call: Frames): Promise<Memo | undefined> {
  const steps: Instruction[] = [];
  for (let end = pc - 1; end >= 1 && steps.length <= MEMO_STEPS; end -= STEPS_AT_ONCE) {
    const first = Math.max(1, end - STEPS_AT_ONCE + 1);
    const page = await registry.instructionsFrom(id, { first, limit: end - first + 1 });
    const before = page.findLastIndex(({ frames = [] }) => !isInside(frames, call));
    steps.unshift(...page.slice(before + 1));
    if (before >= 0) break;
  }
  const [first, last] = [steps[0], steps.at(-1)];
  if (!first || !last?.acceptedAt || steps.length > MEMO_STEPS || !steps.every(isWhole)) return undefined;
  return { run: id, first: first.number, last: last.number, at: last.acceptedAt };
}

const STEPS_AT_ONCE = 50;

const isWhole = ({ kind, status, step, isPart }: Instruction): boolean =>
  status === "accepted" && (kind === "ask" || step !== undefined) && !isPart;
