/** What every clock must do. An adapter's test calls `describeClock` with a way to open one. */
import { describe, expect, test } from "vitest";
import type { Clock } from "../../lib/core/ports.ts";

/** Timers of Node may fire a millisecond early by its own clock. */
const TOLERANCE_MS = 2;

/** `skipsNaps`: a test double whose short sleeps take no time. */
export function describeClock(name: string, open: () => Clock, { skipsNaps = false } = {}): void {
  describe(`${name} as a clock`, () => {
    test("never goes backwards, and counts in whole or broken milliseconds since 1970", async () => {
      const clock = open();
      const times: number[] = [];
      for (let reading = 0; reading < 5; reading += 1) {
        times.push(clock.now());
        await clock.sleep(1);
      }
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(times[0]).toBeGreaterThan(Date.parse("2000-01-01"));
    });

    if (!skipsNaps) {
      test("has moved on by the time that was slept", async () => {
        const clock = open();
        const before = clock.now();
        await clock.sleep(30);
        expect(clock.now() - before).toBeGreaterThanOrEqual(30 - TOLERANCE_MS);
      });
    }

    test.each([0, -1])("does not wait for %i milliseconds", async (milliseconds) => {
      await expect(open().sleep(milliseconds)).resolves.toBeUndefined();
    });

    test("does not begin to sleep if that was aborted, and rejects with the reason", async () => {
      const reason = new Error("stopped before");
      await expect(open().sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
    });

    test("leaves nothing behind on the signal of a sleep that ended", async () => {
      const controller = new AbortController();
      await open().sleep(1, controller.signal);
      expect(() => controller.abort(new Error("too late to matter"))).not.toThrow();
    });
  });
}
