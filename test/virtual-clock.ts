/**
 * A clock for tests: nothing really sleeps. When nothing else is left to do, time jumps to the next sleeper's end.
 * Only for work in memory: reading a disk or a socket looks like nothing to do.
 */
import type { Clock } from "../lib/core/ports.ts";

interface Sleeper {
  end: number;
  wake: () => void;
}

export function createVirtualClock(start = 0): Clock {
  const sleepers = new Set<Sleeper>();
  let now = start;
  let jumpIsDue = false;

  const jumpWhenIdle = (): void => {
    if (jumpIsDue) return;
    jumpIsDue = true;
    setImmediate(() => {
      jumpIsDue = false;
      const [next] = [...sleepers].sort((a, b) => a.end - b.end);
      if (!next) return;
      now = next.end;
      next.wake();
      jumpWhenIdle();
    });
  };

  const sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const end = (how: () => void): void => {
        sleepers.delete(sleeper);
        signal?.removeEventListener("abort", interrupt);
        how();
      };
      const interrupt = (): void => end(() => reject(signal?.reason));
      const sleeper = { end: now + milliseconds, wake: () => end(resolve) };
      sleepers.add(sleeper);
      signal?.addEventListener("abort", interrupt);
      jumpWhenIdle();
    });

  return { now: () => now, steady: () => now, sleep };
}
