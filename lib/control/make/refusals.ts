/** Why nothing can be made of a run: nothing is created then. */
import { UserError } from "../../core/errors.ts";
import type { Frames } from "../../core/program/language/frames.ts";
import { placeText } from "../../core/program/language/step-title.ts";
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

export const placeLost = (id: string, frames: Frames): UserError =>
  new UserError(
    `Run ${id} begins at ${placeText(frames)} of its program, and the new program is another one before that place. Nothing was made of it.`,
    {
      exitCode: 2,
      remedy: "Change only the instructions from there on, or make it of the whole run.",
      field: "program",
    },
  );
