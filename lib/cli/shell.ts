/** What a command has of the world around it: result and progress, environment, and a way to be told to stop. */
import { createSignals, type Signals } from "./signals.ts";

export interface Shell {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** The result, as it is given. */
  out(content: string | Uint8Array): void;
  /** Progress and explanations: whole lines, without the line end. */
  say(line: string): void;
  progress: NodeJS.WriteStream;
  /** Whether the result is read on a terminal. */
  resultOnTerminal: boolean;
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
  return {
    cwd: process.cwd(),
    env: process.env,
    out: (content) => write(stdout, content),
    say: (line) => write(stderr, `${line}\n`),
    progress: stderr,
    resultOnTerminal: stdout.isTTY === true,
    signals: createSignals({ launched }),
    readerGone: () => gone.has(stdout),
  };
}
