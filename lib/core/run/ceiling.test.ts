import { describe, expect, it } from "vitest";
import { aRun } from "../../../test/doubles/runs.ts";
import { higherFlag, usedUpCeiling } from "./ceiling.ts";
import type { Budget } from "./option-forms.ts";

const used = { turns: 12, microUsd: 304_010, inputTokens: 900, outputTokens: 100, activeMs: 90_100 };
const run = { ...aRun(), ...used };

describe("a ceiling", () => {
  it.each([
    [{ turns: 12 }, "12 turns are used"],
    [{ turns: 5, usd: 9 }, "12 turns are used"],
    [{ usd: 0.304 }, "$0.3041 is used"],
    [{ tokens: 1_000 }, "1000 tokens are used"],
    [{ minutes: 1.5 }, "1.51 minutes are used"],
  ] satisfies [Budget, string][])("of %j is no ceiling to go on with", (budget, says) => {
    expect(usedUpCeiling(run, budget)?.problem).toBe(`${says}: the ceiling must be above that.`);
  });

  it("above what is used is one, and so is none", () => {
    expect(usedUpCeiling(run, { turns: 13, usd: 0.31, tokens: 1_001, minutes: 1.6 })).toBeUndefined();
    expect(usedUpCeiling(run, {})).toBeUndefined();
    expect(usedUpCeiling({ ...run, turns: 1 }, { turns: 1 })?.problem).toMatch(/^1 turn is used/);
  });

  it("that is suggested is always one to go on with", () => {
    const low = { ...run, activeMs: 54_000, options: { ...run.options, budget: { minutes: 0.1 } } };
    expect(higherFlag(low, "minutes")).toEqual(["--max-minutes", "2"]);
    expect(higherFlag(run, "turns")).toEqual(["--max-turns", "24"]);
  });

  it("in dollars that is suggested is enough for ten calls like the one that was refused", () => {
    const refused = {
      ...run,
      microUsd: 0,
      neededMicroUsd: 45_000,
      options: { ...run.options, budget: { usd: 0.0001 } },
    };
    expect(higherFlag(refused, "usd")).toEqual(["--budget", "0.45"]);
    expect(higherFlag({ ...refused, options: { ...run.options, budget: { usd: 5 } } }, "usd")).toEqual([
      "--budget",
      "10",
    ]);
  });
});
