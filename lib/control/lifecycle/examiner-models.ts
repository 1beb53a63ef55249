/** The models that write the checks of a run, where they are others than its own: when they can be named. Pure. */
import { UserError } from "../../core/errors.ts";
import { hasExaminer } from "../../core/evidence/evidence-kind.ts";
import type { Run } from "../../core/run/run.ts";

/** Before anything is stored or spent. */
export function refuseNoExaminer({ options }: Parameters<typeof hasExaminer>[0]): void {
  if (hasExaminer({ options })) return;
  const { evidence = "off" } = options;
  throw refused(
    `--examiner-model names the model of an examiner, and with --evidence ${evidence} there is none.`,
    "Give --evidence independent or strict, or leave --examiner-model out.",
  );
}

/** Why a run that goes on cannot ask another examiner. */
export function whyNoExaminer({ toExamine, id }: Pick<Run, "toExamine" | "id">): UserError | undefined {
  if (toExamine) return undefined;
  return refused(
    `No examiner has checks to write in run ${id}, so that --examiner-model changes nothing.`,
    "Leave it out.",
  );
}

const refused = (problem: string, remedy: string): UserError =>
  new UserError(problem, { exitCode: 2, remedy, field: "examinerModel" });
