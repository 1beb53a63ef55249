/** The time of this computer. */
import type { Clock } from "../core/ports.ts";

export const systemClock: Clock = { now: () => Date.now(), steady: () => performance.now(), sleep };

/** A longer timer would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  for (let left = milliseconds; left > 0; left -= LONGEST_TIMER_MS) {
    await timer(Math.min(left, LONGEST_TIMER_MS), signal);
  }
}

function timer(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = () => {
      clearTimeout(timeout);
      reject(signal?.reason);
    };
    const timeout = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", abort, { once: true });
  });
}
