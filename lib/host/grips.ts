/**
 * Which runs this machine has its grip on. A run is gripped before it is there, and before it goes on, so that no other
 * process takes it for dead in the moment before it is computed.
 */
import type { Grip, RunLock } from "./run-lock.ts";

export interface Grips {
  /** The grip stays when the work is done, until the run was computed or the machine is closed. */
  keepAfter<Answer>(runId: string, work: () => Promise<Answer>): Promise<Answer | "busy">;
  whileComputing<Answer>(runId: string, work: () => Promise<Answer>): Promise<Answer | "busy">;
  /** As while it is computed, but what is kept for that stays kept: whether it is removed is still to be seen. */
  whileRemoving<Answer>(runId: string, work: () => Promise<Answer>): Promise<Answer | "busy">;
  /** Whether a live process computes the run, or is about to; one that this machine only holds is not computed. */
  isComputed(runId: string): boolean;
  /** Whether a live process has its grip on the run, this one included. */
  isGripped(runId: string): boolean;
  letGo(): void;
}

/** One grip on a run, however many of this machine's works need it at the moment. */
interface Hold {
  grip: Grip;
  works: number;
  /** For a computation still to come. */
  isKept: boolean;
  /** Computed or removed at the moment: nothing else begins. */
  isTaken: boolean;
}

export function createGrips(lock: RunLock): Grips {
  const holds = new Map<string, Hold>();

  const holding = async <Answer>(runId: string, work: (hold: Hold) => Promise<Answer>): Promise<Answer | "busy"> => {
    let hold = holds.get(runId);
    if (!hold) {
      const grip = await lock.take(runId);
      if (!grip) return "busy";
      hold = { grip, works: 0, isKept: false, isTaken: false };
      holds.set(runId, hold);
    }
    if (hold.isTaken) return "busy";
    hold.works += 1;
    try {
      return await work(hold);
    } finally {
      hold.works -= 1;
      if (hold.works === 0 && !hold.isKept) {
        holds.delete(runId);
        hold.grip.release();
      }
    }
  };

  return {
    keepAfter: (runId, work) =>
      holding(runId, async (hold) => {
        const answer = await work();
        hold.isKept = true;
        return answer;
      }),
    whileComputing: (runId, work) =>
      holding(runId, (hold) => {
        hold.isKept = false;
        return taking(hold, work);
      }),
    whileRemoving: (runId, work) => holding(runId, (hold) => taking(hold, work)),
    isComputed: (runId) => holds.get(runId)?.isTaken !== false && lock.holder(runId) !== undefined,
    isGripped: (runId) => lock.holder(runId) !== undefined,
    letGo() {
      for (const [runId, hold] of holds) {
        if (hold.isTaken) continue;
        holds.delete(runId);
        hold.grip.release();
      }
    },
  };
}

async function taking<Answer>(hold: Hold, work: () => Promise<Answer>): Promise<Answer> {
  hold.isTaken = true;
  try {
    return await work();
  } finally {
    hold.isTaken = false;
  }
}
