/** The environment of a command: output, progress, environment variables and signals. */
import { commandLine } from "../../core/text/command-line.ts";
import { createSignals, type Signals } from "./signals.ts";

export interface Shell {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** The result, as it is given. */
  out(content: string | Uint8Array): void;
  /** Explanations and progress: whole lines, without the line end. */
  say(line: string): void;
  /** What the user types to start this program: `l2mac`, `npx l2mac`. */
  launcher: string;
  /** One of its commands, as the user types it. */
  command(name: string, ...args: string[]): string;
  progress: NodeJS.WriteStream;
  /** Whether the result is read on a terminal. */
  resultOnTerminal: boolean;
  /** How wide that terminal is. */
  resultColumns: number | undefined;
  signals: Signals;
  /** Whether the reader of the output has closed it. */
  readerGone(): boolean;
}

export function createShell({ launched }: { launched: boolean }): Shell {
  const { stdout, stderr } = process;
  const gone = new Set<NodeJS.WriteStream>();
  for (const stream of [stdout, stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE" && error.code !== "EIO") throw error;
      gone.add(stream);
    });
  }
  const write = (stream: NodeJS.WriteStream, content: string | Uint8Array): void => {
    if (!gone.has(stream)) stream.write(content);
  };
  const launcher = launcherIn(process.env);
  return {
    cwd: process.cwd(),
    env: process.env,
    out: (content) => write(stdout, content),
    say: (line) => write(stderr, `${line}\n`),
    launcher,
    command: (command, ...args) => commandLine({ command, args }, launcher),
    progress: stderr,
    resultOnTerminal: stdout.isTTY === true,
    resultColumns: stdout.isTTY ? stdout.columns : undefined,
    signals: createSignals({ launched }),
    readerGone: () => gone.has(stdout),
  };
}

/** npm sets these for the programs that it starts, in whose folder the command is; a shell does not. */
export const launcherIn = ({ npm_command, npm_lifecycle_event }: Shell["env"]): string =>
  npm_command === undefined && npm_lifecycle_event === undefined ? "l2mac" : "npx l2mac";
