/** Wakes lanes of one process: a lane that waits for another one goes on when that one has got somewhere. */
import type { HandlerInput } from "../control/lifecycle/with-run.ts";
import type { HandlerAnswer } from "../core/program/advance.ts";

export interface LaneBell {
  /** Around an invocation of a lane. `work` takes what it calls when the lane has taken an instruction. */
  around(input: HandlerInput, work: (onTaken: () => void) => Promise<HandlerAnswer>): Promise<HandlerAnswer>;
  /** Around the wait that follows. `sleep` takes what ends it early. */
  until(lane: number, signal: AbortSignal, sleep: (signal: AbortSignal) => Promise<void>): Promise<void>;
}

interface Awaited {
  lane: number;
  /** How far it was when the lane that waits for it looked. */
  seen: number;
}

const FIRST = 1;

export function createLaneBell(): LaneBell {
  /** How often each lane has got somewhere. */
  const progress = new Map<number, number>();
  const awaited = new Map<number, Awaited>();
  const asleep = new Map<number, AbortController>();
  const reached = (lane: number): number => progress.get(lane) ?? 0;

  /** One of those that look for an instruction, and one that finds some wakes the next: to look costs more than to wait. */
  function wake(lane: number, most: number): void {
    const waiting = [...asleep].filter(([other]) => awaited.get(other)?.lane === lane);
    for (const [, sleeper] of waiting.slice(0, most)) sleeper.abort();
  }
  const onTaken = (): void => wake(FIRST, 1);

  return {
    async around({ lane = 1, last }, work) {
      awaited.delete(lane);
      const before = new Map(progress);
      let answer: HandlerAnswer | undefined;
      try {
        answer = await work(onTaken);
        if (answer.awaits !== undefined)
          awaited.set(lane, { lane: answer.awaits, seen: before.get(answer.awaits) ?? 0 });
        return answer;
      } finally {
        if (answer?.next !== "wait" || last) {
          progress.set(lane, reached(lane) + 1);
          wake(lane, answer?.next === "execute" && !last ? 1 : Number.POSITIVE_INFINITY);
        }
      }
    },
    async until(lane, signal, sleep) {
      const other = awaited.get(lane);
      if (!other) return sleep(signal);
      if (reached(other.lane) > other.seen) return;
      const woken = new AbortController();
      asleep.set(lane, woken);
      try {
        await sleep(AbortSignal.any([signal, woken.signal]));
      } catch (error) {
        if (!woken.signal.aborted) throw error;
      } finally {
        asleep.delete(lane);
      }
    },
  };
}
