import { describe, expect, it } from "vitest";
import { aRun } from "../../../test/doubles/runs.ts";
import { draftFromData } from "../../core/program/program-text.ts";
import type { RunOptions } from "../../core/run/option-forms.ts";
import { consentFor, stepsIn } from "./consent.ts";

const draft = (atMost: number) => {
  const read = draftFromData({
    instructions: [{ kind: "repeat", until: { tests: true }, atMost, body: ["Repair."] }],
  });
  if ("problem" in read) throw new Error(read.problem);
  return read;
};

/** $1 and $2 a million: a usual step is 12 calls of 24,000 and 2,000 tokens, $0.336. */
const price = { input: 1, output: 2 };
const profile = { ...aRun().profile, price, contextWindow: 128_000, maxOutputTokens: 16_000 };

const asks = (steps: number, options: Partial<RunOptions> = {}, more: Partial<ReturnType<typeof aRun>> = {}) =>
  consentFor({ ...aRun(), profile, ...more, options: { ...aRun().options, budget: {}, ...options } }, draft(steps))
    .consent;

describe("a program that may cost much", () => {
  it("is asked about again for what is left: answers were no steps, and what was split is one", () => {
    const frames = (index: number) => ({ kind: "do" as const, frames: [{ at: index }] });
    expect(stepsIn([{ kind: "ask" }, { kind: "ask" }])).toBe(0);
    expect(stepsIn([{ kind: "do" }, { kind: "do" }])).toBe(2);
    const parts = [frames(1), frames(1), frames(1), frames(2)].map((each) => ({ ...each, isPart: true as const }));
    expect(stepsIn([{ kind: "do" }, ...parts])).toBe(3);
  });

  it("is asked about above $100, unless another limit is set", () => {
    expect(asks(297)).toBeUndefined();
    expect(asks(298)).toBe(
      "Waiting for approval: the program may cost up to $100.13 (298 steps in the worst case, $0.34 for a usual one (12 calls)), more than the $100.00 above which a person is asked (--ask-above). Nothing has been executed yet.",
    );
    expect(asks(3, { askAbove: 1 })).toContain("up to $1.01 (3 steps");
    expect(asks(2, { askAbove: 1 })).toBeUndefined();
    expect(asks(1, { askAbove: 0 })).toContain("more than the $0.00");
  });

  it("is not asked about where the run's budget keeps it below", () => {
    expect(asks(1_000, { budget: { usd: 100 } })).toBeUndefined();
    expect(asks(1_000, { budget: { usd: 150 } })).toContain("up to the $150.00 that its budget leaves");
    expect(asks(1_000, { budget: { usd: 150 } }, { microUsd: 50_000_000 })).toBeUndefined();
  });

  it("is never asked about with a model that costs nothing or whose price is not known", () => {
    expect(asks(10_000, { askAbove: 0 }, { profile: { ...profile, price: { input: 0, output: 0 } } })).toBeUndefined();
    expect(asks(10_000, { askAbove: 0 }, { profile: { ...profile, price: undefined } })).toBeUndefined();
  });

  it("is priced with the dearest model that may execute it", () => {
    const dear = { ...profile, model: "dear", price: { input: 10, output: 20 } };
    expect(asks(30, {}, { models: [profile, dear] })).toContain("up to $100.80 (30 steps");
  });
});
