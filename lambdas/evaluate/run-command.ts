/** Runs one command: no shell, no environment of ours, a deadline that nothing survives, bounded output. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { performance } from "node:perf_hooks";
import { type Capture, createCapture } from "./capture.ts";

export interface Command {
  argv: string[];
  cwd: string;
  /** The whole environment: nothing of the parent's is added. */
  env: Record<string, string>;
  stdin?: string;
  timeoutMs: number;
  signal?: AbortSignal;
  /** Kept of each stream. */
  outputBytes?: number;
}

export interface CommandResult {
  /** `crashed`: a signal ended it. `not_found`: there is no such program. */
  status: "exited" | "timed_out" | "crashed" | "not_found";
  exitCode: number | null;
  signal?: string;
  stdout: string;
  stderr: string;
  truncated: boolean;
  milliseconds: number;
}

/** Enough for a stack trace at either end, little enough for a journal. */
export const OUTPUT_BYTES = 32 * 1024;
/** How long a process outside the group may hold the pipes open after the command has ended. */
const PIPE_GRACE_MS = 500;

export async function runCommand(command: Command): Promise<CommandResult> {
  const began = performance.now();
  const stdout = createCapture(command.outputBytes ?? OUTPUT_BYTES);
  const stderr = createCapture(command.outputBytes ?? OUTPUT_BYTES);
  const ending = await start(command, stdout, stderr);
  return {
    ...ending,
    stdout: stdout.text(),
    stderr: stderr.text(),
    truncated: stdout.truncated() || stderr.truncated(),
    milliseconds: Math.round(performance.now() - began),
  };
}

type Ending = Pick<CommandResult, "status" | "exitCode" | "signal">;

async function start(command: Command, stdout: Capture, stderr: Capture): Promise<Ending> {
  const [program, ...args] = command.argv;
  if (program === undefined) return failedToStart(stderr, "no program was named");
  if (command.signal?.aborted) return { status: "timed_out", exitCode: null };
  try {
    const child = spawn(program, args, {
      cwd: command.cwd,
      env: command.env,
      stdio: [command.stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      detached: true,
    });
    child.stdout?.on("data", stdout.push);
    child.stderr?.on("data", stderr.push);
    return await followed(child, command, stderr);
  } catch (problem) {
    return failedToStart(stderr, String(problem));
  }
}

/** From start to the last byte; whatever happens, the process group does not outlive this. */
async function followed(child: ChildProcess, command: Command, stderr: Capture): Promise<Ending> {
  const started = await new Promise<Error | undefined>((resolve) => {
    child.once("spawn", () => resolve(undefined));
    child.once("error", resolve);
  });
  if (started) return failedToStart(stderr, started.message);

  let late = false;
  const end = (): void => {
    late = true;
    killGroup(child);
  };
  const timer = setTimeout(end, command.timeoutMs);
  command.signal?.addEventListener("abort", end, { once: true });
  if (command.signal?.aborted) end(); // Between asking for the process and having it.
  const closed = once(child, "close");
  feed(child, command.stdin);
  const [exitCode, signal] = await exitOf(child);
  clearTimeout(timer);
  command.signal?.removeEventListener("abort", end);
  killGroup(child);
  await drained(child, closed);
  return late ? { status: "timed_out", exitCode: null } : endingOf(exitCode, signal);
}

const exitOf = (child: ChildProcess): Promise<[number | null, NodeJS.Signals | null]> =>
  new Promise((resolve) => child.once("exit", (code, signal) => resolve([code, signal])));

function feed(child: ChildProcess, stdin: string | undefined): void {
  child.stdin?.on("error", () => {}); // A program need not read what it is given.
  child.stdin?.end(stdin);
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // Nobody of the group is left.
  }
}

async function drained(child: ChildProcess, closed: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const grace = new Promise((resolve) => {
    timer = setTimeout(resolve, PIPE_GRACE_MS);
  });
  await Promise.race([closed, grace]);
  clearTimeout(timer);
  child.stdout?.destroy();
  child.stderr?.destroy();
}

function endingOf(exitCode: number | null, signal: string | null): Ending {
  const name = signal ?? signalBehind(exitCode);
  return name ? { status: "crashed", exitCode, signal: name } : { status: "exited", exitCode };
}

/** Shells and sandboxes pass a child's death on as 128 + its signal's number. */
function signalBehind(exitCode: number | null): string | undefined {
  if (exitCode === null || exitCode <= 128) return undefined;
  return FATAL.find((name) => constants.signals[name] === exitCode - 128);
}
const FATAL: NodeJS.Signals[] = ["SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS", "SIGFPE", "SIGKILL", "SIGSEGV", "SIGSYS"];

function failedToStart(stderr: Capture, why: string): Ending {
  stderr.push(Buffer.from(why));
  return { status: "not_found", exitCode: null };
}
