/** Replays a run on a scratch copy: prompts and tools run again, with the stored answers and verdicts, and no network. */
import { resume } from "../control/change-run.ts";
import { readTask } from "../control/journal.ts";
import { type Difference, record } from "../control/recording.ts";
import { submit } from "../control/submit.ts";
import { treeHash } from "../control/tree-hash.ts";
import type { World } from "../control/world.ts";
import { UserError } from "../core/errors.ts";
import type { PromptPack } from "../core/prompt.ts";
import type { Run } from "../core/run.ts";
import { unpackTree } from "../pack/pack.ts";
import { fileStoreKeys } from "../registry/keys.ts";
import { createRegistry } from "../registry/registry.ts";
import type { ComputeEpochs } from "./compute.ts";
import { createMemoryFiles } from "./memory-files.ts";
import { openSqliteTable } from "./sqlite-table.ts";

export interface Replayed {
  treeHash: string;
  expected: string;
  turns: number;
  difference?: Difference;
}

export interface Replaying {
  world: World;
  compute: ComputeEpochs;
  run: Run;
  /** Other prompts than the run had: then the first difference is what one wants to see. */
  pack?: PromptPack | undefined;
}

export async function replayRun({ world, compute, run, pack }: Replaying): Promise<Replayed> {
  const recording = await record(world, run);
  const table = openSqliteTable(":memory:");
  const scratch: World = {
    ...world,
    registry: createRegistry({ table, clock: world.clock }),
    files: createMemoryFiles(),
    model: async () => recording.model,
    evaluator: recording.evaluator,
    inputsFor: recording.inputsFor,
  };
  try {
    const runId = await submitAgain(scratch, { world, run, pack });
    await play(scratch, { compute, runId, left: recording.left });
    const difference = recording.difference();
    return {
      treeHash: treeHash(await scratch.registry.allFiles(runId)),
      expected: treeHash(await world.registry.allFiles(run.id)),
      turns: recording.played(),
      ...(difference ? { difference } : {}),
    };
  } finally {
    table.close();
  }
}

/** The same task, program and starting files; no ceiling, since nothing is paid. */
async function submitAgain(scratch: World, { world, run, pack }: Omit<Replaying, "compute">): Promise<string> {
  const document = await readTask(world.files, run.id);
  const start = await world.files.get(fileStoreKeys(run.id).pack(0));
  const { name, owner, models } = run;
  const profile = models?.[0] ?? run.profile;
  const submitted = await submit(scratch, {
    ...document,
    ...(pack ? { pack } : {}),
    ...(start && run.options.from ? { from: unpackTree(start) } : {}),
    name,
    owner,
    profile,
    ...(models ? { models } : {}),
    options: { ...run.options, budget: {} },
  });
  if ("conflict" in submitted) throw new Error("A run without an idempotency key cannot conflict.");
  return submitted.run.id;
}

/** A run that was trapped and resumed is resumed here too, until its journal is played. */
async function play(
  scratch: World,
  playing: { compute: ComputeEpochs; runId: string; left: () => number },
): Promise<void> {
  const { compute, runId, left } = playing;
  const { signal } = new AbortController();
  for (let before = Number.POSITIVE_INFINITY; left() < before; ) {
    before = left();
    await compute(scratch, runId, signal);
    const run = await scratch.registry.run(runId);
    if (left() === 0 || run?.status === "completed") return;
    await resume(scratch, runId, {}).catch((error: unknown) => {
      if (!(error instanceof UserError)) throw error;
    });
  }
}
