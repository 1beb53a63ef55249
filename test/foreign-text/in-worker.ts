/** Calls an exported function in a thread of its own, and ends it after a time: what never returns cannot hold a test. */
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { projectRoot } from "../house-rules.ts";

export interface Call {
  /** From the top folder. */
  module: string;
  name: string;
  args: unknown[];
}

/** Far above what any of these calls takes on a busy machine, far below what a super-linear one does. */
const LIMIT_MS = 20_000;
const HEAP_MIB = 512;

const BODY = `
const { parentPort, workerData: { module, name, args } } = require("node:worker_threads");
import(module).then(async (found) => parentPort.postMessage({ value: await found[name](...args) }))
  .catch((error) => parentPort.postMessage({ thrown: String(error) }));
`;

export type Outcome = { value: unknown } | { thrown: string } | "terminated";

export function callInWorker({ module, name, args }: Call, limitMs = LIMIT_MS): Promise<Outcome> {
  const worker = new Worker(BODY, {
    eval: true,
    workerData: { module: join(projectRoot, module), name, args },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
    stderr: true,
  });
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve("terminated"), limitMs);
    worker.once("message", resolve);
    worker.once("error", (error) => resolve({ thrown: String(error) }));
    worker.once("exit", () => clearTimeout(timer));
  }).finally(() => worker.terminate()) as Promise<Outcome>;
}
