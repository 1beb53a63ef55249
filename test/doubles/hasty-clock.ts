/** The system's time, but naps take none: retries wait 45 seconds at most. Longer ones are time-outs, which must not come early. */
import type { Clock } from "../../lib/core/ports.ts";
import { systemClock } from "../../lib/host/system-clock.ts";

const NAP_MS = 50_000;

let napped = 0;

export const hastyClock: Clock = {
  now: systemClock.now,
  steady: () => systemClock.steady() + napped,
  async sleep(milliseconds, signal) {
    signal?.throwIfAborted();
    if (milliseconds > NAP_MS) return systemClock.sleep(milliseconds, signal);
    napped += milliseconds;
    // A loop of naps must not stop timers and reads.
    await new Promise((resolve) => setImmediate(resolve));
  },
};

/** Goes on by itself, and further where the test says so. */
export function laterClock() {
  let later = 0;
  return {
    ...hastyClock,
    now: () => hastyClock.now() + later,
    advance: (milliseconds: number) => {
      later += milliseconds;
    },
  };
}
