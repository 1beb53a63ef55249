/** What every handler does around its work: claims the run, and turns each typed error into an ending. */
import { Cancelled, Damaged, Fenced, NotReady, Unreadable } from "../../core/errors.ts";
import { INVOCATION_MS } from "../../core/limits.ts";
import type { HandlerAnswer } from "../../core/program/advance.ts";
import type { Run } from "../../core/run/run.ts";
import { dueAfter, laterOf } from "../../registry/claim.ts";
import { compareAndSet } from "../../registry/compare-and-set.ts";
import { keptOf } from "../files/verified-read.ts";
import type { World } from "../world.ts";
import { CANCELLED, type Ending, endRun } from "./ending.ts";
import { interrupt } from "./resume-and-cancel.ts";
import { waitForEvaluator } from "./wait-for-evaluator.ts";

export interface HandlerInput {
  runId: string;
  epoch: number;
  /** From 2 on: works ahead of the run. Absent, or 1: the run itself. */
  lane?: number;
  /** So often in a row the lane has found nothing to do. */
  idle?: number;
  /** The execution has used up its loops: the next epoch must take over. */
  last?: boolean;
}

export async function withRun(
  world: World,
  input: HandlerInput,
  work: (run: Run) => Promise<HandlerAnswer>,
): Promise<HandlerAnswer> {
  const { runId, epoch } = input;
  try {
    const claimed = await world.registry.claim(runId, epoch);
    const answer = await unlessNewer(world, claimed, () => waitIfNotReady(world, claimed, work));
    if (input.last && (answer.next === "execute" || answer.next === "wait"))
      await (input.lane === undefined ? handOverEpoch : closeLanes)(world, claimed);
    return answer;
  } catch (error) {
    if (error instanceof Fenced) return { next: "stop" };
    if (error instanceof Cancelled) return end(world, input, CANCELLED);
    if (error instanceof Damaged) return end(world, input, damagedEnding(error));
    throw error;
  }
}

/** What a newer version has stored for the run is left to that version: the run waits until a person resumes it there. */
async function unlessNewer(world: World, claimed: Run, work: () => Promise<HandlerAnswer>): Promise<HandlerAnswer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const why = `${error.message} Resume the run with that version.`;
    await interrupt(world, claimed.id, { why, until: world.clock.now(), during: claimed });
    return { next: "stop" };
  }
}

async function waitIfNotReady(
  world: World,
  claimed: Run,
  work: (run: Run) => Promise<HandlerAnswer>,
): Promise<HandlerAnswer> {
  try {
    return await work(claimed);
  } catch (error) {
    if (error instanceof NotReady) return waitForEvaluator(world, claimed, error);
    throw error;
  }
}

/** The epoch changes before its execution starts; if that never starts, the sweeper finds the run, after its wait. */
const handOverEpoch = ({ registry, clock }: World, { id, epoch, attempt }: Run): Promise<Run> =>
  compareAndSet(
    async () => {
      const run = await registry.run(id);
      if (run?.epoch !== epoch || run.attempt !== attempt) throw new Fenced(`Run ${id} moved on.`);
      if (run.cancelRequested) throw new Cancelled(`Run ${id} was cancelled.`);
      return registry.beginEpoch(run, { dueAt: laterOf(run.dueAt, dueAfter(clock.now(), INVOCATION_MS)) });
    },
    () => new Error(`Run ${id} keeps changing; its next epoch could not begin.`),
  );

/** The other lanes take nothing more in this epoch: then the state machine ends them, with no call in flight. */
const closeLanes = ({ registry }: World, { id, epoch, attempt }: Run): Promise<Run> =>
  compareAndSet(
    async () => {
      const run = await registry.run(id);
      if (run?.epoch !== epoch || run.attempt !== attempt) throw new Fenced(`Run ${id} moved on.`);
      return registry.change(run, { lanesClosedIn: epoch });
    },
    () => new Error(`Run ${id} keeps changing; its lanes could not be closed.`),
  );

/** What else is missing is unknown, so the run must not go on. */
const damagedEnding =
  ({ message }: Damaged) =>
  (run: Run): Ending => ({ status: "failed", reason: "damaged", detail: `${message} ${keptOf(run)}` });

async function end(
  world: World,
  { runId, epoch }: HandlerInput,
  ending: Ending | ((run: Run) => Ending),
): Promise<HandlerAnswer> {
  try {
    const run = await world.registry.claimForEnding(runId, epoch);
    await endRun(world, run, typeof ending === "function" ? ending(run) : ending);
  } catch (error) {
    if (!(error instanceof Fenced)) throw error;
  }
  return { next: "stop" };
}
