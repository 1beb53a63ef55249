/** The accepted steps of a run, each with the tree that it left: what becomes commits. */
import type { GitStep } from "../../core/git/servers.ts";
import type { Instruction } from "../../core/program/program.ts";
import { stepMessage } from "../../core/program/step-message.ts";
import type { Run } from "../../core/run/run.ts";
import type { RunTree } from "./run-tree.ts";

export interface StepSource {
  output(run: Run, instruction: number): Promise<RunTree>;
  program(runId: string): Promise<{ instructions: Instruction[] }>;
}

export const startingTreeOf = async (source: Pick<StepSource, "output">, run: Run): Promise<RunTree> =>
  run.options.from && run.packed >= 0 ? source.output(run, 0) : new Map();

export async function* acceptedSteps(source: StepSource, run: Run): AsyncIterable<GitStep> {
  const { instructions } = await source.program(run.id);
  const accepted = instructions
    .filter(({ status, number }) => status === "accepted" && number <= run.packed)
    .sort((one, other) => one.number - other.number);
  for (const step of accepted)
    yield {
      message: stepMessage(step, run),
      at: step.acceptedAt ?? run.createdAt,
      tree: await source.output(run, step.number),
    };
}

/** The files that a run started from, as a commit of their own. */
export const startStep = (run: Run, tree: RunTree): GitStep => ({
  message: `Start from the files of run ${run.id}\n`,
  at: run.createdAt,
  tree,
});
