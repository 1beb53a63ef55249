/** Why a run cannot be forked as it is asked to be: nothing is created then. */
import { UserError } from "../../core/errors.ts";
import { lastForkPoint } from "../../core/run/forks/fork-point.ts";
import type { Run } from "../../core/run/run.ts";
import { pluralize } from "../../core/text/format.ts";

export const noProgram = ({ id }: Run): UserError =>
  new UserError(`Run ${id} has no program yet: there is nothing to fork.`, {
    exitCode: 2,
    remedy: { command: "status", args: [id] },
  });

/** With what is accepted. */
export const noSuchPoint = (run: Run, at: string, why = ""): UserError =>
  new UserError(`Run ${run.id} cannot be forked at ${at}${why === "" ? "" : `: ${why}`}. ${pointsOf(run)}`, {
    exitCode: 2,
    remedy: { command: "log", args: [run.id], note: "shows its instructions and turns" },
    field: "at",
  });

function pointsOf(run: Run): string {
  const last = lastForkPoint(run);
  const turns = "after one of its committed turns, such as 1.2";
  if (last < 1) return `It has accepted no instruction, and can be forked ${turns}.`;
  return `It can be forked after ${last === 1 ? "instruction 1" : `instruction 1 to ${last}`}, or ${turns}.`;
}

export const nothingLeft = (run: Run, at: string): UserError =>
  new UserError(
    `Run ${run.id} has no instruction after ${at}: its program has ${pluralize(run.instructions, "instruction")}. Give a program to go on with.`,
    { exitCode: 2, remedy: { command: "fork", args: [run.id, "--at", at, "--program", "<file>"] }, field: "program" },
  );

export const factsUnknown = (run: Run, at: string): UserError =>
  new UserError(
    `Run ${run.id} cannot be forked at ${at}: the version of l2mac that computed that part did not record what a fork needs. It can be forked at ${run.pc - 1}, or at a later turn.`,
    { exitCode: 2, remedy: { command: "back", args: [run.id, "--to", String(run.pc)] }, field: "at" },
  );

/** A journal or a pack that is not what was stored. */
export const cannotCopy = (run: Run, at: string, { message }: Error): UserError =>
  new UserError(`Run ${run.id} cannot be forked at ${at}: ${message} Nothing was created.`, {
    exitCode: 2,
    remedy: { command: "replay", args: [run.id], note: "shows how far its journal can be read" },
    field: "at",
  });

/** The parts of it are about to be stored. */
export const isSplitNow = (run: Run, at: string): UserError =>
  noSuchPoint(run, at, "an instruction is being split at this moment");

/** Such a requirement is in no key of a step, so that steps would be taken over that did not know it. */
export const unservedChanged = ({ id }: Run): UserError =>
  new UserError(
    `Run ${id} was begun by make, and the new program changes a requirement that no instruction names: a fork cannot tell which steps it concerns. Nothing was created.`,
    { exitCode: 2, remedy: { command: "make", args: [id, "--program", "<file>"] } },
  );
