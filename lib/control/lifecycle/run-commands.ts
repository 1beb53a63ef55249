/** Submits, approves, answers, resumes, cancels and removes runs that executions compute, each started for its epoch. */
import type { Draft } from "../../core/program/program.ts";
import type { GivenAnswer } from "../../core/program/reply.ts";
import { isEnded, type Run } from "../../core/run/run.ts";
import type { World } from "../world.ts";
import { answerQuestion } from "./answer.ts";
import { approve, reject } from "./approval.ts";
import { type DeletionResult, deleteRun } from "./delete-run.ts";
import { cancel, resume } from "./resume-and-cancel.ts";
import type { Resumption } from "./resumption.ts";
import { revise } from "./revise.ts";
import { type Submission, type Submitted, submit } from "./submit.ts";

export interface ExecutionStarts {
  /** Already there is fine. */
  start(runId: string, epoch: number): Promise<void>;
}

export const createRunCommands = ({ world, executions }: { world: World; executions: ExecutionStarts }) => ({
  /** A submission that comes again starts its run again: the first may have died before it did. */
  async submit(submission: Submission): Promise<Submitted> {
    const submitted = await submit(world, submission);
    if ("run" in submitted && isDue(submitted.run)) await executions.start(submitted.run.id, submitted.run.epoch);
    return submitted;
  },
  async resume(runId: string, resumption: Resumption): Promise<Run> {
    const run = await resume(world, runId, resumption);
    if (isDue(run)) await executions.start(run.id, run.epoch);
    return run;
  },
  async approve(runId: string, program?: Draft): Promise<Run> {
    const run = await approve(world, runId, program);
    await executions.start(run.id, run.epoch);
    return run;
  },
  async revise(runId: string, feedback: string): Promise<Run> {
    const run = await revise(world, runId, feedback);
    await executions.start(run.id, run.epoch);
    return run;
  },
  /** One that comes again starts its run again: the first may have died before it did. */
  async answer(runId: string, given: GivenAnswer): Promise<Run> {
    const { run } = await answerQuestion(world, runId, given);
    if (isDue(run)) await executions.start(run.id, run.epoch);
    return run;
  },
  reject: (runId: string): Promise<Run> => reject(world, runId),
  async cancel(runId: string): Promise<Run> {
    const run = await world.registry.run(runId);
    // A waiting run is not being computed: its execution sleeps, and is fenced when it wakes.
    return cancel(world, runId, run?.status !== "waiting");
  },
  /** What cannot be removed while a request may take, the sweeper removes. */
  async remove(runId: string): Promise<DeletionResult> {
    const until = world.clock.now() + REMOVAL_MS;
    return deleteRun(world, runId, () => world.clock.now() < until);
  },
});

/** API Gateway gives up after 29 s, and the last listing may take some of them. */
const REMOVAL_MS = 12_000;

const isDue = ({ status }: Run): boolean => !isEnded(status) && status !== "waiting";
