/** The checks of the examiner at the gate of an instruction. */
import { outcomeOf } from "../../core/evidence/outcome.ts";
import type { Instruction } from "../../core/program/program.ts";
import type { Verdict } from "../../core/verdict/verdict.ts";
import type { ExaminedAtGate } from "../evidence/at-gate.ts";
import type { CheckRequest } from "../gate/evaluation.ts";
import type { OpenStep } from "../turn/open-step.ts";
import { meet } from "./meet.ts";

export function examinedAtGate(
  { world, state, document, context }: OpenStep,
  others: Instruction[],
  evaluate: (wanted: CheckRequest) => Promise<Verdict>,
): ExaminedAtGate {
  const open = others.filter(({ number, status }) => number > state.number && status !== "skipped");
  const input = { world, state, evaluate, given: document.tests ?? [], isOfTexts: false };
  return {
    isLast: !state.run.walk && open.length === 0,
    // A lane stores nothing of that. What showed too little once is not executed at each gate.
    isMetBeside: ({ check, metIn }, verdict) =>
      state.run.lane === undefined && metIn === undefined && outcomeOf(check, verdict).status === "passed",
    later: new Set(open.flatMap(({ requirements }) => requirements)),
    async meet(evidence, verdict) {
      // The gate ran the tests of this very tree: what an assertion refutes needs no second look.
      const known = outcomeOf(evidence.check, verdict);
      if (known.status === "refuted") return { outcome: known };
      const text = context.requirements.find(({ id }) => id === evidence.requirement)?.text ?? "";
      const { outcome, set } = await meet(input, { evidence, text });
      return set ? { outcome, set } : { outcome };
    },
  };
}
