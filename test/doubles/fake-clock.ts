/** A clock that advances only through `advance` and `sleep`. */
import type { Clock } from "../../lib/core/ports.ts";

export interface FakeClock extends Clock {
  advance(milliseconds: number): void;
  slept: number[];
}

export function fakeClock(start = Date.parse("2026-01-01T00:00:00Z")): FakeClock {
  let now = start;
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    steady: () => now,
    advance: (milliseconds) => {
      now += milliseconds;
    },
    sleep: async (milliseconds, signal) => {
      signal?.throwIfAborted();
      slept.push(milliseconds);
      now += milliseconds;
    },
  };
}
