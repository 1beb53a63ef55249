import { describe, expect, it } from "vitest";
import { aRun } from "../../../test/doubles/runs.ts";
import { addOverReservation, isOverCharged } from "./over-reservation.ts";

const reserved = { microUsd: 10, tokens: 10 };
const over = (
  charged: object,
  settled: object = charged,
  before?: { calls: number; microUsd: number; tokens: number },
) =>
  addOverReservation(before, reserved, { charged: { ...reserved, ...charged }, settled: { ...reserved, ...settled } });

describe("a charge above its reservation", () => {
  it("is recorded in either unit, and one up to it is not", () => {
    expect(over({})).toBeUndefined();
    expect(over({ microUsd: 11 })).toEqual({ calls: 1, microUsd: 0, tokens: 0 });
    expect(over({ tokens: 11 }, {}, { calls: 2, microUsd: 5, tokens: 6 })).toEqual({
      calls: 3,
      microUsd: 5,
      tokens: 7,
    });
  });

  it("stays countable whatever a server claims", () => {
    const claim = over({ microUsd: Number.POSITIVE_INFINITY, tokens: 1e300 }, {});
    expect(over({ microUsd: 1e300 }, {}, claim)).toEqual({ calls: 2, microUsd: 2 ** 50, tokens: 2 ** 50 });
    expect(over({ microUsd: Number.NaN, tokens: Number.NaN })).toBeUndefined();
  });

  it("ends a run only where its ceiling is passed, the claims that no book holds counted", () => {
    const run = (spent: object, budget: object) => aRun({ ...spent, options: { ...aRun().options, budget } });
    const claims = (microUsd: number, tokens = 0) => ({ overReservation: { calls: 1, microUsd, tokens } });
    expect(isOverCharged(run({ microUsd: 900_000, ...claims(0) }, { usd: 1 }))).toBe(false);
    expect(isOverCharged(run({ microUsd: 900_000, ...claims(100_001) }, { usd: 1 }))).toBe(true);
    expect(isOverCharged(run({ inputTokens: 60, outputTokens: 40, ...claims(0, 1) }, { tokens: 100 }))).toBe(true);
    expect(isOverCharged(run({ microUsd: 9e9, ...claims(9e9) }, {}))).toBe(false);
    expect(isOverCharged(run({ microUsd: 2_000_000 }, { usd: 1 }))).toBe(false);
  });
});
