/** Computes runs in this process, a few at a time, until it is told to stop. */
import type { Run } from "../core/run.ts";

export interface ComputeQueue {
  add(runId: string): void;
  /** Interrupts what is computed and what waits for it; answers how many runs are kept to be resumed. */
  stop(): Promise<number>;
}

export interface QueueParts {
  compute: (runId: string, signal: AbortSignal) => Promise<Run>;
  atOnce: number;
  onEnd: (run: Run) => void;
  onFailure: (runId: string, error: unknown) => void;
}

export function createComputeQueue({ compute, atOnce, onEnd, onFailure }: QueueParts): ComputeQueue {
  const stopping = new AbortController();
  const waiting: string[] = [];
  const working = new Map<string, Promise<void>>();

  const work = async (runId: string): Promise<void> => {
    try {
      onEnd(await compute(runId, stopping.signal));
    } catch (error) {
      onFailure(runId, error);
    }
    working.delete(runId);
    begin();
  };
  const begin = (): void => {
    const ready = waiting.find((runId) => !working.has(runId));
    if (ready === undefined || (working.size >= atOnce && !stopping.signal.aborted)) return;
    waiting.splice(waiting.indexOf(ready), 1);
    working.set(ready, work(ready));
    begin();
  };

  return {
    add(runId) {
      if (!waiting.includes(runId)) waiting.push(runId);
      begin();
    },
    async stop() {
      const kept = new Set([...waiting, ...working.keys()]).size;
      stopping.abort();
      begin();
      while (working.size > 0) await Promise.all(working.values());
      return kept;
    },
  };
}
