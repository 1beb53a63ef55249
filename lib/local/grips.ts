/**
 * Which runs this machine has its grip on. A run is gripped before it is there, and before it goes on, so that no other
 * process takes it for dead in the moment before it is computed.
 */
import type { Grip, RunLock } from "./run-lock.ts";

export interface Grips {
  /** The grip stays when the work is done, until the run was computed or the machine is closed. */
  keepAfter<Answer>(runId: string, work: () => Promise<Answer>): Promise<Answer | "busy">;
  whileComputing<Answer>(runId: string, work: () => Promise<Answer>): Promise<Answer | "busy">;
  /** Whether a live process computes the run, or is about to; one that this machine only holds is not computed. */
  isComputed(runId: string): boolean;
  /** Whether a live process has its grip on the run, this one included. */
  isGripped(runId: string): boolean;
  letGo(): void;
}

export function createGrips(lock: RunLock): Grips {
  const held = new Map<string, Grip>();

  const grasp = async (runId: string): Promise<Grip | undefined> => {
    const grip = held.get(runId) ?? (await lock.take(runId));
    held.delete(runId);
    return grip;
  };

  return {
    async keepAfter(runId, work) {
      const grip = await grasp(runId);
      if (!grip) return "busy";
      held.set(runId, grip);
      try {
        return await work();
      } catch (error) {
        held.delete(runId);
        grip.release();
        throw error;
      }
    },
    async whileComputing(runId, work) {
      const grip = await grasp(runId);
      if (!grip) return "busy";
      try {
        return await work();
      } finally {
        grip.release();
      }
    },
    isComputed: (runId) => !held.has(runId) && lock.holder(runId) !== undefined,
    isGripped: (runId) => lock.holder(runId) !== undefined,
    letGo() {
      for (const grip of held.values()) grip.release();
      held.clear();
    },
  };
}
