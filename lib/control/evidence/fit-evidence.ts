/** A turn is committed by one transaction, which has a limit: what can be found again is left out first. */
import { EVENTS_PER_TURN, PROOFS_PER_TURN, TRANSACTION_WRITES } from "../../core/limits.ts";
import type { EventBody } from "../../core/run/event.ts";
import type { Commit, EvidenceUpdate } from "../../registry/commit.ts";
import type { StepEvidence } from "./step-evidence.ts";

/** Run, turn, instruction, baseline, locks, the day's ledger and who is notified. */
const OTHER_WRITES = 8;

/** What a lane gathered is taken over by one transaction, beside `paths` and as much evidence that it replaces. */
export const mostEvidence = (paths: number): number =>
  Math.max(PROOFS_PER_TURN, Math.floor((TRANSACTION_WRITES - OTHER_WRITES - paths) / 2));

export interface FittingEvidence extends Pick<Commit, "evidence" | "evidenceFound"> {
  shown: EventBody[];
}

/** `paths`: so many are changed. That a check was executed again is not needed: the next gate executes it. */
export function fitEvidence(
  gathered: Pick<StepEvidence, "gathered" | "found"> | undefined,
  { paths, events }: { paths: number; events: EventBody[] },
): FittingEvidence {
  const [evidence = [], found = []] = [gathered?.gathered(), gathered?.found()];
  const room = TRANSACTION_WRITES - OTHER_WRITES - paths - evidence.length;
  const shown = events.slice(0, Math.min(EVENTS_PER_TURN, room));
  const updates = [...found.filter(isNeeded), ...found.filter((each) => !isNeeded(each))];
  const evidenceFound = updates.slice(0, Math.max(0, room - shown.length));
  return {
    shown,
    ...(evidence.length > 0 ? { evidence } : {}),
    ...(evidenceFound.length > 0 ? { evidenceFound } : {}),
  };
}

const isNeeded = ({ set }: EvidenceUpdate): boolean =>
  set.replacedBy !== undefined || set.changed !== undefined || set.grade !== undefined;
