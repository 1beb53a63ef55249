import { describe, expect, it } from "vitest";
import { dailyCeiling } from "./daily-ceiling.ts";

describe("fifty runs on one daily ceiling, with random costs and crashes", () => {
  it.each([
    { seed: 1, leases: false },
    { seed: 2, leases: true },
    { seed: 3, leases: true },
  ])(
    "never pass it, account for all that is charged, and use nearly all of it ($seed, leases: $leases)",
    async (asked) => {
      const played = await dailyCeiling(asked);
      expect(played.problems).toEqual([]);
      expect(played.peak).toBeLessThanOrEqual(played.limit);
      expect(played.charged).toBeLessThanOrEqual(played.spent);
      expect(played.spent).toBeGreaterThanOrEqual(0.9 * played.limit);
      expect(played.completed + played.stopped + played.leftDead).toBe(played.runs);
      for (const happened of [played.completed, played.stopped, played.kills, played.zombies, played.waits]) {
        expect(happened).toBeGreaterThan(0);
      }
    },
  );

  it("come out the same for the same seed", async () => {
    const asked = { seed: 7, runs: 10 };
    expect(await dailyCeiling(asked)).toEqual(await dailyCeiling(asked));
  });
});
