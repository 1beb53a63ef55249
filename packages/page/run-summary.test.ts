import { describe, expect, it } from "vitest";
import { aRun } from "../../test/doubles/runs.ts";
import {
  actionsFor,
  ceilingIn,
  ceilingWarning,
  needsMore,
  progressOf,
  raiseOf,
  reasonOf,
  spentOf,
  statusLine,
  takenOf,
  usedOf,
} from "./run-summary.ts";
import { clock } from "./words.ts";

const NOW = Date.parse("2026-01-01T12:00:00.000Z");
const options = (usd?: number) => ({
  ...({ domain: "codebase", reflect: 1, runTests: true, install: false } as const),
  budget: usd === undefined ? {} : { usd },
});

const { profile } = aRun();

describe("the head of a run", () => {
  it("says nothing twice", () => {
    expect(statusLine({ status: "completed", detail: "Completed." })).toBe("completed");
    expect(statusLine({ status: "completed", reason: "unchecked", detail: "No tests ran." })).toBe(
      "completed (unchecked): No tests ran.",
    );
    expect(statusLine({ status: "running" })).toBe("running");
    const detail = "Instruction 3 (Add up): the same calls; run_checks {} came 4 times; last verdict: 1 failed.";
    expect(statusLine({ status: "partial", reason: "trapped", detail })).toBe(
      "partial (stuck): Instruction 3 (Add up): the same calls.",
    );
  });

  it("says how far it is, what it took, and what it spent of its ceiling", () => {
    expect(progressOf({ instructions: 0, pc: 0 })).toBe("–");
    expect(progressOf({ instructions: 7, pc: 4, skipped: 1 })).toBe("2/7");
    const updatedAt = new Date(NOW - 30_000).toISOString();
    expect(takenOf({ status: "running", activeMs: 60_000, updatedAt }, NOW)).toBe("1 min 30 s");
    expect(takenOf({ status: "completed", activeMs: 60_000, updatedAt }, NOW)).toBe("1 min 0 s");
    expect(spentOf({ profile, microUsd: 830_000, options: options(5) })).toEqual({
      text: "$0.83 of $5.00",
      share: 0.166,
    });
    expect(spentOf({ profile, microUsd: 830_000, options: options() })).toEqual({ text: "$0.83" });
    const rehearsal = { ...profile, model: "rehearsal" };
    expect(spentOf({ profile: rehearsal, microUsd: 0, options: options(5) })).toEqual({ text: "$0.00" });
  });

  it("warns from 80 % of the ceiling on, while it is computed", () => {
    const run = { profile, status: "running", microUsd: 4_000_000, options: options(5) } as const;
    expect(ceilingWarning(run)).toContain("80 % of the ceiling is spent.");
    expect(ceilingWarning({ ...run, microUsd: 3_990_000 })).toBeUndefined();
    expect(ceilingWarning({ ...run, status: "completed" })).toBeUndefined();
  });
});

describe("a run in a list", () => {
  it("says until when it waits, and why it is not as it should be", () => {
    const waiting = {
      status: "waiting",
      reason: "rate_limited",
      detail: "Too fast.",
      waitUntil: "2026-01-01T12:01:30.000Z",
    } as const;
    expect(reasonOf(waiting, NOW)).toBe(`until ${clock(NOW + 90_000, NOW)}, in 1 min 30 s`);
    expect(reasonOf(waiting, NOW + 150_000)).toBe("should have continued 1 min ago");
    expect(reasonOf({ status: "failed", reason: "internal", detail: "It broke." }, NOW)).toBe("It broke.");
    expect(reasonOf({ status: "completed", detail: "Completed." }, NOW)).toBe("");
  });
});

describe("a ceiling", () => {
  it("that stopped a run is offered twice as high, any other as it is", () => {
    expect(raiseOf({ reason: "usd", options: options(5) })).toMatchObject({ ceiling: "usd", now: 5, offered: 10 });
    expect(raiseOf({ reason: "trapped", options: options(5) })).toMatchObject({ ceiling: "usd", offered: 5 });
    expect(raiseOf({ reason: "cancelled", options: options() })).toMatchObject({ offered: undefined });
    const minutes = { ...options(), budget: { usd: 5, minutes: 30 } };
    expect(raiseOf({ reason: "minutes", options: minutes })).toMatchObject({ ceiling: "minutes", offered: 60 });
    expect([needsMore({ reason: "turns" }), needsMore({ reason: "daily" })]).toEqual([true, false]);
  });

  it("is taken only where it lies above what is used, and that is said before", () => {
    const used = { microUsd: 2_500_000, inputTokens: 0, outputTokens: 0, turns: 12, activeMs: 0 };
    const run = { reason: "turns", options: { ...options(), budget: { turns: 12 } }, ...used } as const;
    expect(usedOf(run)).toBe("12 turns are used: the ceiling must be above that.");
    expect([ceilingIn(run, "12"), ceilingIn(run, "24")]).toEqual([{ problem: usedOf(run) }, { value: 24 }]);
    expect(ceilingIn(run, "12.5")).toEqual({ problem: "Ceiling in turns: enter a whole number, like 24." });
    const stuck = { reason: "trapped", options: options(5), ...used } as const;
    expect(usedOf(stuck)).toBeUndefined();
    expect(ceilingIn(stuck, "2")).toEqual({ problem: "$2.5 is used: the ceiling must be above that." });
  });
});

describe("the actions on a run", () => {
  it("follow from its status", () => {
    const none = { instructions: 0, packed: -1 };
    const some = { instructions: 7, packed: 2 };
    expect(actionsFor({ ...some, packed: 0, status: "waiting", reason: "approval" })).toEqual([
      ...["approve", "revise", "reject", "delete"],
    ]);
    expect(actionsFor({ ...some, status: "waiting", reason: "answer" })).toEqual(["answer", "cancel", "delete"]);
    expect(actionsFor({ ...some, status: "waiting", reason: "rate_limited" })).toEqual(["cancel"]);
    expect(actionsFor({ ...some, status: "running" })).toEqual(["cancel"]);
    expect(actionsFor({ ...some, status: "partial", reason: "usd" })).toEqual(["resume", "back", "fork", "delete"]);
    expect(actionsFor({ ...some, status: "waiting", reason: "interrupted" })).toEqual([
      "resume",
      "back",
      "fork",
      "delete",
    ]);
    expect(actionsFor({ ...some, status: "completed" })).toEqual(["after", "back", "fork", "delete"]);
    expect(actionsFor({ ...none, status: "completed" })).toEqual(["delete"]);
    expect(actionsFor({ ...none, status: "failed", reason: "planning" })).toEqual(["resume", "delete"]);
  });
});
