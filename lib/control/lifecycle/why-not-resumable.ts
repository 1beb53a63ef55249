/** Why a run cannot be resumed as it is asked to be, with what to do instead. */
import { UserError } from "../../core/errors.ts";
import { advance } from "../../core/program/advance.ts";
import { waitsForAnswer } from "../../core/program/question.ts";
import type { Ceiling } from "../../core/run/budget.ts";
import { higherFlag, isCeiling, usedUpCeiling } from "../../core/run/ceiling.ts";
import { hasProgram, isAllButSkipped, isEnded, lacksApproval, type Run, waitsForApproval } from "../../core/run/run.ts";
import type { Resumption } from "./resumption.ts";

export function whyNotResumable(run: Run, { budget = {}, hint }: Resumption): UserError | undefined {
  if (run.status === "completed") {
    return new UserError(`Run ${run.id} is completed; there is nothing left to do.`, {
      exitCode: 2,
      remedy: { command: "run", args: ["<task>", "--after", run.id], note: "goes on from its result" },
    });
  }
  if (run.status === "partial" && isAllButSkipped(run)) return nothingButSkipped(run);
  if (waitsForApproval(run)) {
    return new UserError(`Run ${run.id} waits for approval of its program. It was not resumed.`, {
      exitCode: 2,
      remedy: { command: "approve", args: [run.id] },
    });
  }
  if (waitsForAnswer(run)) {
    return new UserError(`Run ${run.id} waits for an answer. It was not resumed.`, {
      exitCode: 2,
      remedy: { command: "answer", args: [run.id] },
    });
  }
  if (!isEnded(run.status) && run.status !== "waiting") {
    return new UserError(`Run ${run.id} is ${run.status}: it is being computed already.`, {
      exitCode: 2,
      remedy: { command: "watch", args: [run.id] },
    });
  }
  if (hint !== undefined && !hasOpenInstruction(run)) return needsNoHint(run);
  if (isOnlyDeliveryLeft(run)) return undefined;
  const usedUp = usedUpCeiling(run, budget);
  if (usedUp) return tooLow(run, usedUp);
  const { reason } = run;
  return isCeiling(reason) && budget[reason] === undefined ? needsMore(run, reason) : undefined;
}

/** That asks no model: what is used up does not keep it from being delivered again, with what the user waived. */
export const isOnlyDeliveryLeft = (run: Run): boolean =>
  hasProgram(run) && !lacksApproval(run) && advance({ ...run, status: "running" }) === "deliver";

/** Planning counts as one. */
const hasOpenInstruction = (run: Run): boolean =>
  !hasProgram(run) || (run.pc <= run.instructions && !run.skipping && !run.question && !lacksApproval(run));

const needsNoHint = ({ id }: Run): UserError =>
  new UserError(`Run ${id} is at no instruction that a hint could help. It was not resumed.`, {
    exitCode: 2,
    remedy: { command: "resume", args: [id] },
    field: "hint",
  });

const nothingButSkipped = ({ id }: Run): UserError =>
  new UserError(`Run ${id} has computed all but what was skipped; there is nothing left to go on with.`, {
    exitCode: 2,
    remedy: {
      command: "get",
      args: [id],
      note: "then start a new run for what was skipped, with --from and that folder",
    },
  });

const tooLow = (run: Run, { ceiling, problem }: { ceiling: Ceiling; problem: string }): UserError =>
  new UserError(problem, {
    exitCode: 2,
    remedy: { command: "resume", args: [run.id, ...higherFlag(run, ceiling)] },
    field: `budget.${ceiling}`,
  });

const needsMore = (run: Run, ceiling: Ceiling): UserError =>
  new UserError(`Run ${run.id} reached its ceiling (${run.detail ?? ceiling}) and needs a higher one to go on.`, {
    exitCode: 2,
    remedy: { command: "resume", args: [run.id, ...higherFlag(run, ceiling)] },
  });
