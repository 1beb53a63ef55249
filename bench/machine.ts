/** Computes a run on a machine on disk, with a given model and an evaluator that finds everything green. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Submission } from "../lib/control/lifecycle/submit.ts";
import type { Evaluator, Model } from "../lib/core/ports.ts";
import type { Run } from "../lib/core/run/run.ts";
import type { ModelProfile } from "../lib/core/turn/model-profile.ts";
import { notRun } from "../lib/core/verdict/verdict.ts";
import { builtInPacks } from "../lib/files/prompt-folder.ts";
import { type Machine, openMachine } from "../lib/local/machine.ts";
import { rehearsalProfile } from "../lib/model/open-model.ts";

export async function runOf(asked: {
  instructions: number;
  model: Model;
  profile?: Partial<ModelProfile>;
  look?: (machine: Machine, run: Run) => Promise<void>;
}): Promise<Run> {
  return computed({ ...asked, submission: await submissionOf(asked.instructions, asked.profile) });
}

export async function computed(asked: {
  submission: Omit<Submission, "owner">;
  model: Model;
  /** Absent: one that finds everything green. */
  evaluator?: Evaluator;
  look?: (machine: Machine, run: Run) => Promise<void>;
}): Promise<Run> {
  const home = mkdtempSync(join(tmpdir(), "l2mac-bench-"));
  const machine = openMachine({ home, model: async () => asked.model, evaluator: asked.evaluator ?? green });
  try {
    const submitted = await machine.submit(asked.submission);
    const run = await machine.compute(submitted.id, new AbortController().signal);
    if (run.status !== "completed") throw new Error(`The run ended ${run.status}: ${run.detail}`);
    await asked.look?.(machine, run);
    return run;
  } finally {
    machine.close();
    rmSync(home, { recursive: true, force: true });
  }
}

const green: Evaluator = {
  async evaluate() {
    const none = notRun("nothing_to_check");
    return {
      ...none,
      requestId: "bench",
      syntax: { ...none.syntax, status: "passed" },
      tests: { ...none.tests, status: "passed", passed: 1 },
    };
  },
};

export async function submissionOf(
  count: number,
  profile: Partial<ModelProfile> = {},
): Promise<Omit<Submission, "owner">> {
  const { codebase } = await builtInPacks();
  const instructions = Array.from({ length: count }, (_, index) => ({
    title: `Part ${index + 1}`,
    text: `Write part ${index + 1}.`,
    requirements: [],
  }));
  return {
    task: "Write text files.",
    name: "bench",
    pack: codebase,
    requirements: [],
    program: { instructions, requirements: [] },
    options: { domain: "codebase", reflect: 1, runTests: true, install: false, budget: {} },
    profile: { ...rehearsalProfile(), model: "scripted", requiredToolChoice: false, ...profile },
  };
}
