import { describe, expect, it } from "vitest";
import { ago, clock, stateOf, underwayWords, waitingFor } from "./words.ts";

const NOW = Date.parse("2026-01-01T12:00:00.000Z");

describe("a waiting run", () => {
  it("says on what and until when, second by second", () => {
    const run = { status: "waiting", reason: "rate_limited", waitUntil: "2026-01-01T12:01:30.000Z" } as const;
    expect(waitingFor(run, NOW)).toBe(
      `The model server asked for a pause. It continues automatically in 1 min 30 s, at ${clock(NOW + 90_000, NOW)}.`,
    );
    expect(waitingFor(run, NOW + 60_000)).toContain("in 30 s,");
    expect(waitingFor(run, NOW + 120_000)).toContain("30 s ago. Check that the server is running.");
  });

  it("says that it needs a person, where it does", () => {
    expect(waitingFor({ status: "waiting", reason: "answer" }, NOW)).toContain("asks you a question");
    expect(waitingFor({ status: "waiting", reason: "approval" }, NOW)).toContain("needs your approval");
    expect(waitingFor({ status: "waiting", reason: "interrupted" }, NOW)).toContain("Resume the run to continue");
    expect(waitingFor({ status: "running" }, NOW)).toBeUndefined();
  });
});

describe("words", () => {
  it("are in local time, with the date if that is not today", () => {
    const local = new Date(2026, 0, 5, 14, 3, 20).getTime();
    expect(clock(local, local)).toBe("14:03:20");
    expect(clock(local, new Date(2026, 0, 6).getTime())).toBe("5 Jan 14:03:20");
    expect(clock(local, new Date(2027, 0, 5).getTime())).toBe("5 Jan 2026 14:03:20");
  });

  it("say how much a model has written, and where", () => {
    const underway = { instruction: 3, turn: 2, characters: 8_190 };
    expect(underwayWords(underway)).toBe("The model writes: 8.19k characters so far, in turn 2 of instruction 3.");
    expect(underwayWords({ ...underway, instruction: 0 })).toContain("of the planning.");
  });

  it("say how long ago something was", () => {
    expect([3_000, 42_000, 61_000, 7_200_000, 90_000_000, 259_200_000].map(ago)).toEqual([
      ...["just now", "42 s ago", "1 min ago", "2 h ago", "1 day ago", "3 days ago"],
    ]);
  });

  it("name a state with its reason", () => {
    expect(stateOf({ status: "partial", reason: "usd" })).toBe("partial (usd)");
    expect(stateOf({ status: "cancelled", reason: "cancelled" })).toBe("cancelled");
  });
});
