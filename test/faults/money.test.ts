/** A part of the money experiment; `npm run faults -- money` plays all of it. */
import { describe, expect, it } from "vitest";
import { compareLanes, problemsOf } from "./money.ts";
import { playMoney } from "./money-setup.ts";
import { MONEY_SETUPS } from "./money-table.ts";

const PLAYED = new Set([
  ...["usage zero", "usage missing", "usage without output", "usage 2^53", "more cached than read", "streams cut"],
  ...["a price that rises", "kills while the model thinks", "a clock set back by a day", "a clock set on by two days"],
]);
const small = MONEY_SETUPS.filter(({ name }) => PLAYED.has(name));

describe("a run under a ceiling", () => {
  it.each(small.map((setup) => [setup.name, setup] as const))(
    "is charged and booked as it must be: %s",
    async (_, setup) => {
      expect(problemsOf(setup, await playMoney({ ...setup, parts: 6 }))).toEqual([]);
    },
  );

  it("accepts as many instructions in 16 lanes as in one where money is short, and is faster where it is not", async () => {
    const short = await compareLanes({ usd: 1.2 });
    expect(short.many.accepted).toBeGreaterThanOrEqual(short.one.accepted);
    expect(short.one.accepted).toBeGreaterThan(2);
    expect((await compareLanes({ usd: 12 }, 8)).wall).toBeLessThanOrEqual(0.35);
  });

  it.each([
    ["stopped", "a model that thinks", false],
    ["killed", "a model that thinks", false],
    ["stopped", "a server that holds its answers back", true],
    ["killed", "a server that holds its answers back", true],
  ] as const)("pays for what 16 calls have used when its process is %s, with %s", async (how, _, shows) => {
    const setup = {
      name: how,
      shows,
      lanes: 16,
      budget: { usd: 60 },
      thinksMs: 40_000,
      interruptions: [{ how, after: 30_000 }],
    };
    const played = await playMoney({ ...setup, isLeft: true });
    expect(played.calls).toBe(16);
    expect(played.booked).toBeGreaterThanOrEqual(played.charged);
    expect(played.booked).toBeLessThanOrEqual(2.5 * played.charged);
  });
});
