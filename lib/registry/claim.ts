/** An attempt claims the run: it wins within the current epoch, and every earlier attempt is a zombie from then on. */
import { defined } from "../core/defined.ts";
import { Cancelled, Fenced } from "../core/errors.ts";
import { INVOCATION_MS } from "../core/limits.ts";
import { hasProgram, isEnded, type Run, waitsForPerson } from "../core/run/run.ts";
import { compareAndSet } from "./compare-and-set.ts";
import { fenced, fenceOf, notCancelled, readRun } from "./fence.ts";
import { activeShardOf } from "./keys.ts";
import { readLane } from "./lanes/lane-record.ts";
import { accountsAsRead, chargeLostReservation, lostReservationEvents } from "./lost-reservation.ts";
import { iso, type RunWrite, type WriteContext, writeRun } from "./write-run.ts";

/** Between an invocation's end and the sweeper's look. */
const GRACE_MS = 120_000;

export const dueAfter = (now: number, milliseconds: number): string => iso(now + milliseconds + GRACE_MS);

/** Of two due times. */
export const laterOf = (one: string | undefined, other: string): string =>
  one !== undefined && one > other ? one : other;

/** A lane with an instruction goes on with it. Undefined: it has none. */
export async function claimLane(context: WriteContext, run: Run, lane: number): Promise<Run | undefined> {
  const claimed = await compareAndSet(
    async () => {
      const now = await readRun(context.table, run.id);
      if (now?.epoch !== run.epoch) throw new Fenced(`Run ${run.id} is not in epoch ${run.epoch} any more.`);
      const own = await readLane(context.table, now, lane);
      if (!own || own.pc === 0 || isEnded(now.status)) return "idle";
      const isOfEpoch = own.epoch === run.epoch;
      const again = isOfEpoch ? { set: {}, remove: [] } : resumed(now);
      if (isEnded(own.status) && isOfEpoch) return "idle";
      const { set, remove = [], ...claim } = claimOf(isOfEpoch ? own : unmarked(own), context.now, false);
      const { epoch } = run;
      const renewals = (own.renewals ?? 0) + 1;
      const written = await writeRun(context, {
        ...claim,
        run: { ...own, epoch },
        set: { ...set, ...again.set, epoch, renewals },
        remove: [...new Set([...remove, ...again.remove])],
      });
      return written.ok ? written.run : undefined;
    },
    () => new Fenced(`Lane ${lane} of run ${run.id} is being claimed by others.`),
  );
  return claimed === "idle" ? undefined : claimed;
}

/** Since its last commit the run may have been stopped, and a person may have resumed it: no time is counted. */
const unmarked = ({ markedAt: _markedAt, ...own }: Run): Run => own;

/** In a later epoch: with the models that the run has now, and tried as often again. */
function resumed({ profile, models, asks }: Run) {
  const set: Partial<Run> = { ...{ status: "running", failures: 0, profile }, ...defined({ models, asks }) };
  const absent = (["models", "asks"] as const).filter((name) => set[name] === undefined);
  return { set, remove: [...(["reason", "detail", "failed", "overReservation"] as const), ...absent] };
}

export interface ClaimRequest {
  runId: string;
  epoch: number;
  /** Claims a cancelled run too. */
  forEnding?: boolean;
}

/** Throws Fenced when the run is no longer in this epoch. */
export const claim = (context: WriteContext, { runId, epoch, forEnding = false }: ClaimRequest): Promise<Run> =>
  compareAndSet(
    async () => {
      const run = await readRun(context.table, runId);
      if (!run || run.epoch !== epoch || isEnded(run.status) || onlyPersonMoves(run)) {
        throw new Fenced(`Run ${runId} is not in epoch ${epoch} any more.`);
      }
      if (run.cancelRequested && !forEnding) throw new Cancelled(`Run ${run.id} was cancelled.`);
      const written = await writeRun(context, claimOf(run, context.now, forEnding));
      return written.ok ? written.run : undefined;
    },
    () => new Fenced(`Run ${runId} is being claimed by others.`),
  );

/** A run that waits for a person goes on only through that person, or is cancelled: a duplicate or late call must not move it. */
const onlyPersonMoves = (run: Run): boolean => waitsForPerson(run) && !run.cancelRequested;

function claimOf(run: Run, now: number, forEnding: boolean): RunWrite {
  const waited = run.status === "waiting";
  const set: Partial<Run> = {
    attempt: run.attempt + 1,
    markedAt: now,
    updatedAt: iso(now),
    activeShard: activeShardOf(run.id),
    dueAt: dueAfter(now, INVOCATION_MS),
    // The previous attempt died at some time since, or waited: only a wait for a person removes the mark.
    activeMs: run.activeMs + Math.max(0, Math.round(now - (run.markedAt ?? now))),
    ...chargeLostReservation(run),
    // A Wait state is over.
    ...(waited ? { status: hasProgram(run) ? "running" : "planning" } : {}),
  };
  return {
    run,
    set,
    remove: waited ? ["reason", "detail", "waitUntil"] : [],
    when: [...fenced(fenceOf(run)), ...accountsAsRead(run), ...(forEnding ? [] : [notCancelled])],
    events: lostReservationEvents(run),
  };
}
