/** Computes runs in this process, a few at a time, until it is stopped. One that sleeps makes room for another. */
import { isEnded, type Run } from "../../core/run/run.ts";
import type { Asleep } from "../compute.ts";

export interface ComputeQueue {
  add(runId: string): void;
  /** Interrupts what is computed and what waits for it; answers how many runs are kept to be resumed. */
  stop(): Promise<number>;
}

export interface QueueParts {
  compute: (runId: string, signal: AbortSignal, asleep: Asleep) => Promise<Run>;
  atOnce: number;
  onEnd: (run: Run) => void;
  onFailure: (runId: string, error: unknown) => void;
}

export function createComputeQueue({ compute, atOnce, onEnd, onFailure }: QueueParts): ComputeQueue {
  const stopping = new AbortController();
  /** Runs that were interrupted. One that ends just then is none of them. */
  const interrupted = new Set<string>();
  const waiting: string[] = [];
  const working = new Map<string, Promise<void>>();
  /** So many of them sleep, or have woken and wait for room. */
  let resting = 0;
  const woken: (() => void)[] = [];

  const asleep: Asleep = async (sleep) => {
    resting += 1;
    begin();
    try {
      await sleep();
    } finally {
      await new Promise<void>((goOn) => {
        woken.push(goOn);
        begin();
      });
    }
  };

  const work = async (runId: string): Promise<void> => {
    try {
      const run = await compute(runId, stopping.signal, asleep);
      if (stopping.signal.aborted && !isEnded(run.status)) interrupted.add(runId);
      onEnd(run);
    } catch (error) {
      if (stopping.signal.aborted) interrupted.add(runId);
      onFailure(runId, error);
    }
    working.delete(runId);
    begin();
  };
  const begin = (): void => {
    while (working.size - resting < atOnce || stopping.signal.aborted) {
      const goOn = woken.shift();
      const ready = goOn ? undefined : waiting.find((runId) => !working.has(runId));
      if (goOn) {
        resting -= 1;
        goOn();
      } else if (ready !== undefined) {
        waiting.splice(waiting.indexOf(ready), 1);
        working.set(ready, work(ready));
      } else return;
    }
  };

  return {
    add(runId) {
      if (!waiting.includes(runId)) waiting.push(runId);
      begin();
    },
    async stop() {
      stopping.abort();
      begin();
      while (working.size > 0) await Promise.all(working.values());
      return interrupted.size;
    },
  };
}
