/** Calls an exported function in a thread of its own, and ends it after a while: what never returns cannot hold a test. */
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { projectRoot } from "../house-rules.ts";

export interface Call {
  /** From the top folder. */
  module: string;
  name: string;
  args: unknown[];
}

/** Of the processor, for others may keep it busy. Far above what any of these calls takes, far below what a super-linear one does. */
const LIMIT_MS = 20_000;
const LOOK_MS = 50;
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
    const before = process.cpuUsage();
    const timer = setInterval(() => {
      if (process.cpuUsage(before).user > limitMs * 1_000) resolve("terminated");
    }, LOOK_MS);
    worker.once("message", resolve);
    worker.once("error", (error) => resolve({ thrown: String(error) }));
    worker.once("exit", () => clearInterval(timer));
  }).finally(() => worker.terminate()) as Promise<Outcome>;
}
