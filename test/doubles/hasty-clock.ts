/** The system's time, but naps of up to half a minute take none. Longer ones are time-outs, which must not come early. */
import type { Clock } from "../../lib/core/ports.ts";
import { systemClock } from "../../lib/local/system-clock.ts";

const NAP_MS = 30_000;

export const hastyClock: Clock = {
  now: systemClock.now,
  async sleep(milliseconds, signal) {
    signal?.throwIfAborted();
    if (milliseconds > NAP_MS) await systemClock.sleep(milliseconds, signal);
  },
};
