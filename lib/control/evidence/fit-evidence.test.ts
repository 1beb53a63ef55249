import { describe, expect, it } from "vitest";
import type { Evidence } from "../../core/evidence/evidence.ts";
import { PATHS_PER_TURN, PROOFS_PER_TURN, TRANSACTION_WRITES } from "../../core/limits.ts";
import type { EventBody } from "../../core/run/event.ts";
import type { EvidenceUpdate } from "../../registry/commit.ts";
import { fitEvidence, mostEvidence } from "./fit-evidence.ts";

const found: EvidenceUpdate[] = Array.from({ length: 60 }, (_, at) => ({
  of: { requirement: "R1", n: at + 1 },
  set: at < 55 ? {} : { replacedBy: 61 },
}));
const gathered = (proofs: number) => ({
  gathered: () => Array.from({ length: proofs }, () => ({}) as Evidence),
  found: () => found,
});
const events = Array.from({ length: 20 }, (): EventBody => ({ type: "notice", text: "it" }));

describe("what a turn commits of evidence", () => {
  it("fits one transaction beside all paths and proofs that a turn may have", () => {
    const {
      shown,
      evidence = [],
      evidenceFound = [],
    } = fitEvidence(gathered(PROOFS_PER_TURN), {
      ...{ paths: PATHS_PER_TURN, events },
    });
    expect(evidence).toHaveLength(PROOFS_PER_TURN);
    expect(shown.length).toBeGreaterThan(0);
    expect(PATHS_PER_TURN + shown.length + evidence.length + evidenceFound.length).toBeLessThan(TRANSACTION_WRITES);
  });

  it("leaves out what is found again before what is not", () => {
    const { evidenceFound = [], shown } = fitEvidence(gathered(1), { paths: 60, events });
    expect(shown).toHaveLength(12);
    expect(evidenceFound.slice(0, 5).every(({ set }) => set.replacedBy === 61)).toBe(true);
    expect(evidenceFound).toHaveLength(TRANSACTION_WRITES - 8 - 60 - 1 - 12);
  });

  it("is all of it where there is room", () => {
    expect(fitEvidence(gathered(0), { paths: 1, events: [] }).evidenceFound).toHaveLength(60);
    expect(fitEvidence(undefined, { paths: 1, events: [] })).toEqual({ shown: [] });
  });

  it("fits one transaction with what a lane gathered in several turns", () => {
    for (const paths of [0, 40, PATHS_PER_TURN]) {
      const {
        shown,
        evidence = [],
        evidenceFound = [],
      } = fitEvidence(gathered(mostEvidence(paths)), { paths, events });
      expect(evidence.length).toBeGreaterThanOrEqual(PROOFS_PER_TURN);
      expect(paths + shown.length + evidence.length + evidenceFound.length).toBeLessThan(TRANSACTION_WRITES);
    }
  });
});
