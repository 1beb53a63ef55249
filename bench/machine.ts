/** A machine on disk whose model answers at once and whose evaluator says that all is well. */
import { rmSync } from "node:fs";
import type { Model } from "../lib/core/ports.ts";
import type { Run } from "../lib/core/run/run.ts";
import type { ModelProfile } from "../lib/core/turn/model-profile.ts";
import type { Machine } from "../lib/local/machine.ts";
import { alwaysGreen, aMachine, aSubmission, compute } from "../test/doubles/machines.ts";
import { programOf } from "../test/doubles/scripted-model.ts";

export async function runOf(asked: {
  instructions: number;
  model: Model;
  profile?: Partial<ModelProfile>;
  look?: (machine: Machine, run: Run) => Promise<void>;
}): Promise<Run> {
  const machine = aMachine({ model: asked.model, evaluator: alwaysGreen });
  const program = { instructions: programOf(asked.instructions), requirements: [] };
  try {
    const run = await compute(machine, await aSubmission({ profile: asked.profile ?? {}, submission: { program } }));
    if (run.status !== "completed") throw new Error(`The run ended ${run.status}: ${run.detail}`);
    await asked.look?.(machine, run);
    return run;
  } finally {
    machine.close();
    rmSync(machine.home, { recursive: true, force: true });
  }
}
