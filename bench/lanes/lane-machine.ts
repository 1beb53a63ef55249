/** Computes programs with lanes in memory: a model that takes its time does so in virtual time, or in real time. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock, Evaluator, Model, ModelRequest } from "../../lib/core/ports.ts";
import { draftFromData } from "../../lib/core/program/program-text.ts";
import type { RunOptions } from "../../lib/core/run/option-forms.ts";
import type { Run } from "../../lib/core/run/run.ts";
import type { ModelProfile } from "../../lib/core/turn/model-profile.ts";
import { type Machine, openMachine } from "../../lib/local/machine.ts";
import { aVerdict } from "../../test/doubles/machines.ts";
import { lastingStorage } from "../../test/doubles/mortal-storage.ts";
import { placeOf, type Said, scriptedModel, writeFile } from "../../test/doubles/scripted-model.ts";
import { createVirtualClock } from "../../test/virtual-clock.ts";
import { submissionOf } from "../machine.ts";

export interface Part {
  id?: string;
  needs?: string[];
  text: string;
}

export const independentParts = (count: number): Part[] =>
  Array.from({ length: count }, (_, index) => ({ id: `p${index + 1}`, needs: [], text: `Write part ${index + 1}.` }));

export interface Computing {
  parts: Part[];
  options: Partial<RunOptions>;
  profile?: Partial<ModelProfile>;
  /** Each call takes so long. */
  callMs?: number;
  answer?: (request: ModelRequest) => Said;
}

export interface Lanes {
  machine: Machine;
  clock: Clock;
  /** Calls of the model so far. */
  asked: () => number;
  submit: () => Promise<Run>;
}

/** One call for an instruction: it writes its file, and completes. */
export function inOneCall(request: ModelRequest): Said {
  const { instruction } = placeOf(request);
  return { calls: [writeFile(`src/p${instruction}.txt`), ["complete_instruction", { summary: "done" }]] };
}

export async function withLanes<Result>(
  { parts, options, profile, callMs = 1, answer = inOneCall }: Computing,
  work: (lanes: Lanes) => Promise<Result>,
): Promise<Result> {
  const draft = draftFromData({ instructions: parts.map((part, index) => ({ title: `Part ${index + 1}`, ...part })) });
  if ("problem" in draft) throw new Error(draft.problem);
  const whole = await submissionOf(parts.length, profile);
  // A disk would look like nothing to do to a virtual clock: what is read from it is read before.
  const submission = { ...whole, program: draft, options: { ...whole.options, reflect: 0, ...options } };
  const clock = createVirtualClock(Date.parse("2026-01-01T08:00:00Z"));
  const home = mkdtempSync(join(tmpdir(), "l2mac-bench-"));
  const inner = scriptedModel(answer);
  let calls = 0;
  const model: Model = {
    async ask(request, signal) {
      calls += 1;
      inner.requests.length = 0;
      await clock.sleep(callMs, signal);
      return inner.ask(request, signal);
    },
  };
  const machine = openMachine({ home, model: async () => model, evaluator: green, storage: lastingStorage(), clock });
  try {
    return await work({ machine, clock, asked: () => calls, submit: () => machine.submit(submission) });
  } finally {
    machine.close();
    rmSync(home, { recursive: true, force: true });
  }
}

export const computeIn = (machine: Machine, run: Run): Promise<Run> =>
  machine.compute(run.id, new AbortController().signal);

const green: Evaluator = { evaluate: async () => aVerdict({}) };
