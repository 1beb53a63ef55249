/** Asks again, a bounded number of times and with full jitter, where a refusal will pass. */
import type { Clock } from "../core/ports.ts";

export interface Patience {
  tries: number;
  firstMs: number;
  mostMs: number;
}

export interface Waiting {
  clock: Clock;
  random: () => number;
}

export type Retry = <T>(work: () => Promise<T>, passes: (error: unknown) => boolean) => Promise<T>;

export const createRetry =
  ({ clock, random }: Waiting, { tries, firstMs, mostMs }: Patience): Retry =>
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
