/** Composes the evaluator of this computer: checks in the sandbox, packages installed beside it. */
import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEvaluate } from "../../lambdas/evaluate/evaluate.ts";
import { createInstall } from "../../lambdas/evaluate/install.ts";
import type { Evaluator } from "../core/ports.ts";
import { projectFile } from "./project-files.ts";
import { openSandbox, type Sandbox } from "./sandbox.ts";
import { createSandboxEvaluator } from "./sandbox-evaluator.ts";

export interface LocalEvaluator {
  evaluator: Evaluator;
  toolchain: Sandbox["toolchain"];
  /** Whether generated code is kept from everything else on this computer, and how. */
  sealed: { sealed: boolean; how: string };
}

export interface EvaluatorParts {
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  announce: (text: string) => void;
  /** The user's word that generated code may see and do what they can. */
  unsealed?: boolean;
}

export function openEvaluator({ home, env, announce, unsealed = false }: EvaluatorParts): LocalEvaluator {
  const cache = (name: string): string => {
    const folder = join(home, "cache", name);
    mkdirSync(folder, { recursive: true });
    return folder;
  };
  const scripts = projectFile("lambdas/evaluate/scripts");
  const { seal, toolchain } = openSandbox({
    folder: cache("seal"),
    env,
    node: process.execPath,
    uid: process.getuid?.() ?? -1,
    readable: [scripts],
    unsealed,
  });
  const shared = { toolchain, scripts, now: Date.now, newId: randomUUID };
  const evaluateTree = createEvaluate({ ...shared, seal, scratch: tmpdir() });
  const install = createInstall({ ...shared, folder: cache("environments"), env: installerSettings(env), announce });
  return {
    evaluator: createSandboxEvaluator({ folder: cache("trees"), evaluateTree, install, now: Date.now }),
    toolchain,
    sealed: seal.describe(),
  };
}

/** What npm and pip need to reach their registries where the way there is not plain. Nothing else goes to them. */
const INSTALLER_VARIABLE =
  /^(https?_proxy|no_proxy|all_proxy|pip_\w+|npm_config_\w*(registry|proxy|cafile)|ssl_cert_(file|dir)|requests_ca_bundle|curl_ca_bundle|node_extra_ca_certs)$/i;

const installerSettings = (env: EvaluatorParts["env"]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value && INSTALLER_VARIABLE.test(name) ? [[name, value]] : [])),
  );
