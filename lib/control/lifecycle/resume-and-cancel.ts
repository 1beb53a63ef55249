/** Resumes and cancels runs from outside, and marks those whose process died as interrupted. */
import { Fenced, UserError } from "../../core/errors.ts";
import { INVOCATION_MS } from "../../core/limits.ts";
import { isAnswered } from "../../core/program/question.ts";
import type { EventBody } from "../../core/run/event.ts";
import { hasProgram, isEnded, lacksApproval, type Run, waitsForPerson } from "../../core/run/run.ts";
import { dueAfter } from "../../registry/claim.ts";
import type { RunPatch } from "../../registry/commit.ts";
import { compareAndSet } from "../../registry/compare-and-set.ts";
import { activeShardOf } from "../../registry/keys.ts";
import { chargeLostReservation, lostReservationEvents } from "../../registry/lost-reservation.ts";
import { settleLanes } from "../lanes/settle-lanes.ts";
import { consentAgain, maySpendMore, stepsIn } from "../program/consent.ts";
import { storedProgram, wholeProgramOf } from "../program/stored-program.ts";
import type { World } from "../world.ts";
import { dailyBudgetError } from "./daily-budget.ts";
import { awaitingAnswer, awaitingApproval, CANCELLED, type Ending, endRun, OF_WAITS } from "./ending.ts";
import { changesIn, type Resumption, resumptionPatch, whyNotWith } from "./resumption.ts";
import { isOnlyDeliveryLeft, whyNotResumable } from "./why-not-resumable.ts";

/** The next epoch of a run that stopped. The caller starts the execution. */
export async function resume(world: World, runId: string, resumption: Resumption = {}): Promise<Run> {
  return updateRun(world, runId, async (run) => {
    // What was planned, and ended before anybody approved it, waits for that again.
    const revises = run.revising !== undefined && !isEnded(run.status);
    const waits = hasProgram(run) && lacksApproval(run) && !revises;
    const changed = resumptionPatch(run, resumption);
    const next = { ...run, ...changed };
    // What asked a person, and ended without an answer, asks again.
    const again = waits || revises ? {} : await consentToGoOn(world, run, next);
    const asks =
      !waits && again.consent === undefined && run.question && !isAnswered(run)
        ? awaitingAnswer(run.question)
        : undefined;
    const refused =
      whyNotResumable(run, resumption) ??
      whyNotWith(resumption, run, next) ??
      (waits || again.consent !== undefined || asks || isOnlyDeliveryLeft(run)
        ? undefined
        : await dailyBudgetError(world, next));
    if (refused) throw refused;
    const approval = waits ? awaitingApproval(run) : again.consent === undefined ? undefined : awaitingApproval(again);
    const { remove = [], ...standing } = approval ?? asks ?? goingOn(run);
    const stuck = run.reason === "trapped" || run.reason === "planning";
    const patch: RunPatch = {
      ...standing,
      ...changed,
      ...again,
      failures: 0,
      // With help it is tried as often again.
      forgivenTurn: stuck || resumption.hint !== undefined ? run.turn : run.forgivenTurn,
      ...(waits && !run.askedAgain ? { turn: 0, forgivenTurn: 0 } : {}),
      remove: [
        ...(waits ? (["revising"] as const) : []),
        ...(again.consent === undefined ? [] : (["approved"] as const)),
        "endedAt",
        "cancelRequested",
        "renewals",
        "neededMicroUsd",
        "overReservation",
        "ending",
        ...OF_WAITS,
        ...remove,
      ],
    };
    const why = (approval ?? asks)?.detail;
    const waiting: EventBody[] = why === undefined ? [] : [{ type: "waiting", why }];
    return world.registry.beginEpoch(run, patch, [
      { type: "resumed", epoch: run.epoch + 1, ...goesOnWith(run), ...changesIn(resumption) },
      ...waiting,
    ]);
  });
}

/** Nothing, where only the delivery is left. */
function goesOnWith(run: Run): { instruction?: number } {
  if (!hasProgram(run)) return { instruction: 0 };
  return run.pc > run.instructions ? {} : { instruction: run.pc };
}

/** With more to spend than before, the rest of the program may cost more than a person was asked about. */
async function consentToGoOn(world: World, run: Run, next: Run): Promise<Pick<Run, "consent" | "askedAgain">> {
  if (!hasProgram(run) || isOnlyDeliveryLeft(run) || !maySpendMore(run, next)) return {};
  const program = await storedProgram(world, run);
  const done = program.instructions.filter(({ number }) => number < run.pc);
  return consentAgain(next, await wholeProgramOf(world, run, program), stepsIn(done));
}

