/** Virtual time for many sleepers: it jumps to the next one when nothing else is left to do. */
import type { Clock } from "../../lib/core/ports.ts";

interface Sleeper {
  end: number;
  order: number;
  /** Absent: it was interrupted. */
  wake?: (() => void) | undefined;
}

export interface EventClock extends Clock {
  /** No sleep ends after it. */
  stopAt(time: number): void;
}

export function createEventClock(start: number): EventClock {
  const heap: Sleeper[] = [];
  let now = start;
  let order = 0;
  let jumpIsDue = false;
  let last = Number.POSITIVE_INFINITY;
  const jump = (): void => {
    let next = pop(heap);
    while (next && !next.wake) next = pop(heap);
    if (!next || next.end > last) {
      jumpIsDue = false;
      return;
    }
    now = Math.max(now, next.end);
    next.wake?.();
    setImmediate(jump);
  };
  return {
    now: () => now,
    steady: () => now,
    stopAt: (time) => {
      last = time;
    },
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        order += 1;
        const sleeper: Sleeper = { end: now + milliseconds, order };
        const interrupt = (): void => {
          sleeper.wake = undefined;
          reject(signal?.reason);
        };
        sleeper.wake = () => {
          signal?.removeEventListener("abort", interrupt);
          resolve();
        };
        signal?.addEventListener("abort", interrupt, { once: true });
        push(heap, sleeper);
        if (jumpIsDue) return;
        jumpIsDue = true;
        setImmediate(jump);
      }),
  };
}

const isBefore = (one: Sleeper, other: Sleeper): boolean =>
  one.end < other.end || (one.end === other.end && one.order < other.order);

function push(heap: Sleeper[], sleeper: Sleeper): void {
  let place = heap.push(sleeper) - 1;
  while (place > 0) {
    const parent = (place - 1) >> 1;
    const above = heap[parent];
    if (!above || !isBefore(sleeper, above)) break;
    heap[place] = above;
    place = parent;
  }
  heap[place] = sleeper;
}

function pop(heap: Sleeper[]): Sleeper | undefined {
  const [first] = heap;
  const last = heap.pop();
  if (!last || heap.length === 0) return first;
  let place = 0;
  for (;;) {
    const [left, right] = [heap[2 * place + 1], heap[2 * place + 2]];
    if (!left) break;
    const isRight = right !== undefined && isBefore(right, left);
    const least = isRight ? right : left;
    if (!isBefore(least, last)) break;
    heap[place] = least;
    place = 2 * place + (isRight ? 2 : 1);
  }
  heap[place] = last;
  return first;
}
