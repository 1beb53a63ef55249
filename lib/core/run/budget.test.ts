import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { INVOCATION_MS } from "../limits.ts";
import type { ModelProfile } from "../turn/model-profile.ts";
import { admit, costOf, leftInWords, MICRO } from "./budget.ts";
import { secondsForRoom } from "./daily.ts";
import type { Budget } from "./option-forms.ts";

const profile = { price: { input: 2.5, cachedInput: 1.25, output: 10 }, contextWindow: 128_000 } as ModelProfile;
const nothingSpent = { microUsd: 0, inputTokens: 0, outputTokens: 0, turns: 0, activeMs: 0 };
const asked = (budget: Budget, over: object = {}) => ({
  spent: nothingSpent,
  budget,
  profile,
  inputTokens: 1_000,
  wantedOutput: 4_096,
  ...over,
});

describe("cost", () => {
  it("counts cached input at its own price and rounds up to whole micro-dollars", () => {
    expect(costOf(profile.price, { inputTokens: 1_000, cachedTokens: 400, outputTokens: 100 })).toBe(
      600 * 2.5 + 400 * 1.25 + 1_000,
    );
    expect(costOf({ input: 0.1, output: 0 }, { inputTokens: 1, cachedTokens: 0, outputTokens: 0 })).toBe(1);
  });

  it("is nothing without a price", () => {
    expect(costOf(undefined, { inputTokens: 1_000, cachedTokens: 0, outputTokens: 1_000 })).toBe(0);
  });
});

describe("admission", () => {
  it("reserves the whole input and the whole output", () => {
    expect(admit(asked({ usd: 5 }))).toEqual({
      allowed: true,
      maxOutputTokens: 4_096,
      reservation: { microUsd: 2_500 + 40_960, tokens: 5_096 },
    });
  });

  it("lowers the output limit to what is left before it refuses", () => {
    const admission = admit(asked({ usd: 0.02 }));
    expect(admission).toMatchObject({ allowed: true, maxOutputTokens: 1_749 });
  });

  it("refuses where what is left does not pay for the smallest useful answer", () => {
    expect(admit(asked({ usd: 0.01 }))).toMatchObject({ allowed: false, ceiling: "usd" });
    expect(admit(asked({ tokens: 1_900 }))).toMatchObject({ allowed: false, ceiling: "tokens" });
  });

  it("refuses at the ceiling of turns and of minutes", () => {
    expect(admit(asked({ turns: 3 }, { spent: { ...nothingSpent, turns: 3 } }))).toMatchObject({ ceiling: "turns" });
    expect(admit(asked({ minutes: 1 }, { spent: { ...nothingSpent, activeMs: 60_000 } }))).toMatchObject({
      ceiling: "minutes",
    });
  });

  it("counts what is spent already", () => {
    const spent = { ...nothingSpent, microUsd: 45_000, inputTokens: 9_000 };
    expect(admit(asked({ usd: 0.05 }, { spent }))).toMatchObject({ allowed: false, ceiling: "usd" });
    expect(admit(asked({ tokens: 10_000 }, { spent }))).toMatchObject({ allowed: false, ceiling: "tokens" });
  });

  const natural = fc.nat({ max: 200_000 });
  const call = { inputTokens: natural, wantedOutput: natural, ceiling: fc.integer({ min: 1, max: 1_000_000 }) };

  // One ceiling at a time: with both, the tighter one would hide what the other lets through.
  it("never allows a call whose worst case passes the ceiling in dollars", () => {
    fc.assert(
      fc.property(fc.record({ ...call, microUsd: natural }), ({ microUsd, inputTokens, wantedOutput, ceiling }) => {
        const spent = { ...nothingSpent, microUsd };
        const admission = admit({ spent, budget: { usd: ceiling / MICRO }, profile, inputTokens, wantedOutput });
        return !admission.allowed || microUsd + admission.reservation.microUsd <= ceiling;
      }),
    );
  });

  it("never allows a call whose worst case passes the ceiling in tokens", () => {
    fc.assert(
      fc.property(fc.record({ ...call, tokens: natural }), ({ tokens, inputTokens, wantedOutput, ceiling }) => {
        const spent = { ...nothingSpent, inputTokens: tokens };
        const admission = admit({ spent, budget: { tokens: ceiling }, profile, inputTokens, wantedOutput });
        return !admission.allowed || tokens + admission.reservation.tokens <= ceiling;
      }),
    );
  });
});

