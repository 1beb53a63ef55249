/** Runs one command: no shell, no environment of ours, a deadline that nothing survives, bounded output. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { constants } from "node:os";
import { performance } from "node:perf_hooks";
import type { Readable } from "node:stream";
import type { Exceeds } from "./bounds.ts";
import { type Capture, createCapture, createLineReader } from "./capture.ts";
import { type FirstProcess, readFirstProcess } from "./first-process.ts";

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
  /** Takes each line of its output as it comes, however many there are; none is kept. */
  readLine?: (line: string) => void;
  /** It is a sandbox, which says on the descriptor after the usual three what its first process is. */
  saysFirst?: true;
  /** The file with the sandbox's filter of system calls, which it reads from the descriptor after that one. */
  filter?: string;
  /** Asked while a sandbox runs: why it must be ended, if it must. */
  exceeds?: Exceeds;
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

export type Ending = Pick<CommandResult, "status" | "exitCode" | "signal">;

async function start(command: Command, stdout: Capture, stderr: Capture): Promise<Ending> {
  const [program, ...args] = command.argv;
  if (program === undefined) return failedToStart(stderr, "no program was named");
  if (command.signal?.aborted) return { status: "timed_out", exitCode: null };
  try {
    const { cwd, env } = command;
    const first = command.stdin === undefined ? "ignore" : "pipe";
    const child = withFilter(command, (more) =>
      spawn(program, args, { cwd, env, stdio: [first, "pipe", "pipe", ...more], detached: true }),
    );
    const lines = command.readLine && createLineReader(command.readLine);
    child.stdout?.on("data", (lines ?? stdout).push);
    child.stderr?.on("data", stderr.push);
    const ending = await followed(child, command, stderr);
    lines?.end();
    return ending;
  } catch (problem) {
    return failedToStart(stderr, String(problem));
  }
}

type SandboxDescriptors = Pick<Command, "saysFirst" | "filter">;

/** Starts a sandbox with what it has beside the usual three descriptors. */
export function withFilter<Started>(
  { saysFirst, filter }: SandboxDescriptors,
  start: (more: ("pipe" | "ignore" | number)[]) => Started,
): Started {
  const says = saysFirst ? "pipe" : "ignore";
  if (filter === undefined) return start(saysFirst ? [says] : []);
  // Opened for each: who reads it reads to its end.
  const file = openSync(filter, "r");
  try {
    return start([says, file]);
  } finally {
    closeSync(file);
  }
}

/** From start to the last byte; whatever happens, the process group does not outlive this. */
async function followed(child: ChildProcess, command: Command, stderr: Capture): Promise<Ending> {
  const started = await new Promise<Error | undefined>((resolve) => {
    child.once("spawn", () => resolve(undefined));
    child.once("error", resolve);
  });
  if (started) return failedToStart(stderr, started.message);

  const first = child.stdio[3] ? readFirstProcess(child.stdio[3] as Readable) : undefined;
  const closed = once(child, "close");
  const stopped = stopping(child, command, first);
  feed(child, command.stdin);
  const [exitCode, signal] = await exitOf(child);
  const why = stopped();
  killGroup(child);
  await first?.gone();
  await drained(child, closed);
  return endingOf({ exitCode, signal, why }, stderr);
}

const TOO_LATE = "there is no time left";
const LOOK_MS = 100;

type StopLimits = Pick<Command, "timeoutMs" | "signal" | "exceeds">;

/** Stops it at its time limit, at its resource limit or when it is cancelled, and returns why. */
export function stopping(child: ChildProcess, { timeoutMs, signal, exceeds }: StopLimits, first?: FirstProcess) {
  let why: string | undefined;
  const end = (reason: string): void => {
    why ??= reason;
    first?.end();
    killGroup(child);
  };
  const late = (): void => end(TOO_LATE);
  const look = (): void => {
    const pid = first?.pid();
    try {
      const reason = pid === undefined ? undefined : exceeds?.(pid);
      if (reason !== undefined) end(reason);
    } catch (problem) {
      // What is not watched must not go on, and an error of a timer would end this process instead.
      end(`it could not be watched: ${problem instanceof Error ? problem.message : String(problem)}`);
    }
  };
  const timers = [setTimeout(late, timeoutMs), ...(exceeds ? [setInterval(look, LOOK_MS)] : [])];
  signal?.addEventListener("abort", late, { once: true });
  if (signal?.aborted) late(); // Between asking for the process and having it.
  return (): string | undefined => {
    for (const timer of timers) clearInterval(timer);
    signal?.removeEventListener("abort", late);
    return why;
  };
}

export const exitOf = (child: ChildProcess): Promise<[number | null, NodeJS.Signals | null]> =>
  new Promise((resolve) => child.once("exit", (code, signal) => resolve([code, signal])));

function feed(child: ChildProcess, stdin: string | undefined): void {
  child.stdin?.on("error", () => {}); // A program need not read what it is given.
  child.stdin?.end(stdin);
}

export function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // The process group is empty.
  }
}

export async function drained(child: ChildProcess, closed: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const grace = new Promise((resolve) => {
    // Where other work held the process for longer, what has come meanwhile is read first.
    timer = setTimeout(() => setImmediate(resolve), PIPE_GRACE_MS);
  });
  await Promise.race([closed, grace]);
  clearTimeout(timer);
  child.stdout?.destroy();
  child.stderr?.destroy();
}

interface ProcessExit {
  exitCode: number | null;
  signal: string | null;
  /** Why it was stopped, where it was. */
  why: string | undefined;
}

export function endingOf({ exitCode, signal, why }: ProcessExit, stderr: Capture): Ending {
  if (why === TOO_LATE) return { status: "timed_out", exitCode: null };
  if (why !== undefined) stderr.push(Buffer.from(`\nIt was ended, because ${why}.\n`));
  const name = why === undefined ? (signal ?? signalBehind(exitCode)) : "SIGKILL";
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
