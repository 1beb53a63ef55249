/** Resumes, approves and stops runs of this computer: a process that resumes one holds it until it is computed. */
import type { AnsweredRun } from "../control/lifecycle/repeated-answer.ts";
import type { Resumption } from "../control/lifecycle/resumption.ts";
import type { World } from "../control/world.ts";
import { UserError } from "../core/errors.ts";
import type { Clock } from "../core/ports.ts";
import type { Draft } from "../core/program/program.ts";
import { waitsForAnswer } from "../core/program/question.ts";
import type { GivenAnswer } from "../core/program/reply.ts";
import { isAsleep, type Run } from "../core/run/run.ts";
import type { RunLeases } from "../host/run-leases.ts";

export interface RunChanges {
  /** Begins the next epoch; `compute` goes on with it. */
  resume(runId: string, resumption: Resumption): Promise<Run>;
  /** Begins the epoch that executes the program that waits, or this one in its place; `compute` goes on with it. */
  approve(runId: string, program?: Draft): Promise<Run>;
  /** Begins the epoch that revises the program that waits; `compute` goes on with it. */
  revise(runId: string, feedback: string): Promise<Run>;
  /** Begins the epoch that saves the answer, if it is new; `compute` goes on with it. */
  answer(runId: string, given: GivenAnswer): Promise<AnsweredRun>;
  reject(runId: string): Promise<Run>;
  cancel(runId: string): Promise<Run>;
}

/** Late: most commands only read. */
const loadApproval = () => import("../control/lifecycle/approval.ts");
const loadResume = () => import("../control/lifecycle/resume-and-cancel.ts");

export const createRunChanges = (world: World, leases: RunLeases): RunChanges => ({
  resume: (runId, resumption) =>
    onceFree(world.clock, runId, () =>
      leases.holdAfter(runId, async () => (await loadResume()).resume(world, runId, resumption)),
    ),
  approve: (runId, program) =>
    onceFree(world.clock, runId, async () => {
      await refuseApproved(world, runId);
      return leases.holdAfter(runId, async () => (await loadApproval()).approve(world, runId, program));
    }),
  async revise(runId, feedback) {
    const { revise } = await import("../control/lifecycle/revise.ts");
    return onceFree(world.clock, runId, () => leases.holdAfter(runId, () => revise(world, runId, feedback)));
  },
  async answer(runId, given) {
    const { answerQuestion } = await import("../control/lifecycle/answer.ts");
    return onceFree(world.clock, runId, async () => {
      const run = await world.registry.run(runId);
      const begin = () => answerQuestion(world, runId, given);
      // Where nothing is asked nothing begins, whether the run is computed or not.
      return run && waitsForAnswer(run) ? leases.holdAfter(runId, begin) : begin();
    });
  },
  reject: async (runId) => (await loadApproval()).reject(world, runId),
  async cancel(runId) {
    const run = await world.registry.run(runId);
    // A process that sleeps in it notices that it has ended.
    return (await loadResume()).cancel(world, runId, leases.isComputed(runId) && !(run && isAsleep(run)));
  },
});

/** Also while the run is computed: what is wrong is not that it is busy. */
async function refuseApproved({ registry }: World, runId: string): Promise<void> {
  const run = await registry.run(runId);
  if (run?.approved) (await loadApproval()).throwIfNotAwaitingApproval(run);
}

const LETTING_GO_TRIES = 20;
const LETTING_GO_MS = 50;

/** A run shows how it ended a moment before the process that computed it, perhaps this one, lets go of it. */
export async function onceFree<Answer>(
  clock: Clock,
  runId: string,
  attempt: () => Promise<Answer | "busy">,
): Promise<Answer> {
  for (let tries = 1; tries <= LETTING_GO_TRIES; tries += 1) {
    if (tries > 1) await clock.sleep(LETTING_GO_MS);
    const done = await attempt();
    if (done !== "busy") return done;
  }
  throw new UserError(`Run ${runId} is being computed by another process.`, {
    exitCode: 2,
    remedy: { command: "watch", args: [runId] },
  });
}
