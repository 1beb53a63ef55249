/** Offers a finished step, laid onto the tree, to the gate, as the conversation that executed it did. */
import { defined } from "../../core/defined.ts";
import { mostEvidence } from "../evidence/fit-evidence.ts";
import { withoutOvertaken } from "../evidence/step-evidence.ts";
import type { TurnWorkbench } from "../turn/turn-workbench.ts";
import type { OfferedStep } from "./step-source.ts";

/** What the gate accepted only when it was offered again is offered as often here. */
const OFFERS = 3;

/** With what the step proved. Answers why it was refused. */
export async function offerToGate(
  workbench: TurnWorkbench,
  { step, evidence: gathered }: OfferedStep,
): Promise<string | undefined> {
  const most = mostEvidence(step.record.writes.length);
  const evidence = gathered.length > most ? withoutOvertaken(gathered) : gathered;
  if (evidence.length > most)
    return `it gathered ${evidence.length} pieces of evidence, and at most ${most} are taken over at once`;
  await workbench.evidence.adopt(evidence);
  const { amendments = [], summary, next, insisted } = step;
  for (const amendment of amendments) await workbench.amend(amendment);
  let refused: string | undefined;
  for (let offers = insisted ? OFFERS : 1; offers > 0; offers -= 1) {
    const { accepted, note } = await workbench.complete({ summary, ...defined({ next }) });
    if (accepted) return undefined;
    refused = note.refusal ?? note.finding ?? "it is not accepted";
  }
  return refused;
}