const goingOn = (run: Run) => ({
  status: hasProgram(run) && !run.revising ? ("running" as const) : ("planning" as const),
  remove: ["reason", "detail", "markedAt"] as const,
});

/** Asks a computed run to stop at its next commit; `alive` says whether anybody is computing it. */
export async function cancel(world: World, runId: string, alive: boolean): Promise<Run> {
  const run = await updateRun(world, runId, (run) => {
    if (isEnded(run.status)) {
      throw new UserError(`Run ${run.id} has ended already (${run.status}).`, {
        exitCode: 2,
        remedy: { command: "status", args: [run.id] },
      });
    }
    return world.registry.change(run, cancelPatch(world, run.id), [
      { type: "notice", text: "Cancelling was asked for." },
    ]);
  });
  return alive && !waitsForPerson(run) ? run : endUncomputed(world, run, CANCELLED);
}

/** Due, so that the sweeper ends the run if the caller dies first. */
export const cancelPatch = ({ clock }: World, runId: string): RunPatch => ({
  cancelRequested: true,
  activeShard: activeShardOf(runId),
  dueAt: dueAfter(clock.now(), INVOCATION_MS),
});

/** Ends a run that was asked to stop and is not being computed. */
export async function endUncomputed(world: World, run: Run, ending: Ending): Promise<Run> {
  try {
    return await endRun(world, await world.registry.claimForEnding(run.id, run.epoch), ending);
  } catch (error) {
    if (!(error instanceof Fenced)) throw error;
    return (await world.registry.run(run.id)) ?? run;
  }
}

/** Begins the first epoch of a run whose submission did not live to do it. The caller starts the execution. */
export const beginLate = (world: World, runId: string): Promise<Run> =>
  updateRun(world, runId, async (run) => {
    if (run.epoch > 0 || isEnded(run.status)) return run;
    return world.registry.beginEpoch(run, {});
  });

const PROCESS_ENDED = "The process that computed this run ended; everything up to its last turn is kept.";

export interface Interruption {
  why?: string;
  /** When it was stopped. Absent: when the process died is unknown. */
  until?: number;
  /** Only while this attempt has the run. */
  during?: Pick<Run, "epoch" | "attempt">;
}

/**
 * The process that computed the run died, or was stopped: the run waits until a person resumes it. Its epoch is over, so
 * zombies are fenced.
 */
export async function interrupt(world: World, runId: string, interruption: Interruption = {}): Promise<Run> {
  const { why = PROCESS_ENDED, until, during } = interruption;
  return updateRun(world, runId, async (run) => {
    if (isEnded(run.status)) return Promise.resolve(run);
    if (during && (run.epoch !== during.epoch || run.attempt !== during.attempt)) return Promise.resolve(run);
    if (run.cancelRequested) return endUncomputed(world, run, CANCELLED);
    if (waitsForPerson(run)) return Promise.resolve(run);
    const patch: RunPatch = {
      status: "waiting",
      reason: "interrupted",
      detail: why,
      activeMs: run.activeMs + unmarked(run, until),
      ...chargeLostReservation(run),
      remove: ["activeShard", "dueAt", "markedAt", ...OF_WAITS],
    };
    const begun = await world.registry.beginEpoch(run, patch, [
      ...lostReservationEvents(run),
      { type: "waiting", why },
    ]);
    return begun && settleInterrupted(world, begun);
  });
}

/** A person may have resumed it meanwhile; its lanes are no longer those of this epoch. */
async function settleInterrupted(world: World, run: Run): Promise<Run> {
  try {
    return await settleLanes(world, run);
  } catch (error) {
    if (!(error instanceof Fenced)) throw error;
    return (await world.registry.run(run.id)) ?? run;
  }
}

/** Active time since the mark. When a dead process died is unknown. */
const unmarked = ({ markedAt }: Run, until: number | undefined): number =>
  until === undefined || markedAt === undefined ? 0 : Math.max(0, Math.round(until - markedAt));

/** By compare-and-set: `change` answers undefined when the run changed meanwhile, and is called with the run as it is then. */
export async function updateRun<Changed = Run>(
  { registry }: Pick<World, "registry">,
  runId: string,
  change: (run: Run) => Promise<Changed | undefined>,
): Promise<Changed> {
  return compareAndSet(
    async () => {
      const run = await registry.run(runId);
      if (!run)
        throw new UserError(`There is no run ${runId}.`, { exitCode: 2, remedy: { command: "list", args: [] } });
      return change(run);
    },
    () => new Error(`Run ${runId} keeps changing; try again.`),
  );
}