describe("admission under the daily ceiling", () => {
  const day = (over: object = {}) => ({ limitMicroUsd: 100_000, microUsd: 0, reservedMicroUsd: 0, ...over });

  it("lowers the output limit to what is left of the day before it refuses", () => {
    const admission = admit(asked({ usd: 5 }, { day: day({ microUsd: 80_000 }) }));
    expect(admission).toMatchObject({ allowed: true, maxOutputTokens: 1_749 });
  });

  it("refuses where the day's rest does not pay for the smallest useful answer, and says what would be needed", () => {
    const admission = admit(asked({}, { day: day({ microUsd: 90_000 }) }));
    expect(admission).toMatchObject({
      allowed: false,
      ceiling: "daily",
      neededMicroUsd: 2_500 + 10_240 + 1,
      mayReturn: false,
    });
  });

  it("says whether only what is in flight is in the way", () => {
    const inFlight = day({ microUsd: 99_000, reservedMicroUsd: 90_000 });
    expect(admit(asked({}, { day: inFlight }))).toMatchObject({ ceiling: "daily", mayReturn: true });
    const settled = day({ microUsd: 99_000, reservedMicroUsd: 9_000 });
    expect(admit(asked({}, { day: settled }))).toMatchObject({ ceiling: "daily", mayReturn: false });
  });

  it("says where the whole day is less than what one call could cost: waiting for the next would not help", () => {
    const refused = admit(asked({}, { day: day({ limitMicroUsd: 5_000 }) }));
    expect(refused).toMatchObject({ ceiling: "daily", isBeyondEveryDay: true });
    expect(refused).toMatchObject({ detail: expect.stringMatching(/\$0\.005, is less than .* no day has room/) });
    expect(admit(asked({}, { day: day({ microUsd: 99_000 }) }))).toMatchObject({ isBeyondEveryDay: false });
  });

  it("names the run's own ceiling where that is in the way too: tomorrow would not help", () => {
    const usedUp = day({ microUsd: 100_000 });
    expect(admit(asked({ usd: 0.001 }, { day: usedUp }))).toMatchObject({ ceiling: "usd" });
    expect(admit(asked({ tokens: 1_001 }, { day: usedUp }))).toMatchObject({ ceiling: "tokens" });
  });

  it("lets calls through that cost nothing, however much is spent", () => {
    const free = { ...profile, price: { input: 0, output: 0 } };
    expect(admit(asked({}, { profile: free, day: day({ microUsd: 200_000 }) }))).toMatchObject({ allowed: true });
  });

  it("never allows a call whose worst case passes the ceiling, nor lets a run wait for what cannot come", () => {
    const amount = fc.nat({ max: 300_000 });
    fc.assert(
      fc.property(
        fc.record({
          inputTokens: amount,
          wantedOutput: amount,
          limitMicroUsd: amount,
          microUsd: amount,
          share: fc.nat({ max: 100 }),
        }),
        ({ inputTokens, wantedOutput, limitMicroUsd, microUsd, share }) => {
          const reservedMicroUsd = Math.floor((microUsd * share) / 100);
          const account = { limitMicroUsd, microUsd, reservedMicroUsd };
          const admission = admit(asked({}, { inputTokens, wantedOutput, day: account }));
          if (admission.allowed) return microUsd + admission.reservation.microUsd <= limitMicroUsd;
          if (admission.ceiling !== "daily" || !admission.mayReturn) return true;
          const returned = { limitMicroUsd, microUsd: microUsd - reservedMicroUsd, reservedMicroUsd: 0 };
          return admit(asked({}, { inputTokens, wantedOutput, day: returned })).allowed;
        },
      ),
    );
  });
});

describe("what is left, in words", () => {
  const spent = { ...nothingSpent, microUsd: 1_000_000, turn: 2 };
  const day = (microUsd: number) => ({ limitMicroUsd: 3_000_000, microUsd, reservedMicroUsd: 0 });

  it("shows the tighter of the run's dollars and the day's", () => {
    expect(leftInWords(spent, { usd: 2 }, { turnCap: 40 })).toBe(
      "(turn 3 of at most 40 for this instruction; $1.00 left)",
    );
    expect(leftInWords(spent, { usd: 2 }, { turnCap: 40, day: day(0) })).toContain("$1.00 left)");
    expect(leftInWords(spent, { usd: 2 }, { turnCap: 40, day: day(2_500_000) })).toContain("$0.50 left today)");
    expect(leftInWords(spent, {}, { turnCap: 40, day: day(3_100_000) })).toContain("$0.00 left today)");
    expect(leftInWords(spent, {}, { turnCap: 40 })).not.toContain("$");
  });
});

describe("waiting for what others have in flight", () => {
  const at = (heldMs: number, random = 0.5) => secondsForRoom({ heldMs, random });

  it("begins with seconds, grows with the time that it lasts, and is spread by chance", () => {
    expect(at(0)).toBe(5);
    expect(at(60_000)).toBe(15);
    expect(at(600_000)).toBe(60);
    expect(at(0, 0)).toBeLessThan(at(0, 0.99) ?? 0);
  });

  it("ends when every reservation of its beginning must have been settled or written off", () => {
    expect(at(INVOCATION_MS + 419_999)).toBeDefined();
    expect(at(INVOCATION_MS + 420_000)).toBeUndefined();
  });
});
