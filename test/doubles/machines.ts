/** A whole local machine in a folder of its own, with a model and an evaluator of the test's choice. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Submission } from "../../lib/control/lifecycle/submit.ts";
import type { GitServers } from "../../lib/core/git/servers.ts";
import type { Webhook } from "../../lib/core/notification/webhook.ts";
import type { Clock, Evaluator, Model } from "../../lib/core/ports.ts";
import type { ManifestSigner } from "../../lib/core/provenance/signer.ts";
import type { RunOptions } from "../../lib/core/run/option-forms.ts";
import type { Run } from "../../lib/core/run/run.ts";
import type { ModelProfile } from "../../lib/core/turn/model-profile.ts";
import { notRun, type Verdict } from "../../lib/core/verdict/verdict.ts";
import { builtInPacks } from "../../lib/files/prompt-folder.ts";
import { createDiskFiles } from "../../lib/host/disk-files.ts";
import { openSqliteTable } from "../../lib/host/sqlite-table.ts";
import { type Machine, openMachine, type Storage } from "../../lib/local/machine.ts";
import type { Telemetry } from "../../packages/telemetry/settings.ts";
import { allInRole, guardStorage, outsideRoles } from "../roles/roles.ts";
import { hastyClock } from "./hasty-clock.ts";
import { aRun } from "./runs.ts";

export interface TestMachine extends Machine {
  removeHome(): void;
}

export function aMachine(parts: {
  model?: Model;
  /** Which model answers is the run's own to say. */
  modelFor?: (run: Run) => Model;
  evaluator?: Evaluator;
  home?: string;
  loopLimit?: number;
  storage?: Storage;
  clock?: Clock;
  dailyUsd?: number;
  webhook?: Webhook;
  random?: () => number;
  git?: GitServers;
  signer?: ManifestSigner;
  telemetry?: Telemetry | undefined;
  announce?: (text: string) => void;
}): TestMachine {
  const home = parts.home ?? mkdtempSync(join(tmpdir(), "l2mac-test-"));
  const limit = parts.loopLimit === undefined ? {} : { loopLimit: parts.loopLimit };
  const machine = openMachine({
    ...limit,
    storage: guardStorage(parts.storage ?? unsynced(home)),
    home,
    ...(parts.random ? { random: parts.random } : {}),
    dailyUsd: parts.dailyUsd,
    git: parts.git,
    signer: parts.signer,
    webhook: parts.webhook,
    telemetry: parts.telemetry,
    ...(parts.announce ? { announce: parts.announce } : {}),
    clock: parts.clock ?? hastyClock,
    model: async (run) => modelOutside(modelOf(parts, run)),
    evaluator: evaluatorOutside(parts.evaluator ?? nothingToCheck),
  });
  const { submit, submitOnce, resume, approve, revise, answer, reject, cancel, remove } = machine;
  return {
    ...machine,
    ...allInRole({ submit, submitOnce, resume, approve, revise, answer, reject, cancel, remove }, "api"),
    removeHome: () => rmSync(home, { recursive: true, force: true }),
  };
}

const modelOutside = (model: Model): Model => ({ ...model, ask: outsideRoles(model.ask) });

const evaluatorOutside = (evaluator: Evaluator): Evaluator => ({
  ...evaluator,
  evaluate: outsideRoles(evaluator.evaluate),
});

/** As a machine stores, on a disk whose power is not cut: to sync each write takes longer than most tests do. */
const unsynced = (home: string): Storage => ({
  table: openSqliteTable(join(home, "registry.sqlite"), { lasting: false }),
  files: createDiskFiles(home, { lasting: false }),
});

function modelOf({ model, modelFor }: { model?: Model; modelFor?: (run: Run) => Model }, run: Run): Model {
  const found = modelFor?.(run) ?? model;
  if (!found) throw new Error("The test names no model.");
  return found;
}

export const nothingToCheck: Evaluator = {
  async evaluate(_request, signal) {
    signal?.throwIfAborted();
    return { ...notRun("nothing_to_check"), requestId: "test" };
  },
};

/** Says that everything is fine, whatever is there. */
export const alwaysGreen: Evaluator = {
  async evaluate(_request, signal) {
    signal?.throwIfAborted();
    return aVerdict({});
  },
};

export const aVerdict = (over: { syntax?: Partial<Verdict["syntax"]>; tests?: Partial<Verdict["tests"]> }): Verdict => {
  const none = notRun("nothing_to_check");
  return {
    ...none,
    requestId: "test",
    syntax: { ...none.syntax, status: "passed", reason: undefined, ...over.syntax },
    tests: { ...none.tests, status: "passed", reason: undefined, passed: 1, ...over.tests },
  };
};

export async function aSubmission(over: {
  task?: string;
  options?: Partial<RunOptions>;
  profile?: Partial<ModelProfile>;
  submission?: Partial<Submission>;
}): Promise<Omit<Submission, "owner">> {
  const options = { ...aRun().options, ...over.options };
  const packs = await builtInPacks();
  return {
    task: over.task ?? "Write three text files.",
    name: "test",
    pack: packs[options.domain],
    requirements: [],
    options,
    profile: { ...aRun().profile, ...over.profile },
    ...over.submission,
  };
}

/** Submits and computes to the end, or to where it stops. */
export async function compute(machine: Machine, submission: Omit<Submission, "owner">): Promise<Run> {
  const run = await machine.submit(submission);
  return machine.compute(run.id, new AbortController().signal);
}
