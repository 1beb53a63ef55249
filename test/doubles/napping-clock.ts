/** The system's time, but naps take a hundredth of theirs: lanes that look again and again leave time to the others. */
import type { Clock } from "../../lib/core/ports.ts";
import { systemClock } from "../../lib/host/system-clock.ts";

export const nappingClock: Clock = {
  now: systemClock.now,
  steady: systemClock.steady,
  sleep: (milliseconds, signal) => systemClock.sleep(Math.ceil(milliseconds / 100), signal),
};
