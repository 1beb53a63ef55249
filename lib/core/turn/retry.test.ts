import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ModelErrorKind } from "../errors.ts";
import { afterFailure, countFailure, triesOf } from "./retry.ts";

const failure = (kind: ModelErrorKind, tries: number, more: { retryAfterMs?: number; random?: number } = {}) =>
  afterFailure({ kind, tries, random: 0.5, ...more });

describe("after a failed model call", () => {
  it("sleeps a short back-off that grows with every try", () => {
    expect(failure("unavailable", 1)).toEqual({ do: "retry", afterMs: 1_000 });
    expect(failure("unavailable", 2)).toEqual({ do: "retry", afterMs: 2_000 });
    expect(failure("unavailable", 3)).toEqual({ do: "retry", afterMs: 4_000 });
  });

  it("leaves the computer for a back-off longer than a short wait", () => {
    expect(failure("unavailable", 4)).toEqual({ do: "wait", seconds: 8 });
  });

  it("does what the server asks: sleeps it when short, waits when long, rounded up", () => {
    expect(failure("rate_limited", 1, { retryAfterMs: 3_000, random: 0 })).toEqual({ do: "retry", afterMs: 3_000 });
    expect(failure("rate_limited", 1, { retryAfterMs: 7_200, random: 0 })).toEqual({ do: "wait", seconds: 8 });
  });

  it("spreads callers with the same delay, and never returns before the time asked for", () => {
    expect(failure("rate_limited", 1, { retryAfterMs: 60_000, random: 0.99 })).toEqual({ do: "wait", seconds: 66 });
    fc.assert(
      fc.property(fc.nat(86_400_000), fc.double({ min: 0, max: 0.999, noNaN: true }), (retryAfterMs, random) => {
        const next = afterFailure({ kind: "rate_limited", tries: 1, retryAfterMs, random });
        if (next.do === "give_up") throw new Error("gave up on the first try");
        const ms = next.do === "retry" ? next.afterMs : next.seconds * 1_000;
        expect(ms).toBeGreaterThanOrEqual(retryAfterMs);
      }),
    );
  });

  it("waits once for all that a server asks, up to a day, and does not spread it over hours", () => {
    const aDay = 86_400_000;
    expect(failure("rate_limited", 1, { retryAfterMs: aDay, random: 0 })).toEqual({ do: "wait", seconds: 86_400 });
    expect(failure("rate_limited", 1, { retryAfterMs: aDay, random: 0.999 })).toEqual({ do: "wait", seconds: 86_700 });
  });

  it("gives up at once where the server asks for more than a day, saying how long that is", () => {
    expect(failure("rate_limited", 1, { retryAfterMs: 86_400_001 })).toEqual({ do: "give_up", tooLongMs: 86_400_001 });
  });

  it("waits a rate limit out for six hours on average, at most five minutes at a time, then gives up", () => {
    const waited = (random: number, hasNext = false): number => {
      let seconds = 0;
      for (let tries = 1; ; tries += 1) {
        const next = afterFailure({ kind: "rate_limited", tries, random, hasNext });
        if (next.do === "give_up") return seconds;
        const now = next.do === "wait" ? next.seconds : next.afterMs / 1_000;
        expect(now).toBeLessThanOrEqual(300);
        seconds += now;
      }
    };
    expect(waited(0.5) / 3_600).toBeCloseTo(6, 0);
    // Another model may answer within minutes.
    expect(waited(0.5, true)).toBeLessThan(300);
    expect(waited(0.5, true)).toBeGreaterThan(200);
  });

  it("tries a server that is not there three times, quickly", () => {
    expect(failure("unreachable", 2, { random: 0.999 })).toEqual({ do: "retry", afterMs: 999 });
    expect(failure("unreachable", 3)).toEqual({ do: "give_up" });
  });

  it.each<ModelErrorKind>(["credentials", "unknown_model", "refused", "quota", "timed_out", "context_exceeded"])(
    "gives up at once on %s",
    (kind) => {
      expect(failure(kind, 1, { retryAfterMs: 1_000 })).toEqual({ do: "give_up" });
    },
  );
});

describe("failures since the last answer", () => {
  it("are counted apart by kind: a patient kind does not use up the tries of another", () => {
    const twice = countFailure(countFailure({ failures: 0 }, "unavailable"), "unavailable");
    expect(triesOf(twice, "broken_answer")).toBe(1);
    expect(failure("broken_answer", triesOf(twice, "broken_answer"))).toMatchObject({ do: "retry" });
    expect(triesOf(twice, "unavailable")).toBe(3);
    expect(countFailure(twice, "broken_answer")).toEqual({ failures: 3, failed: { unavailable: 2, broken_answer: 1 } });
  });

  it("begin again after an answer", () => {
    const answered = { failures: 0, failed: { unavailable: 5 } };
    expect(triesOf(answered, "unavailable")).toBe(1);
    expect(countFailure(answered, "unreachable")).toEqual({ failures: 1, failed: { unreachable: 1 } });
  });
});
