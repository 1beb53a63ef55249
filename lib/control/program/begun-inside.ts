/** A run that begins inside its program, at the place of another run's step, keeps that place if it gets another program. */
import { UserError } from "../../core/errors.ts";
import { isStart, keepsPlace } from "../../core/program/language/kept-place.ts";
import { placeText } from "../../core/program/language/step-title.ts";
import type { Draft } from "../../core/program/program.ts";
import { programIn } from "../../core/program/program-text.ts";
import type { Run } from "../../core/run/run.ts";
import { type RunStores, readProgramTree } from "./stored-program.ts";

/** Why a program cannot take the place of the run's own. */
export type PlaceProblem = (draft: Draft) => string | undefined;

export async function placeProblemOf({ files }: Pick<RunStores, "files">, run: Run): Promise<PlaceProblem> {
  const { walk } = run;
  if (!walk || walk.hasStep || isStart(walk.frames)) return () => undefined;
  const own = await readProgramTree(files, run.id, walk.program);
  const place = placeText(walk.frames);
  return (draft) =>
    draft.tree && keepsPlace(own, programIn(draft), walk.frames)
      ? undefined
      : `The run begins at ${place} of its program, and the new program is another one before that place: what has been done already would be done again, or left out. Change only the instructions from there on.`;
}

export async function throwIfPlaceIsLost(place: RunStores, run: Run, draft: Draft): Promise<void> {
  const problem = (await placeProblemOf(place, run))(draft);
  if (problem === undefined) return;
  throw new UserError(problem, {
    exitCode: 2,
    field: "program",
    remedy: { command: "watch", args: [run.id], note: "prints the program that waits" },
  });
}
