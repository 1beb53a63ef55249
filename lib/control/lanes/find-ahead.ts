/** Which instruction a lane can execute before the run comes to it. */
import { hasExaminer } from "../../core/evidence/evidence-kind.ts";
import type { Instruction } from "../../core/program/program.ts";
import { roomForInstructions } from "../../core/run/lanes/room.ts";
import type { Run } from "../../core/run/run.ts";
import type { Registry } from "../../registry/registry.ts";

/** So far ahead of the run a lane looks. */
const WINDOW = 128;

/**
 * The first that names what it needs, all of which is accepted. While the run waits for a lane, that one is left to the
 * run, if there is another.
 */
export async function findAhead(
  registry: Pick<Registry, "instructionsFrom">,
  { id, pc, instructions, givenTests }: Run,
): Promise<Instruction | undefined> {
  const window = await registry.instructionsFrom(id, { first: pc, limit: WINDOW });
  const open = new Set(window.flatMap((each) => (isDone(each) || each.id === undefined ? [] : [each.id])));
  const ready = window.filter(
    (each) => isForLanes(each, { pc, instructions, givenTests }) && each.needs?.every((need) => !open.has(need)),
  );
  const current = window.find(({ number }) => number === pc)?.ahead?.state;
  const isWaiting = current === "taken" || current === "finished";
  return (isWaiting ? ready[1] : undefined) ?? ready[0];
}

/** So many of those that were accepted last say what one takes. */
const LATELY = 8;

/** Near a ceiling instructions are finished one after the other: what all begin and none can finish is lost. */
export async function hasRoomAhead(
  registry: Pick<Registry, "instructionsFrom" | "lanesAtWork">,
  run: Run,
): Promise<boolean> {
  // The run itself is at work, too.
  const atWork = 2 + (await registry.lanesAtWork(run));
  const first = Math.max(1, run.pc - LATELY);
  const lately = run.pc > first ? await registry.instructionsFrom(run.id, { first, limit: run.pc - first }) : [];
  const turns = lately.filter(({ status }) => status === "accepted").map((each) => each.turns);
  return atWork <= roomForInstructions(run, turns.length === 0 ? undefined : Math.max(...turns));
}

/** Whether a lane can find one later: an instruction that does not need all the open ones before it. */
export async function hasMoreAhead(registry: Pick<Registry, "instructionsFrom">, run: Run): Promise<boolean> {
  const window = await registry.instructionsFrom(run.id, { first: run.pc, limit: WINDOW });
  if (window.length === WINDOW) return true;
  const before = new Map<Instruction, Set<Instruction>>();
  for (const each of window.filter((one) => !isDone(one))) {
    const { needs: named } = each;
    const direct = [...before.keys()].filter(({ id = "" }) => named === undefined || named.includes(id));
    const needs = new Set(direct.flatMap((one) => [one, ...(before.get(one) ?? [])]));
    if (isForLanes(each, run) && needs.size < before.size) return true;
    before.set(each, needs);
  }
  return false;
}

/** Of those that name what they need. */
const isForLanes = (
  { number, kind, status, ahead, needs }: Instruction,
  { pc, instructions, givenTests }: Pick<Run, "pc" | "instructions" | "givenTests">,
): boolean =>
  number > pc &&
  // The user's tests must all pass when the last one is done, which is with the work of all others.
  (givenTests === undefined || number < instructions) &&
  kind === "do" &&
  status === "waiting" &&
  !ahead &&
  needs !== undefined;

const isDone = ({ status }: Instruction): boolean => status === "accepted" || status === "skipped";

/** Between two instructions nothing else is to be done: what is stored of the run is what its pack holds. */
export const isReadyForLanes = (run: Run): boolean =>
  (run.status === "running" || run.waitUntil !== undefined) &&
  run.pc >= 1 &&
  run.packed === run.pc - 1 &&
  run.pc <= run.instructions &&
  // The examiner's checks are packed with the first instruction.
  (run.packed > 0 || !hasExaminer(run)) &&
  [
    run.toLoad,
    run.inheriting,
    run.toJudge,
    run.toExamine,
    run.revising,
    run.replacement,
    run.splitting,
    run.skipping,
    run.walk,
    run.make,
  ].every((each) => each === undefined);
