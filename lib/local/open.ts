/** Opens the machine of this computer, with its models and its sandbox: where the command and the library begin. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Telemetry } from "../../packages/telemetry/index.ts";
import { findCredentials } from "../client/credentials.ts";
import type { Signer } from "../client/sign.ts";
import type { Submission } from "../control/lifecycle/submit.ts";
import type { GitServers } from "../core/git/servers.ts";
import type { Webhook } from "../core/notification/webhook.ts";
import type { Evaluator, Model } from "../core/ports.ts";
import type { Run } from "../core/run/run.ts";
import { projectFile } from "../files/project-files.ts";
import { createKeySigner } from "../host/signing-key.ts";
import { isRehearsal, openModel } from "../model/open-model.ts";
import type { Keys } from "../model/provider.ts";
import { createCache } from "../sandbox/cache.ts";
import { bytesOf } from "../sandbox/folder-bytes.ts";
import type { LocalEvaluator } from "../sandbox/open-evaluator.ts";
import { createPermit, type Permit, type UnsealedConsent } from "../sandbox/permission.ts";
import { type Machine, type MachineParts, openMachine } from "./machine.ts";

export interface LocalParts extends Keys {
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  /** What takes its time, in words: packages that are installed. */
  announce?: (text: string) => void;
  /** Where the model server is now; absent: where each run says. */
  baseUrl?: string | undefined;
  /** The most that all runs of this home may spend together on a UTC date. */
  dailyUsd?: number | undefined;
  /** Notified of runs. */
  webhook?: Webhook | undefined;
  /** Where the spans of runs go. */
  telemetry?: Telemetry | undefined;
  /** Whether what is written may be run where nothing seals it off. Absent: it may not, unless that was agreed before. */
  unsealed?: UnsealedConsent | undefined;
}

export interface LocalMachine extends Machine {
  /** Whether generated code is kept from everything else on this computer. */
  sealed(): Promise<LocalEvaluator["sealed"]>;
}

export function openLocalMachine(parts: LocalParts): LocalMachine {
  const { home, env, announce = () => {}, dailyUsd, webhook, telemetry, unsealed = NEVER, ...server } = parts;
  let loaded: typeof import("../sandbox/open-evaluator.ts") | undefined;
  let opened: LocalEvaluator | undefined;
  // It is a third of the program, and most commands evaluate nothing.
  const load = async (): Promise<void> => {
    loaded ??= await import("../sandbox/open-evaluator.ts");
  };
  // Trying out what seals takes a moment.
  const local = (): LocalEvaluator => {
    if (!loaded) throw new Error("The evaluator is not loaded.");
    opened ??= loaded.openEvaluator({ home, env, announce });
    return opened;
  };
  const evaluator: Evaluator = {
    async evaluate(request, signal) {
      await load();
      return local().evaluator.evaluate(request, signal);
    },
    release: async (runId) => opened?.evaluator.release?.(runId),
    programs: () => local().programs,
    describeEnvironment: () => local().environment(),
  };
  const forget = (runId: string): Promise<void> =>
    rm(join(home, "cache", "trees", runId), { recursive: true, force: true });
  const cache = createCache({ home, now: Date.now, bytesOf });
  // What cannot be cleaned now is cleaned another time.
  const tidy: MachineParts["tidy"] = (isNeeded) => cache.tidy(isNeeded).catch(() => {});
  const rehearsals = projectFile("rehearsals");
  const model = (run: Run): Promise<Model> => openModel(run, { ...server, rehearsals, signerFor: signerOf });
  const signer = createKeySigner(env);
  const machine = openMachine({
    home,
    model,
    evaluator,
    git: openGit(env),
    signer,
    dailyUsd,
    webhook,
    telemetry,
    announce,
    forget,
    tidy,
  });
  const sealed = async (): Promise<LocalEvaluator["sealed"]> => {
    await load();
    return local().sealed;
  };
  const permit = createPermit({ sealed, unsealed, platform: process.platform });
  return {
    ...permitting(machine, permit),
    async compute(runId, signal, asleep) {
      await load();
      return machine.compute(runId, signal, asleep);
    },
    sealed,
  };
}

/** Late: most runs start from no server. */
function openGit(env: LocalParts["env"]): GitServers {
  const servers = async (): Promise<GitServers> => {
    const { createOwnGitServers } = await import("../../packages/git/index.ts");
    return createOwnGitServers(env);
  };
  return {
    resolve: async (origin, signal) => (await servers()).resolve(origin, signal),
    fetch: async (origin, signal) => (await servers()).fetch(origin, signal),
    prepare: async (request, signal) => (await servers()).prepare(request, signal),
  };
}

/** Late: most runs ask no model of the caller's AWS account. */
export async function signerOf(region: string): Promise<Signer> {
  const { createSigner } = await import("../client/sign.ts");
  return createSigner({ service: "bedrock", region, credentials: findCredentials(), now: Date.now });
}

const NEVER: UnsealedConsent = { permitted: () => false };

/** Nothing of a run is begun that would run code where it may not be run. Our own scenes are known. */
function permitting(machine: Machine, permit: Permit): Machine {
  const permitted = async (runId: string): Promise<void> => {
    const run = await machine.registry.run(runId);
    if (!run || isRehearsal(run)) return;
    const { readTask } = await import("../control/program/stored-task.ts");
    const { pack } = await readTask(machine.files, runId);
    await permit({ declaration: pack.declaration, options: run.options });
  };
  const submitted = async ({ pack, options, profile }: Omit<Submission, "owner">): Promise<void> => {
    if (!isRehearsal({ profile })) await permit({ declaration: pack.declaration, options });
  };
  return {
    ...machine,
    async submit(submission) {
      await submitted(submission);
      return machine.submit(submission);
    },
    async submitOnce(submission) {
      await submitted(submission);
      return machine.submitOnce(submission);
    },
    async resume(runId, resumption) {
      await permitted(runId);
      return machine.resume(runId, resumption);
    },
    async approve(runId, program) {
      await permitted(runId);
      return machine.approve(runId, program);
    },
    async answer(runId, given) {
      await permitted(runId);
      return machine.answer(runId, given);
    },
  };
}
