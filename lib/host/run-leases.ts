/**
 * The leases of this machine on runs. A run is leased before it is created, and before it resumes, so that no other
 * process takes it for crashed in the moment before it is computed.
 */
import type { Lease, RunLock } from "./run-lock.ts";

export interface RunLeases {
  /** Keeps the lease after the work, until the run was computed or the machine is closed. */
  holdAfter<Answer>(runId: string, work: () => Promise<Answer>): Promise<Answer | "busy">;
  whileComputing<Answer>(runId: string, work: () => Promise<Answer>): Promise<Answer | "busy">;
  /** Like `whileComputing`, but a lease that is kept stays kept: deletion may still be refused. */
  whileDeleting<Answer>(runId: string, work: () => Promise<Answer>): Promise<Answer | "busy">;
  /** Whether a live process computes the run, or is about to. A run that this machine only holds is not computed. */
  isComputed(runId: string): boolean;
  /** Whether a live process has a lease on the run, this one included. */
  isHeld(runId: string): boolean;
  releaseAll(): void;
}

/** One lease on a run, shared by everything that this machine does with it. */
interface Hold {
  lease: Lease;
  users: number;
  /** For a computation that follows. */
  isKept: boolean;
  /** The run is being computed or deleted: nothing else begins. */
  isExclusive: boolean;
}

export function createRunLeases(lock: RunLock): RunLeases {
  const holds = new Map<string, Hold>();

  const withHold = async <Answer>(runId: string, work: (hold: Hold) => Promise<Answer>): Promise<Answer | "busy"> => {
    let hold = holds.get(runId);
    if (!hold) {
      const lease = await lock.take(runId);
      if (!lease) return "busy";
      hold = { lease, users: 0, isKept: false, isExclusive: false };
      holds.set(runId, hold);
    }
    if (hold.isExclusive) return "busy";
    hold.users += 1;
    try {
      return await work(hold);
    } finally {
      hold.users -= 1;
      if (hold.users === 0 && !hold.isKept) {
        holds.delete(runId);
        hold.lease.release();
      }
    }
  };

  return {
    holdAfter: (runId, work) =>
      withHold(runId, async (hold) => {
        const answer = await work();
        hold.isKept = true;
        return answer;
      }),
    whileComputing: (runId, work) =>
      withHold(runId, (hold) => {
        hold.isKept = false;
        return exclusively(hold, work);
      }),
    whileDeleting: (runId, work) => withHold(runId, (hold) => exclusively(hold, work)),
    isComputed: (runId) => holds.get(runId)?.isExclusive !== false && lock.holder(runId) !== undefined,
    isHeld: (runId) => lock.holder(runId) !== undefined,
    releaseAll() {
      for (const [runId, hold] of holds) {
        if (hold.isExclusive) continue;
        holds.delete(runId);
        hold.lease.release();
      }
    },
  };
}

async function exclusively<Answer>(hold: Hold, work: () => Promise<Answer>): Promise<Answer> {
  hold.isExclusive = true;
  try {
    return await work();
  } finally {
    hold.isExclusive = false;
  }
}
