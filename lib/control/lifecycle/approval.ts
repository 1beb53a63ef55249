/** A program that waits for a person, who puts another one in its place, approves it, or rejects it. */
import { UserError } from "../../core/errors.ts";
import type { Draft } from "../../core/program/program.ts";
import { isAnswered, waitsForAnswer } from "../../core/program/question.ts";
import type { EventBody } from "../../core/run/event.ts";
import { isEnded, type Run, statusText, waitsForApproval, waitsForPerson } from "../../core/run/run.ts";
import type { RunPatch } from "../../registry/commit.ts";
import { throwIfPlaceIsLost } from "../program/begun-inside.ts";
import { consentFor } from "../program/consent.ts";
import { refuseUnprovable } from "../program/refuse-unprovable.ts";
import {
  programEvent,
  programOf,
  putReplacement,
  type RunStores,
  replacedBy,
  versionOf,
} from "../program/stored-program.ts";
import type { World } from "../world.ts";
import { dailyBudgetError } from "./daily-budget.ts";
import { awaitingAnswer, awaitingApproval, type Ending } from "./ending.ts";
import { withRequirements } from "./prepare.ts";
import { cancelPatch, endUncomputed, updateRun } from "./resume-and-cancel.ts";

/** The next epoch, which executes the program, or this one in its place. The caller starts the execution. */
export const approve = (world: World, runId: string, program?: Draft): Promise<Run> =>
  updateRun(world, runId, async (run) => {
    throwIfNotAwaitingApproval(run);
    const refused = await dailyBudgetError(world, run, "approve");
    if (refused) throw refused;
    const { patch: replaced, events } = program ? await replacing(world, run, program) : UNCHANGED;
    const { detail: _detail, ...patch } = replaced;
    // What asked a person for an answer before it was asked about the price, asks that now.
    const question = run.question && !isAnswered(run) ? awaitingAnswer(run.question) : undefined;
    const { remove, ...standing } = question ?? { status: "running" as const, remove: ["reason", "detail"] as const };
    const waiting: EventBody[] = question ? [{ type: "waiting", why: question.detail }] : [];
    return world.registry.beginEpoch(run, { ...patch, ...standing, approved: true, remove: [...(remove ?? [])] }, [
      ...events,
      { type: "approved", epoch: run.epoch + 1 },
      ...waiting,
    ]);
  });

/** `changed`: it is not the version that was meant any more. */
export async function replaceProgram(
  place: RunStores,
  runId: string,
  { program, was }: { program: Draft; was: (version: string) => boolean },
): Promise<Run | "changed"> {
  return updateRun<Run | "changed">(place, runId, async (run) => {
    if (!was(versionOf(await programOf(place, run)))) return "changed";
    throwIfNotAwaitingApproval(run);
    const { patch, events } = await replacing(place, run, program);
    // Without an event two who change it at once would not see each other.
    return events.length === 0 ? run : place.registry.change(run, patch, events);
  });
}

const REJECTED: Ending = {
  status: "cancelled",
  reason: "rejected",
  detail: "Its program was rejected; nothing of it was executed.",
};

const REST_REJECTED: Ending = {
  ...REJECTED,
  detail: "The rest of its program was rejected; what is accepted is kept.",
};

export async function reject(world: World, runId: string): Promise<Run> {
  const run = await updateRun(world, runId, async (run) => {
    throwIfNotAwaitingApproval({ ...run, cancelRequested: false });
    return world.registry.change(run, cancelPatch(world, run.id), [
      { type: "notice", text: "The program was rejected." },
    ]);
  });
  return endUncomputed(world, run, run.askedAgain ? REST_REJECTED : REJECTED);
}

/** A program without requirements of its own serves those of the program before it. */
export const completed = async (place: RunStores, run: Run, program: Draft): Promise<Draft> =>
  withRequirements(program, (await programOf(place, run)).requirements);

const UNCHANGED: { patch: RunPatch; events: EventBody[] } = { patch: {}, events: [] };

/** The file first, then the run that points at it: a crash in between changes nothing. */
async function replacing(place: RunStores, run: Run, given: Draft): Promise<typeof UNCHANGED> {
  const program = await completed(place, run, given);
  if (versionOf(program) === versionOf(await programOf(place, run))) return UNCHANGED;
  throwIfAskedAgain(run);
  refuseUnprovable(program, { options: run.options, requirements: program.requirements });
  await throwIfPlaceIsLost(place, run, program);
  const replacement = await putReplacement(place.files, run.id, program);
  const consent = consentFor(run, program);
  const { detail } = awaitingApproval({ ...run, ...consent });
  return { patch: { ...replacedBy(program, replacement, run), ...consent, detail }, events: [programEvent(program)] };
}

/** Its program is partly executed: another one would begin before that, or leave it out. */
export function throwIfAskedAgain({ id, askedAgain, pc }: Run): void {
  if (!askedAgain) return;
  throw new UserError(`Run ${id} has executed or inherited a part of its program, which cannot be replaced any more.`, {
    exitCode: 2,
    field: "program",
    remedy: { command: "fork", args: [id, "--at", String(Math.max(1, pc - 1)), "--program", "<file>"] },
  });
}

export function throwIfNotAwaitingApproval(run: Run): void {
  const { id, status, approved, cancelRequested } = run;
  if (waitsForApproval(run) && !cancelRequested) return;
  const fields = { exitCode: 2, remedy: { command: isEnded(status) ? "status" : "watch", args: [id] } };
  if (waitsForApproval(run))
    throw new UserError(`Run ${id} is being cancelled.`, { ...fields, remedy: { command: "cancel", args: [id] } });
  const person = { command: waitsForAnswer(run) ? "answer" : "resume", args: [id] };
  const remedy = waitsForPerson(run) ? person : fields.remedy;
  if (approved) {
    throw new UserError(`The program of run ${id} was approved already; it is ${status} now.`, { ...fields, remedy });
  }
  throw new UserError(`Run ${id} does not wait for approval: it is ${statusText(run)}.`, { ...fields, remedy });
}
