/** Runs a few lines of TypeScript-importing JavaScript as a process of its own, for tests of what processes do to each other. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export interface Script {
  pid: number;
  /** The next line that it prints; undefined when it has ended. */
  line(): Promise<string | undefined>;
  /** Lets it end; until then it goes on, or waits, for ever. */
  letGo(): void;
  /** Sends SIGKILL and waits until it is gone. */
  kill(): Promise<void>;
  ended(): Promise<void>;
}

/** The script ends with its parent process, at the latest. */
const PRELUDE = `process.stdin.resume().once("end", () => process.exit());`;

export function startScript(source: string, ...argv: string[]): Script {
  const flags = ["--experimental-strip-types", "--disable-warning=ExperimentalWarning", "--input-type=module"];
  const child = spawn(process.execPath, [...flags, "-e", PRELUDE + source, "--", ...argv], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const gone = once(child, "exit");
  return {
    pid: child.pid ?? 0,
    line: async () => {
      const { value, done } = await lines.next();
      return done ? undefined : String(value);
    },
    letGo: () => void child.stdin.end(),
    kill: async () => {
      child.kill("SIGKILL");
      await gone;
    },
    ended: async () => void (await gone),
  };
}
