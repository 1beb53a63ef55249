/** Whether a program that the model wrote can be the run's. Pure. */

import { asksForEvidence } from "../../core/evidence/evidence-kind.ts";
import { PROGRAM_INSTRUCTIONS } from "../../core/limits.ts";
import { worstCaseSteps } from "../../core/program/language/lint/worst-case.ts";
import { type Draft, oversize, type Requirement, tooLong } from "../../core/program/program.ts";
import { programIn } from "../../core/program/program-text.ts";
import type { StepState } from "../turn/step-state.ts";

/** The task's own list of requirements is kept as it is; the model adds what no list has. */
type DraftDecision = { draft: Draft } | { problem: string };

/** Where a run asks for evidence, there must be something to prove: what names nothing is refused once. */
export const provableDraft = ({ run, entries }: Pick<StepState, "run" | "entries">, decided: DraftDecision) =>
  !asksForEvidence(run) ||
  "problem" in decided ||
  decided.draft.requirements.length > 0 ||
  entries.some(({ effects }) => effects?.results.some(({ text }) => text.includes(NOTHING_TO_PROVE)))
    ? decided
    : { problem: NOTHING_TO_PROVE };

const NOTHING_TO_PROVE =
  "It names no requirements, and this run is done when each is proven: list in `requirements` what the task asks for (R1, R2 …), and for each instruction those that it serves.";

export function acceptDraft(draft: Draft, extracted: Requirement[], steps: number | undefined): DraftDecision {
  const most = steps ?? PROGRAM_INSTRUCTIONS;
  const taken = draft.tree ? worstCaseSteps(programIn(draft)) : 0;
  if (taken > most) {
    return { problem: `It can take ${taken} steps; at most ${most} are allowed. Lower atMost, or join instructions.` };
  }
  if (draft.instructions.length > most) {
    return { problem: `${draft.instructions.length} instructions; at most ${most} are allowed. Join some of them.` };
  }
  const long = draft.instructions.findIndex(tooLong);
  if (long >= 0) return { problem: `Instruction ${long + 1} is too long; split it.` };
  const listed = new Set(extracted.map(({ id }) => id));
  const requirements = [...extracted, ...draft.requirements.filter(({ id }) => !listed.has(id))];
  const problem = requirements.map(oversize).find((each) => each !== undefined);
  if (problem) return { problem };
  const known = new Set(requirements.map(({ id }) => id));
  const unknown = new Set(
    draft.instructions.flatMap((instruction) => instruction.requirements).filter((id) => !known.has(id)),
  );
  if (unknown.size > 0) {
    return {
      problem: `There is no requirement ${[...unknown].join(", ")}; there are ${[...known].join(", ") || "none: name them in `requirements`"}.`,
    };
  }
  return { draft: { instructions: draft.instructions, requirements, ...(draft.tree ? { tree: draft.tree } : {}) } };
}
