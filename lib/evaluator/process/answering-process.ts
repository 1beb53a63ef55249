/** A process that answers each line of its input with one line and then waits for the next, which may never come. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Socket } from "node:net";
import type { Readable } from "node:stream";
import { defined } from "../../core/defined.ts";
import { type Capture, createCapture } from "./capture.ts";
import { type FirstProcess, readFirstProcess } from "./first-process.ts";
import {
  type Command,
  type CommandResult,
  drained,
  type Ending,
  endingOf,
  exitOf,
  killGroup,
  OUTPUT_BYTES,
  stopping,
  withFilter,
} from "./run-command.ts";

export interface AnsweringProcess {
  /** One at a time. `exited`: it answered. Anything else is how the process ended, or was ended. */
  ask(line: string, limits: AskLimits): Promise<CommandResult>;
  /** False as soon as it is being ended. */
  isAlive(): boolean;
  /** Resolves when nothing of it is left. */
  end(): Promise<void>;
}
export type AskLimits = Pick<Command, "timeoutMs" | "signal" | "outputBytes">;
export type AnsweringCommand = Pick<Command, "argv" | "cwd" | "env" | "saysFirst" | "filter" | "exceeds">;

/** While it is not asked it keeps this process from nothing, and it ends with it. */
export function startAnswering(command: AnsweringCommand): AnsweringProcess {
  const running = start(command);
  keepAwake(running.child, false);
  return {
    isAlive: running.isAlive,
    end: running.end,
    async ask(line, limits) {
      keepAwake(running.child, true);
      const result = await answerTo(line, running, { ...limits, ...defined({ exceeds: command.exceeds }) });
      keepAwake(running.child, false);
      return result;
    },
  };
}

interface RunningProcess {
  child: ChildProcess;
  first: FirstProcess | undefined;
  exited: Promise<Exit>;
  isAlive(): boolean;
  end(): Promise<void>;
  listeners: Listeners;
}
interface Listeners {
  stdout(chunk: Buffer): void;
  stderr(chunk: Buffer): void;
}
type Exit = [number | null, NodeJS.Signals | null];

function start({ argv, cwd, env, ...sandbox }: AnsweringCommand): RunningProcess {
  const [program = "", ...args] = argv;
  const child = withFilter(sandbox, (more) =>
    spawn(program, args, { cwd, env, stdio: [...PIPES, ...more], detached: true }),
  );
  const first = child.stdio[3] ? readFirstProcess(child.stdio[3] as Readable) : undefined;
  const closed = once(child, "close").catch(() => {});
  let isAlive = true;
  const failed = new Promise<Exit>((resolve) => child.once("error", () => resolve([null, null])));
  const exited = Promise.race([exitOf(child), failed]).then((exit) => {
    isAlive = false;
    return exit;
  });
  child.stdin?.on("error", () => {}); // It has ended, which is noticed.
  const end = async (): Promise<void> => {
    isAlive = false;
    keepAwake(child, true); // Else a command could end while it waits for this.
    first?.end();
    killGroup(child);
    await exited;
    await first?.gone();
    await drained(child, closed);
    keepAwake(child, false);
  };
  const running: RunningProcess = { child, first, exited, isAlive: () => isAlive, end, listeners: quiet({ end }) };
  child.stdout?.on("data", (chunk: Buffer) => running.listeners.stdout(chunk));
  child.stderr?.on("data", (chunk: Buffer) => running.listeners.stderr(chunk));
  return running;
}

/** What it says without being asked could be taken for the next answer. */
const quiet = ({ end }: Pick<RunningProcess, "end">): Listeners => ({ stdout: () => void end(), stderr: () => {} });

const PIPES = ["pipe" as const, "pipe" as const, "pipe" as const];

/** Node counts the process and each of its pipes. */
function keepAwake(child: ChildProcess, awake: boolean): void {
  const pipes = child.stdio.flatMap((each) => (each instanceof Socket && !each.destroyed ? [each] : []));
  for (const part of [child, ...pipes]) awake ? part.ref() : part.unref();
}

type Limits = AskLimits & Pick<Command, "exceeds">;

async function answerTo(line: string, running: RunningProcess, limits: Limits): Promise<CommandResult> {
  const { child, exited, end } = running;
  const began = performance.now();
  const stdout = createCapture(limits.outputBytes ?? OUTPUT_BYTES);
  const stderr = createCapture(OUTPUT_BYTES);
  let isAnswered = false;
  let isTooMuch = false;
  const answered = new Promise<void>((resolve) => {
    running.listeners.stderr = stderr.push;
    running.listeners.stdout = (chunk) => {
      stdout.push(chunk);
      const at = chunk.indexOf("\n");
      isTooMuch ||= isAnswered || (at !== -1 && at < chunk.length - 1);
      if (isTooMuch) void end();
      isAnswered ||= !isTooMuch && at === chunk.length - 1;
      if (isAnswered) resolve();
    };
  });
  const stopped = stopping(child, limits, running.first);
  child.stdin?.write(`${line}\n`);
  await Promise.race([answered, exited]);
  const why = stopped();
  // What it wrote last may be read after its end.
  if (!running.isAlive() || why !== undefined) await end();
  running.listeners = quiet(running);
  const ending = isAnswered && why === undefined ? ANSWERED : await endingIn(running, why, stderr);
  return {
    ...ending,
    stdout: stdout.text(),
    stderr: stderr.text(),
    truncated: stdout.truncated() || stderr.truncated(),
    milliseconds: Math.round(performance.now() - began),
  };
}

const ANSWERED: Ending = { status: "exited", exitCode: 0 };

async function endingIn({ exited }: RunningProcess, why: string | undefined, stderr: Capture): Promise<Ending> {
  const [exitCode, signal] = await exited;
  const ending = endingOf({ exitCode, signal, why }, stderr);
  return ending.status === "exited" ? { ...ending, status: "crashed" } : ending;
}
