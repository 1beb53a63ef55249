/** Retries temporary errors, a bounded number of times and with full jitter. */
import type { Clock } from "../core/ports.ts";

export interface RetryPolicy {
  tries: number;
  firstMs: number;
  mostMs: number;
}

export interface RetryParts {
  clock: Clock;
  random: () => number;
}

export type Retry = <T>(work: () => Promise<T>, passes: (error: unknown) => boolean) => Promise<T>;

export const createRetry =
  ({ clock, random }: RetryParts, { tries, firstMs, mostMs }: RetryPolicy): Retry =>
  async (work, passes) => {
    for (let failed = 1; ; failed += 1) {
      try {
        return await work();
      } catch (error) {
        if (failed >= tries || !passes(error)) throw error;
        await clock.sleep(Math.ceil(random() * Math.min(mostMs, firstMs * 2 ** (failed - 1))));
      }
    }
  };
