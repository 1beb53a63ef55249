/** The accepted steps of a run, each with the tree that it left: what becomes commits. */
import type { Run } from "../../core/run/run.ts";
import type { ChainLink } from "../../files/git/commit-chain.ts";
import { stepMessage } from "../../files/git/step-message.ts";
import type { Tree } from "../../files/git/tree-entries.ts";
import type { Connection } from "./connection.ts";

type Source = Pick<Connection, "output" | "program">;

export const startingTreeOf = async (source: Source, run: Run): Promise<Tree> =>
  run.options.from && run.packed >= 0 ? source.output(run, 0) : new Map();

export async function* acceptedSteps(source: Source, run: Run): AsyncIterable<ChainLink> {
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
