/**
 * Adopts a finished step of any source: lays what it wrote onto the tree as it is now, has the gate judge it, and
 * commits it as one turn. What is not adopted leaves the tree as it was. Nothing is committed before the gate has decided.
 */
import { inOneLine } from "../../core/step/reasons.ts";
import { NO_TIME_LEFT } from "../../core/verdict/gate.ts";
import type { Verdict } from "../../core/verdict/verdict.ts";
import type { StepResult } from "../step-result.ts";
import { type Acceptance, createTurnWorkbench } from "../turn/turn-workbench.ts";
import { commitAdopted } from "./commit-adopted.ts";
import { layWrites } from "./lay-writes.ts";
import { offerToGate } from "./offer-to-gate.ts";
import { pass } from "./pass.ts";
import type { Offer, OfferedStep } from "./step-source.ts";

export async function settleOffer(offer: NonNullable<Offer>): Promise<StepResult> {
  if ("done" in offer) return offer.done;
  if ("refused" in offer) return pass(offer.refused, { why: offer.refused.why });
  return adopt(offer.step);
}

async function adopt(offered: OfferedStep): Promise<StepResult> {
  const { opened, reasons, late } = offered;
  const { world, state } = opened;
  const problem = await layWrites(opened, offered);
  if (problem !== undefined) return pass(offered, { why: inOneLine([...new Set([...reasons, problem])]) });
  const workbench = createTurnWorkbench(opened, 1);
  const refused = await offerToGate(workbench, offered);
  const { verdicts } = workbench;
  if (late && verdicts.some(ranOutOfTime)) {
    state.tree.discard();
    await world.registry.commit(state.run, { run: late, events: [] });
    return { kind: "answer", answer: { next: "execute" } };
  }
  const why = inOneLine(reasons);
  const unproven = why === "" ? undefined : whyUnproven(workbench.acceptance());
  if (refused !== undefined)
    return pass(offered, { why: `${why || NOTHING_CHANGED}, and the gate refused it here: ${refused}`, verdicts });
  if (unproven !== undefined) return pass(offered, { why: `${why}, and ${unproven}`, verdicts });
  const { step, readings, adopted } = offered;
  await commitAdopted(opened, { step, readings, workbench, ...adopted });
  return { kind: "done", run: state.run };
}

const NOTHING_CHANGED = "nothing that it depends on changed";

const ranOutOfTime = ({ syntax, tests, command }: Verdict): boolean =>
  [syntax, tests, command].some((check) => check?.reason === NO_TIME_LEFT);

/** What changed may matter to the code: only code that was run is kept all the same. */
function whyUnproven(acceptance: Acceptance | undefined): string | undefined {
  const { unchecked = [], verdict } = acceptance ?? {};
  if (unchecked.length > 0) return `not all of it can be checked here (${unchecked.join("; ")})`;
  const hasPassed = verdict?.tests.status === "passed" || verdict?.command?.status === "passed";
  return hasPassed ? undefined : "no check ran its code here";
}
