/** Starts the real command as people do, in a folder of its own, and says how it ended. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { NO_EVIDENCE } from "./no-evidence.ts";

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Started {
  child: ChildProcess;
  /** What it has said so far. */
  said(): { stdout: string; stderr: string };
  /** Resolves once standard error holds the text; rejects if it ends before. */
  says(text: string): Promise<void>;
  /** The first line of its result. What it says beside it comes another way, and may come sooner. */
  answers(): Promise<string>;
  ended(): Promise<Ended>;
}

export interface Bench {
  folder: string;
  env: Record<string, string>;
  write(name: string, content: string | Uint8Array): string;
  /** Writes the user's own configuration. */
  configure(settings: object): void;
  read(name: string): string;
  start(args: string[], options?: { input?: string; node?: string; cwd?: string }): Started;
  run(args: string[], options?: { input?: string }): Promise<Ended>;
  remove(): void;
}

const launcher = fileURLToPath(new URL("../../bin/l2mac.mjs", import.meta.url));

/** Without the settings of the user who runs the tests. */
export function aBench(env: Record<string, string> = {}): Bench {
  const folder = mkdtempSync(join(tmpdir(), "l2mac-cli-"));
  const config = join(folder, "config");
  // Where tests run there need be nothing that seals; what they run is theirs.
  const own = {
    ...{ PATH: process.env.PATH ?? "", HOME: folder, XDG_CONFIG_HOME: config, L2MAC_UNSEALED: "1" },
    ...{ L2MAC_EVIDENCE: NO_EVIDENCE.evidence, ...env },
  };
  const start: Bench["start"] = (args, { input, node = process.execPath, cwd = folder } = {}) =>
    started(spawn(node, [launcher, ...args], { cwd, env: own, stdio: ["pipe", "pipe", "pipe"] }), input ?? "");
  return {
    folder,
    env: own,
    write: (name, content) => {
      const path = join(folder, name);
      writeFileSync(path, content);
      return path;
    },
    configure: (settings) => {
      mkdirSync(join(config, "l2mac"), { recursive: true });
      writeFileSync(join(config, "l2mac", "config.json"), JSON.stringify(settings));
    },
    read: (name) => readFileSync(join(folder, name), "utf8"),
    start,
    run: (args, options) => start(args, options).ended(),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function started(child: ChildProcess, input: string): Started {
  const said = { stdout: "", stderr: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    said.stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said.stderr += text;
  });
  child.stdin?.on("error", () => {}).end(input);
  const closed = once(child, "close");
  const until = async (isThere: () => boolean, stream: "stdout" | "stderr", what: string): Promise<void> => {
    const over = closed.then(() => "over");
    while (!isThere()) {
      if ((await Promise.race([over, once(child[stream] ?? child, "data")])) === "over" && !isThere()) {
        throw new Error(`It ended without saying ${what}: ${said.stderr}`);
      }
    }
  };
  return {
    child,
    said: () => said,
    says: (text) => until(() => said.stderr.includes(text), "stderr", JSON.stringify(text)),
    async answers() {
      await until(() => said.stdout.includes("\n"), "stdout", "a line");
      return said.stdout.slice(0, said.stdout.indexOf("\n"));
    },
    async ended() {
      const [code] = await closed;
      return { code, ...said };
    },
  };
}
