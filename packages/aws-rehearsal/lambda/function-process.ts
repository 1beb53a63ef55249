/** An execution environment of a function: a process that serves one invocation after the other. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { Clock } from "../../../lib/core/ports.ts";
import type { FunctionDeclaration } from "./function-declaration.ts";
import { openRuntimeApi, type RuntimeInvocation, type RuntimeReport } from "./runtime-api.ts";

export interface FunctionProcess {
  /** One at a time. The first one waits until the process has started. */
  invoke(invocation: Omit<RuntimeInvocation, "deadline">): Promise<Done>;
  /** False: another invocation needs another process. */
  isAlive(): boolean;
  /** As by kill -9, with all that it has started; the pending invocation fails. */
  stop(): Promise<void>;
  /** Of the process group. */
  pid: number | undefined;
}

export interface Done {
  report: RuntimeReport;
  /** Of a cold start. */
  initMillis: number;
  millis: number;
}

export interface ProcessParts {
  declaration: FunctionDeclaration;
  cwd: string;
  /** All that it has, once the Runtime API's address is known. */
  env: (address: string) => Record<string, string>;
  log: (output: Readable) => void;
  clock: Clock;
}

const BOOTSTRAP = fileURLToPath(new URL("bootstrap.mjs", import.meta.url));

export async function startProcess(parts: ProcessParts): Promise<FunctionProcess> {
  const { clock, declaration } = parts;
  const limitMs = declaration.properties.Timeout * 1_000;
  const api = await openRuntimeApi();
  const child = started(parts, api.address);
  const life = lifeOf(child, api.close);
  const race = { clock, limitMs, life };
  let isWarm = false;

  async function warmUp(requestId: string): Promise<RuntimeReport | undefined> {
    if (isWarm) return undefined;
    const failed = await within(race, requestId, api.ready);
    if (failed) await life.end();
    else isWarm = true;
    return failed;
  }

  return {
    async invoke(invocation) {
      const start = clock.now();
      const broken = await warmUp(invocation.requestId);
      const begin = clock.now();
      const initMillis = begin - start;
      if (broken) return { report: broken, initMillis, millis: 0 };
      const answer = api.invoke({ ...invocation, deadline: begin + limitMs });
      const report = await within(race, invocation.requestId, answer);
      return { report, initMillis, millis: clock.now() - begin };
    },
    isAlive: life.isAlive,
    stop: life.end,
    pid: child.pid,
  };
}

const started = ({ declaration, cwd, env, log }: ProcessParts, address: string): ChildProcess => {
  const child = spawn(process.execPath, [...memoryArguments(declaration), BOOTSTRAP], {
    ...{ cwd, env: env(address) },
    stdio: ["ignore", "pipe", "pipe"],
    // With whatever it starts it is a group, and ends as one.
    detached: true,
  });
  log(child.stdout);
  log(child.stderr);
  return child;
};

/** As Lambda's own runtime: nine tenths of the memory are for what the code keeps. */
const memoryArguments = ({ properties: { MemorySize } }: FunctionDeclaration): string[] => [
  `--max-old-space-size=${Math.floor(MemorySize * 0.9)}`,
];

interface Life {
  isAlive(): boolean;
  gone: Promise<{ code: number | null; signal: string | null }>;
  end(): Promise<void>;
}

function lifeOf(child: ChildProcess, afterwards: () => Promise<void>): Life {
  let isAlive = true;
  const closed = once(child, "close").then(afterwards);
  const gone = once(child, "exit").then(([code, signal]: (number | string | null)[]) => {
    isAlive = false;
    return { code: code as number | null, signal: signal as string | null };
  });
  return {
    gone,
    isAlive: () => isAlive,
    async end() {
      isAlive = false;
      killGroup(child);
      await closed;
    },
  };
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** What comes first: the work's end, the process's, or the end of its time. The last two end the process. */
async function within<T>(
  { clock, limitMs, life }: { clock: Clock; limitMs: number; life: Life },
  requestId: string,
  work: Promise<T>,
): Promise<T | RuntimeReport> {
  const over = new AbortController();
  const late = clock.sleep(limitMs, over.signal).then(() => timedOut(requestId, limitMs));
  const gone = life.gone.then(({ code, signal }) => exited(requestId, code, signal));
  const ending = Promise.race([gone, late.catch(() => gone)]).then((report) => ({ report }));
  const first = await Promise.race([work.then((value) => ({ value })), ending]);
  over.abort();
  if ("value" in first) return first.value;
  await life.end();
  return first.report;
}

export const timedOut = (requestId: string, limitMs: number): RuntimeReport =>
  ended(
    "Sandbox.Timedout",
    `RequestId: ${requestId} Error: Task timed out after ${(limitMs / 1_000).toFixed(2)} seconds`,
  );

export function exited(requestId: string, code: number | null, signal: string | null): RuntimeReport {
  const how = code === null ? `signal: ${SIGNALS[signal ?? ""] ?? signal}` : `exit status ${code}`;
  const reason = code === 0 ? "Runtime exited without providing a reason" : `Runtime exited with error: ${how}`;
  return ended("Runtime.ExitError", `RequestId: ${requestId} Error: ${reason}`);
}

const SIGNALS: Record<string, string> = { SIGKILL: "killed", SIGABRT: "aborted", SIGSEGV: "segmentation fault" };

const ended = (errorType: string, errorMessage: string): RuntimeReport => ({
  failed: true,
  payload: JSON.stringify({ errorType, errorMessage }),
});
