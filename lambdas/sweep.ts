/**
 * Repairs what died silently: takes overdue runs, and starts, extends or ends them. Then finishes removals, and removes
 * what has been kept for long enough. Called every few minutes.
 */

import { finishDeletion } from "../lib/control/lifecycle/delete-run.ts";
import { beginLate } from "../lib/control/lifecycle/resume-and-cancel.ts";
import type { Invocation, World } from "../lib/control/world.ts";
import { INVOCATION_MS } from "../lib/core/limits.ts";
import { isEnded, type Run } from "../lib/core/run/run.ts";
import { type ExecutionState, isOverdue, type SweepAction, sweepAction } from "../lib/core/run/sweep.ts";
import { dueAfter } from "../lib/registry/claim.ts";
import { iso } from "../lib/registry/write-run.ts";
import { createRecordFailure } from "./record-failure.ts";

export interface Executions {
  /** Already there is fine. */
  start(runId: string, epoch: number): Promise<void>;
  find(runId: string, epoch: number): Promise<ExecutionState>;
}

export interface SweepInput {
  world: World;
  /** After their end. Absent: for ever. */
  keepRunsDays?: number | undefined;
  executions: Executions;
  /** Reports what could not be repaired; the next sweep tries again. */
  onFailure: (runId: string, error: unknown) => void;
}

export interface SweepCounts {
  started: number;
  extended: number;
  recorded: number;
  deleted: number;
  failed: number;
}

/** More wait for the next call: as many as there is time for. */
const RUNS_PER_CALL = 2_000;
/** Side by side: a run takes several calls, one after the other. */
const RUNS_AT_ONCE = 10;
/** Step Functions answers some hundreds of questions at once, then ten in a second. */
const BURST = 200;
const PACE_MS = 1_000;
/** Enough to repair one run. */
const FLOOR_MS = 10_000;

export const createSweep =
  (sweeping: SweepInput) =>
  async ({ remainingMs }: Invocation): Promise<SweepCounts> => {
    const { registry, clock } = sweeping.world;
    const swept: SweepCounts = { started: 0, extended: 0, recorded: 0, deleted: 0, failed: 0 };
    const goOn = (): boolean => remainingMs() >= FLOOR_MS;
    const one = async (runId: string, work: Work): Promise<void> => {
      try {
        const did = await work(runId);
        if (did) swept[did] += 1;
      } catch (error) {
        swept.failed += 1;
        sweeping.onFailure(runId, error);
      }
    };
    const each = async (runIds: string[], work: Work): Promise<void> => {
      const left = runIds.values();
      const paceMs = runIds.length > BURST ? PACE_MS : 0;
      const worker = async (): Promise<void> => {
        while (goOn()) {
          const { value: runId, done } = left.next();
          if (done) return;
          await Promise.all([one(runId, work), paceMs > 0 && clock.sleep(paceMs)]);
        }
      };
      await Promise.all(Array.from({ length: RUNS_AT_ONCE }, worker));
    };
    const upTo = iso(clock.now());
    await each(await registry.overdue({ upTo, limit: RUNS_PER_CALL }), async (runId) => {
      const did = await repair(sweeping, await registry.run(runId));
      return did && COUNTED[did];
    });
    await each(await registry.halfDeleted({ upTo, limit: RUNS_PER_CALL }), (runId) =>
      goOnRemoving(sweeping, runId, goOn),
    );
    const kept = keptSince(sweeping);
    if (kept !== undefined)
      await each(await registry.ended({ upTo: kept, limit: RUNS_PER_CALL }), (runId) =>
        removeOld(sweeping, { runId, kept, goOn }),
      );
    return swept;
  };

type Work = (runId: string) => Promise<keyof SweepCounts | undefined>;

const COUNTED = {
  start: "started",
  renew: "started",
  extend: "extended",
  record: "recorded",
} as const satisfies Record<SweepAction, keyof SweepCounts>;

const DAY_MS = 86_400_000;

const keptSince = ({ world, keepRunsDays }: SweepInput): string | undefined =>
  keepRunsDays === undefined ? undefined : iso(world.clock.now() - keepRunsDays * DAY_MS);

type Removal = "deleted" | undefined;

async function goOnRemoving({ world }: SweepInput, runId: string, goOn: () => boolean): Promise<Removal> {
  const run = await world.registry.stored(runId);
  return run?.deleting ? removed(await finishDeletion(world, run, goOn)) : undefined;
}

/** Where somebody resumed it meanwhile the mark is refused, and the run stays. */
async function removeOld(
  { world }: SweepInput,
  { runId, kept, goOn }: { runId: string; kept: string; goOn: () => boolean },
): Promise<Removal> {
  const run = await world.registry.run(runId);
  if (!run || !isEnded(run.status) || run.endedAt === undefined || run.endedAt > kept) return undefined;
  const begun = await world.registry.beginDeletion(run);
  return begun && removed(await finishDeletion(world, begun, goOn));
}

/** What is left goes the next time. */
const removed = (done: "deleted" | "deleting"): Removal => (done === "deleted" ? done : undefined);

async function repair(sweeping: SweepInput, run: Run | undefined): Promise<SweepAction | undefined> {
  const { world, executions } = sweeping;
  if (!run || !isOverdue(run, world.clock.now())) return undefined;
  if (run.epoch === 0) return beginFirst(sweeping, run.id);
  const action = sweepAction(await executions.find(run.id, run.epoch), run);
  if (action === "renew") return renew(sweeping, run);
  if (action === "start") await executions.start(run.id, run.epoch);
  if (action === "record") await record(world, run);
  // If the run changed meanwhile, its due time is new already.
  else await world.registry.change(run, { dueAt: dueAfter(world.clock.now(), INVOCATION_MS) });
  return action;
}

async function renew({ world, executions }: SweepInput, run: Run): Promise<SweepAction | undefined> {
  const renewals = (run.renewals ?? 0) + 1;
  const begun = await world.registry.beginEpoch(run, { renewals }, [{ type: "notice", text: RENEWED }]);
  if (begun) await executions.start(begun.id, begun.epoch);
  return begun && "renew";
}

const RENEWED = "The execution that computed this run had stopped without ending it; it goes on in the next one.";

async function beginFirst({ world, executions }: SweepInput, runId: string): Promise<SweepAction> {
  const { epoch, status } = await beginLate(world, runId);
  if (isEnded(status)) return "record";
  await executions.start(runId, epoch);
  return "start";
}

const record = (world: World, { id, epoch }: Run) =>
  createRecordFailure(world)({
    runId: id,
    epoch,
    error: "L2mac.ExecutionEnded",
    cause: "The execution that computed this run ended without recording why. What was accepted is kept.",
  });
