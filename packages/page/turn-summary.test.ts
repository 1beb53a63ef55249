import { describe, expect, it } from "vitest";
import type { TurnRecord } from "../../lib/core/turn/turn.ts";
import { costOf, marksOf } from "./turn-summary.ts";

const aTurn = (over: Partial<TurnRecord>): TurnRecord => ({
  ...{ instruction: 1, turn: 2, epoch: 1, attempt: 1, segment: 0, state: "committed", at: "2026-01-01T00:00:00.000Z" },
  ...{ inputTokens: 2_076, cachedTokens: 0, outputTokens: 814, microUsd: 5, milliseconds: 10, changes: [] },
  outcome: "tools",
  ...over,
});
const said = (over: Partial<TurnRecord>, before?: TurnRecord): string[] =>
  marksOf(aTurn(over), before).map(({ text }) => text);

describe("a turn in a line", () => {
  it("shows that the gate refused the instruction, and why", () => {
    const found = { errors: 1, passed: 3, failed: 2 };
    expect(said({ refused: "tests", found })).toEqual(["refused: 2 tests failed"]);
    expect(said({ refused: "syntax and tests", found })).toEqual(["refused: 1 syntax error, 2 tests failed"]);
    expect(said({ refused: "locked tests" })).toEqual(["refused: locked tests weakened"]);
    expect(said({ refused: "summary is missing" })).toEqual(["refused: summary is missing"]);
    expect(marksOf(aTurn({ refused: "tests" }))).toEqual([{ text: "refused: tests", kind: "bad" }]);
  });

  it("shows amended tests, findings and acceptance", () => {
    expect(said({ amended: ["test/a.test.js", "b"] })).toEqual(["amended test/a.test.js", "amended b"]);
    expect(said({ found: { errors: 0, passed: 1, failed: 0 }, outcome: "accepted" })).toEqual([
      "1 test passed",
      "accepted",
    ]);
    expect(said({ found: { errors: 2, passed: 1, failed: 1 } })).toEqual(["2 syntax errors", "1 test failed"]);
  });

  it("shows other outcomes, and the start of a new conversation", () => {
    expect(said({ outcome: "cut" })).toEqual(["cut off at the output limit"]);
    expect(said({ segment: 1 }, aTurn({ turn: 1 }))).toEqual(["new conversation"]);
    expect(said({}, aTurn({ turn: 1 }))).toEqual([]);
  });

  it("shows its cost", () => {
    expect(costOf(aTurn({}))).toBe("2.08k in · 814 out · $0.0000 · 0 s");
    expect(costOf(aTurn({ cachedTokens: 1_000, microUsd: 30_000 }))).toContain(
      "2.08k in (1k cached) · 814 out · $0.03",
    );
  });
});
