/** The evaluator on AWS: the composition root of its function. It treats itself as lost once generated code ran in it. */
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Context } from "aws-lambda";
import { LONGEST_EVALUATION_MS } from "../../lib/core/limits.ts";
import { decodeEvaluation } from "../../lib/core/verdict/evaluation-wire.ts";
import type { Verdict } from "../../lib/core/verdict/verdict.ts";
import { createEvaluate, type EvaluateTree } from "../../lib/evaluator/evaluate.ts";
import { removeTree } from "../../lib/evaluator/process/remove-tree.ts";
import { fitAnswer } from "../../lib/evaluator/report/fit-answer.ts";
import { packOf } from "../../lib/pack/changes.ts";
import { createSandboxEvaluator } from "../../lib/sandbox/sandbox-evaluator.ts";
import { findToolchain } from "../../lib/sandbox/toolchain.ts";
import { createPartsFetch } from "./fetch-parts.ts";
import { createFunctionSeal, endLeftovers } from "./function-seal.ts";
import { createImageEnvironment } from "./image-environment.ts";

/** Kept for answering. */
const SPARE_MS = 10_000;
/** Packages that came with the image; there is no network to install others from. */
const IMAGE_PACKAGES = "/opt/l2mac/node_modules";

export async function handler(event: unknown, context: Context): Promise<Verdict> {
  const traceId = rootOf(process.env._X_AMZN_TRACE_ID);
  const { evaluateTree, inImage, scratch, secrets } = machine();
  const asked = await decodeEvaluation(event, async (base) => packOf(await parts.fetch(base)));
  parts.forgetOthers(asked.runId);
  // A folder for each call: another run's tree is never there to be found.
  const folder = join(scratch, randomUUID());
  mkdirSync(folder);
  try {
    const evaluator = createSandboxEvaluator({ folder, evaluateTree, install: inImage, memoryOf, now: Date.now });
    const timeoutMs = Math.min(asked.timeoutMs, LONGEST_EVALUATION_MS, context.getRemainingTimeInMillis() - SPARE_MS);
    const verdict = await evaluator.evaluate({ ...asked, timeoutMs: Math.max(0, timeoutMs) });
    const requestId = context.awsRequestId;
    return fitAnswer({ ...verdict, requestId, evaluator: { requestId, ...(traceId ? { traceId } : {}) } }, secrets);
  } finally {
    // Where some of it lives on, this place is lost: the next call gets a new one, and this one no answer.
    if (!(await endLeftovers())) process.exit(1);
    await empty(scratch);
  }
}

/** Of the last run, the packs that were fetched: they never change, so only what is new is fetched. */
const parts = createPartsFetch();

/** One run at a time, as long as this is warm: names and digests of its files, and what was found in which. */
let remembered = { runId: "" };

function memoryOf(runId: string): object {
  if (remembered.runId !== runId) remembered = { runId };
  return remembered;
}

/** Of the invocation's trace header, the part that the caller's trace shares. */
const rootOf = (header = ""): string | undefined => /(?:^|;)\s*Root=(1-[0-9a-f]{8}-[0-9a-f]{24})/.exec(header)?.[1];

let opened: ReturnType<typeof openMachine> | undefined;

function machine(): ReturnType<typeof openMachine> {
  opened ??= openMachine(process.env);
  // Lambda sets some again for each call.
  for (const name of Object.keys(process.env)) if (LAMBDAS_OWN.test(name)) delete process.env[name];
  return opened;
}

const LAMBDAS_OWN = /^(AWS_|_X_AMZN_|_HANDLER$|LAMBDA_)/;
const CREDENTIALS = /^AWS_(SECRET_ACCESS_KEY|SESSION_TOKEN|ACCESS_KEY_ID)$/;

function openMachine(env: NodeJS.ProcessEnv) {
  // The image says so of the whole folder for temporary files. Elsewhere a folder of its own is all that it wipes.
  const scratch = env.L2MAC_SCRATCH ?? mkdtempSync(join(tmpdir(), "l2mac-evaluator-"));
  const toolchain = findToolchain({ env: { PATH: env.PATH }, node: process.execPath });
  const evaluateTree: EvaluateTree = createEvaluate({
    // Lambda seals the function as a whole: no network, and credentials that can do nothing.
    seal: createFunctionSeal(),
    toolchain,
    scratch,
    now: Date.now,
    newId: randomUUID,
  });
  const secrets = Object.entries(env).flatMap(([name, value]) => (value && CREDENTIALS.test(name) ? [value] : []));
  const inImage = createImageEnvironment({
    nodeModules: IMAGE_PACKAGES,
    pythonLibraries: librariesOf(toolchain.python),
  });
  return { evaluateTree, inImage, scratch, secrets };
}

/** Found once: an image does not change. */
function librariesOf(python: string | undefined): () => string[] {
  let found: string[] | undefined;
  return () => {
    found ??= python === undefined ? [] : askLibraries(python);
    return found;
  };
}

const ASK_LIBRARIES = "import json, site; print(json.dumps(site.getsitepackages()))";
const ASK_MS = 10_000;

function askLibraries(python: string): string[] {
  const { stdout, status } = spawnSync(python, ["-I", "-c", ASK_LIBRARIES], {
    env: {},
    encoding: "utf8",
    timeout: ASK_MS,
  });
  return status === 0 ? JSON.parse(stdout) : [];
}

async function empty(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await removeTree(join(folder, name));
}
