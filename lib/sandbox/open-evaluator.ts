/** Composes the evaluator of this computer: checks in the sandbox, packages installed beside it. */
import { randomUUID } from "node:crypto";
import { mkdirSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Evaluator } from "../core/ports.ts";
import type { Environment } from "../core/prompt/environment.ts";
import { createEvaluate } from "../evaluator/evaluate.ts";
import { createInstall } from "../evaluator/packages/install.ts";
import { createReadyCheckers } from "../evaluator/ready-checkers.ts";
import { projectFile } from "../files/project-files.ts";
import { createCache } from "./cache.ts";
import { describeEnvironment } from "./describe-environment.ts";
import { bytesOf } from "./folder-bytes.ts";
import { findInstallSeal } from "./install-seal.ts";
import { readInstallerSettings } from "./installer-settings.ts";
import { openSandbox, type Sandbox } from "./sandbox.ts";
import { createSandboxEvaluator } from "./sandbox-evaluator.ts";
import { unsealed as withoutSeal } from "./seal.ts";

export interface LocalEvaluator {
  evaluator: Evaluator;
  toolchain: Sandbox["toolchain"];
  /** The names of the programs with which languages are checked. */
  programs: readonly string[];
  /** What the code that is checked finds. */
  environment(): Environment;
  /** Whether generated code is kept from everything else on this computer, and how. */
  sealed: { sealed: boolean; how: string };
}

export interface EvaluatorParts {
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  announce: (text: string) => void;
  /** Generated code may see and do what the user can, though it could be sealed off. */
  unsealed?: boolean;
  /** The Node that checks run with; absent: the one that runs this. */
  node?: string;
}

export function openEvaluator(parts: EvaluatorParts): LocalEvaluator {
  const { home, env, announce, unsealed = false, node = process.execPath } = parts;
  const cache = (name: string): string => {
    const folder = join(home, "cache", name);
    mkdirSync(folder, { recursive: true });
    return folder;
  };
  const scripts = projectFile("lib/evaluator/scripts");
  const { seal, toolchain } = openSandbox({
    folder: cache("seal"),
    env,
    node,
    uid: process.getuid?.() ?? -1,
    readable: [scripts],
    unsealed,
  });
  const shared = { toolchain, scripts, now: Date.now, newId: randomUUID };
  const checkers = createReadyCheckers();
  const evaluateTree = createEvaluate({ ...shared, seal, checkers, scratch: tmpdir(), kept: cache("kept") });
  const sealed = seal.describe();
  const place = { folder: realpathSync(cache("seal")), path: toolchain.path.split(delimiter), node: toolchain.node };
  const install = createInstall({
    ...shared,
    announce,
    folder: realpathSync(cache("environments")),
    seal: findInstallSeal({ ...place, readable: toolchain.readable }) ?? withoutSeal("there is none for installers"),
    settings: once(() => readInstallerSettings({ env, ...toolchain })),
    isOpen: !sealed.sealed,
    claim: createCache({ home, now: Date.now, bytesOf }).claim,
  });
  let environment: Environment | undefined;
  return {
    evaluator: createSandboxEvaluator({
      folder: cache("trees"),
      evaluateTree,
      install,
      release: checkers.end,
      now: Date.now,
    }),
    toolchain,
    programs: [...Object.keys(toolchain.tools), ...(toolchain.python ? ["python3"] : [])],
    environment: () => (environment ??= describeEnvironment(toolchain)),
    sealed,
  };
}

/** Asked once: settings of pip and npm do not change while a command runs. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => {
    asked ??= ask();
    return asked;
  };
}
