/** Wakes lanes of one process: a lane that waits for another one goes on when that one has got somewhere. */
import type { HandlerInput } from "../control/lifecycle/with-run.ts";
import type { HandlerAnswer } from "../core/program/advance.ts";

export interface LaneBell {
  /** Around an invocation of a lane. */
  around(input: HandlerInput, work: () => Promise<HandlerAnswer>): Promise<HandlerAnswer>;
  /** Around the wait that follows. `sleep` takes what ends it early. */
  until(lane: number, signal: AbortSignal, sleep: (signal: AbortSignal) => Promise<void>): Promise<void>;
}

interface Awaited {
  lane: number;
  /** How far it was when the lane that waits for it looked. */
  seen: number;
}

export function createLaneBell(): LaneBell {
  /** How often each lane has got somewhere. */
  const progress = new Map<number, number>();
  const awaited = new Map<number, Awaited>();
  const asleep = new Map<number, AbortController>();
  const reached = (lane: number): number => progress.get(lane) ?? 0;

  function ring(lane: number): void {
    progress.set(lane, reached(lane) + 1);
    for (const [other, wake] of asleep) if (awaited.get(other)?.lane === lane) wake.abort();
  }

  return {
    async around({ lane = 1, last }, work) {
      awaited.delete(lane);
      const before = new Map(progress);
      let answer: HandlerAnswer | undefined;
      try {
        answer = await work();
        if (answer.awaits !== undefined)
          awaited.set(lane, { lane: answer.awaits, seen: before.get(answer.awaits) ?? 0 });
        return answer;
      } finally {
        if (answer?.next !== "wait" || last) ring(lane);
      }
    },
    async until(lane, signal, sleep) {
      const other = awaited.get(lane);
      if (!other) return sleep(signal);
      if (reached(other.lane) > other.seen) return;
      const wake = new AbortController();
      asleep.set(lane, wake);
      try {
        await sleep(AbortSignal.any([signal, wake.signal]));
      } catch (error) {
        if (!wake.signal.aborted) throw error;
      } finally {
        asleep.delete(lane);
      }
    },
  };
}
