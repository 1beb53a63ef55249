/** Conditions `proven` that could never hold are refused with the program. */
import { UserError } from "../../core/errors.ts";
import { asksForEvidence } from "../../core/evidence/evidence-kind.ts";
import { askedWhetherProven } from "../../core/program/language/proven-condition.ts";
import type { Draft, Requirement } from "../../core/program/program.ts";

interface Given {
  options: Parameters<typeof asksForEvidence>[0]["options"];
  /** Of the program, and of the task. */
  requirements: readonly Pick<Requirement, "id">[];
}

/** Before anything is stored or paid. */
export function refuseUnprovable(program: Draft, { options, requirements }: Given): void {
  const asked = askedWhetherProven(program);
  const unknown = asked.find((id) => !requirements.some((each) => each.id === id));
  if (unknown !== undefined)
    throw refused(
      `The program asks whether ${unknown} is proven, and there is no requirement ${unknown}.`,
      "List it under the requirements of the program.",
      "program",
    );
  if (asked.length > 0 && !asksForEvidence({ options }))
    throw refused(
      "The program has a condition `proven`, and this run asks for no evidence.",
      "Give --evidence own, or use a command, tests or a file in the condition.",
      "evidence",
    );
}

const refused = (problem: string, remedy: string, field: string): UserError =>
  new UserError(`${problem} Nothing was created or changed.`, { exitCode: 2, remedy, field });
