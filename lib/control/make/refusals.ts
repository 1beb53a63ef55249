/** Why nothing can be made of a run: nothing is created then. */
import { UserError } from "../../core/errors.ts";
import { isEnded, type Run } from "../../core/run/run.ts";

/** Each is copied in one request, before the run is there. */
const VERSIONS = 5_000;

export function refuseTooMany(versions: number): void {
  if (versions <= VERSIONS) return;
  throw new UserError(
    `The steps that could be taken over wrote ${versions} versions of files; at most ${VERSIONS} can be copied. Nothing was created.`,
    { exitCode: 2, remedy: "Begin it as a new run, or go on from the files of this one: l2mac back." },
  );
}

/** Its steps are still being accepted. */
export function refuseComputed({ id, status }: Run): void {
  if (isEnded(status) || status === "waiting") return;
  throw new UserError(`Run ${id} is ${status}: it is being computed. Nothing was made of it.`, {
    exitCode: 2,
    remedy: { command: "cancel", args: [id], note: "stops it; what is accepted stays" },
  });
}

export const nothingAccepted = (run: Run): UserError =>
  new UserError(`Run ${run.id} has no accepted step: there is nothing to take over.`, {
    exitCode: 2,
    remedy: { command: "status", args: [run.id] },
  });

export const notAList = (run: Run): UserError =>
  new UserError(
    `A program with more kinds than \`do\` cannot take over steps: which ones it has is known when it is executed. Nothing was made of run ${run.id}.`,
    { exitCode: 2, remedy: "Begin it as a new run, or give a program that is a list of instructions." },
  );
