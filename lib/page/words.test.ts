import { describe, expect, it } from "vitest";
import { size, stateOf, waitingFor } from "./words.ts";

const NOW = Date.parse("2026-01-01T12:00:00.000Z");

describe("a waiting run", () => {
  it("says on what and until when, second by second", () => {
    const run = { status: "waiting", reason: "rate_limited", waitUntil: "2026-01-01T12:01:30.000Z" } as const;
    expect(waitingFor(run, NOW)).toBe(
      "The model server asked for a pause. It goes on by itself at 2026-01-01 12:01:30 UTC, in 1 min 30 s.",
    );
    expect(waitingFor(run, NOW + 60_000)).toContain("in 30 s.");
    expect(waitingFor(run, NOW + 120_000)).toContain("30 s ago: look whether the server still runs.");
  });

  it("says that it needs a person, where it does", () => {
    expect(waitingFor({ status: "waiting", reason: "approval" }, NOW)).toContain("A person has to approve");
    expect(waitingFor({ status: "waiting", reason: "interrupted" }, NOW)).toContain("until somebody resumes it");
    expect(waitingFor({ status: "running" }, NOW)).toBeUndefined();
  });
});

describe("words", () => {
  it("name a state with its reason, and sizes as people read them", () => {
    expect(stateOf({ status: "partial", reason: "usd" })).toBe("partial (usd)");
    expect(stateOf({ status: "cancelled", reason: "cancelled" })).toBe("cancelled");
    expect([12, 2_048, 5_242_880].map(size)).toEqual(["12 bytes", "2.0 KiB", "5.0 MiB"]);
  });
});
