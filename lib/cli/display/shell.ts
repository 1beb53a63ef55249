/** What a command has of the world around it: result and progress, environment, and a way to be told to stop. */
import { createSignals, type Signals } from "./signals.ts";
import { asTyped, typedCommand } from "./typed-command.ts";

export interface Shell {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** The result, as it is given. */
  out(content: string | Uint8Array): void;
  /** Explanations in our own words: whole lines, without the line end; the commands in them as the user types them. */
  say(line: string): void;
  /** What a run tells, as it is: whole lines too. */
  relay(line: string): void;
  /** A result in our own words, with its commands as the user types them. */
  typed(text: string): string;
  progress: NodeJS.WriteStream;
  /** Whether the result is read on a terminal. */
  resultOnTerminal: boolean;
  /** How wide that terminal is. */
  resultColumns: number | undefined;
  signals: Signals;
  /** Whether whoever read the result has gone away. */
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
  const typed = (text: string): string => asTyped(text, typedCommand(process.env));
  return {
    cwd: process.cwd(),
    env: process.env,
    out: (content) => write(stdout, content),
    say: (line) => write(stderr, `${typed(line)}\n`),
    relay: (line) => write(stderr, `${line}\n`),
    typed,
    progress: stderr,
    resultOnTerminal: stdout.isTTY === true,
    resultColumns: stdout.isTTY ? stdout.columns : undefined,
    signals: createSignals({ launched }),
    readerGone: () => gone.has(stdout),
  };
}
