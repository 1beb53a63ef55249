import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { catcherOf, createRetries } from "./asl-retry.ts";
import { Retrier } from "./asl-schema.ts";

const retrier = (fields: object): Retrier => Retrier.parse(fields);
const failure = (error: string) => ({ error });

describe("retrying", () => {
  it("waits longer each time, up to the longest delay, and then no more", () => {
    const all = retrier({ ErrorEquals: ["States.ALL"], IntervalSeconds: 2, BackoffRate: 3, MaxDelaySeconds: 10 });
    const delayAfter = createRetries([all], () => 0.5);
    expect([1, 2, 3, 4].map(() => delayAfter(failure("E")))).toEqual([2000, 6000, 10_000, undefined]);
  });

  it("counts each retrier for itself, and never falls through to a later one", () => {
    const first = retrier({ ErrorEquals: ["A", "B"], MaxAttempts: 2 });
    const rest = retrier({ ErrorEquals: ["States.ALL"], IntervalSeconds: 5 });
    const delayAfter = createRetries([first, rest], () => 0);
    const delays = ["A", "B", "C", "B"].map((error) => delayAfter(failure(error)));
    expect(delays).toEqual([1000, 2000, 5000, undefined]);
  });

  it("with full jitter waits anything from nothing to the delay", () => {
    const seconds = fc.integer({ min: 1, max: 1000 });
    fc.assert(
      fc.property(seconds, seconds, fc.double({ min: 0, max: 1, noNaN: true }), (interval, longest, chance) => {
        const fields = {
          ErrorEquals: ["E"],
          IntervalSeconds: interval,
          MaxDelaySeconds: longest,
          JitterStrategy: "FULL",
        };
        const delayMs = createRetries([retrier(fields)], () => chance)(failure("E"));
        expect(delayMs).toBe(Math.round(Math.min(interval, longest) * 1000 * chance));
      }),
    );
  });

  it("takes States.TaskFailed for everything but a time-out", () => {
    const retriers = [retrier({ ErrorEquals: ["States.TaskFailed"] })];
    expect(createRetries(retriers, () => 0)(failure("Anything"))).toBe(1000);
    expect(createRetries(retriers, () => 0)(failure("States.Timeout"))).toBeUndefined();
  });

  it.each(["States.Runtime", "States.DataLimitExceeded"])(
    "neither retries nor catches %s, not even by its name",
    (error) => {
      const ErrorEquals = [error, "States.ALL"];
      expect(createRetries([retrier({ ErrorEquals })], () => 0)(failure(error))).toBeUndefined();
      expect(catcherOf([{ ErrorEquals, Next: "X" }], failure(error))).toBeUndefined();
    },
  );

  it("catches with the first catcher that names the error", () => {
    const catchers = [
      { ErrorEquals: ["A"], Next: "X" },
      { ErrorEquals: ["States.ALL"], Next: "Y" },
    ];
    expect(catcherOf(catchers, failure("A"))?.Next).toBe("X");
    expect(catcherOf(catchers, failure("B"))?.Next).toBe("Y");
  });
});
