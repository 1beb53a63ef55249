/** Runs Git in a repository of the user's without the programs that its configuration can name. */
import { spawn } from "node:child_process";
import { devNull } from "node:os";
import { delimiter, isAbsolute } from "node:path";
import { buffer } from "node:stream/consumers";
import { UserError } from "../../core/errors.ts";
import { codeOf } from "../../host/storage-errors.ts";

const GIT_MS = 300_000;

/** Hooks, file system monitors and maintenance are programs; a blob that is missing is not fetched. */
const SETTINGS = [
  `core.hooksPath=${devNull}`,
  "core.fsmonitor=false",
  "core.pager=cat",
  "gc.auto=0",
  "maintenance.auto=false",
  "core.quotePath=false",
].flatMap((setting) => ["-c", setting]);

/** Of the environment only where programs and the user's own configuration are. */
function gitEnvironment(): Record<string, string> {
  const { PATH = "", HOME, USERPROFILE, XDG_CONFIG_HOME, SystemRoot } = process.env;
  const kept = Object.entries({ HOME, USERPROFILE, XDG_CONFIG_HOME, SystemRoot });
  return {
    ...Object.fromEntries(kept.filter((entry): entry is [string, string] => entry[1] !== undefined)),
    // A relative entry could be the repository itself.
    PATH: PATH.split(delimiter).filter(isAbsolute).join(delimiter),
    GIT_ALLOW_PROTOCOL: "none",
    GIT_NO_LAZY_FETCH: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    LC_ALL: "C",
  };
}

export interface GitResult {
  code: number;
  stdout: Buffer;
  stderr: string;
}

export type GitInput = AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>;

/** Answers also where Git fails; throws where there is no Git. */
export async function tryGit(folder: string, args: readonly string[], input: GitInput = []): Promise<GitResult> {
  const child = spawn("git", [...SETTINGS, "-C", folder, ...args], {
    env: gitEnvironment(),
    timeout: GIT_MS,
    killSignal: "SIGKILL",
    stdio: ["pipe", "pipe", "pipe"],
  });
  const ended = new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
  ended.catch(() => {});
  // Git can end before it has read everything: its exit code says why.
  child.stdin.on("error", () => {});
  const output = Promise.all([buffer(child.stdout), buffer(child.stderr)]);
  try {
    for await (const chunk of input) {
      if (child.stdin.destroyed) break;
      if (!child.stdin.write(chunk)) await Promise.race([drained(child.stdin), ended]);
    }
    child.stdin.end();
    const [code, [stdout, stderr]] = await Promise.all([ended, output]);
    return { code, stdout, stderr: stderr.toString("utf8") };
  } catch (error) {
    child.kill("SIGKILL");
    if (codeOf(error) === "ENOENT") throw noGit();
    throw error;
  }
}

const drained = (stream: NodeJS.WritableStream): Promise<void> =>
  new Promise((resolve) => {
    stream.once("drain", resolve);
    stream.once("close", resolve);
  });

/** Its output as text, without the last line end. */
export async function runGit(folder: string, args: readonly string[], input?: GitInput): Promise<string> {
  const { code, stdout, stderr } = await tryGit(folder, args, input);
  if (code === 0) return stdout.toString("utf8").replace(/\n$/, "");
  throw new UserError(`Git refused "git ${args[0]}" in ${folder}: ${firstLine(stderr)}.`, {
    exitCode: 2,
    remedy: "Nothing of your working tree was changed. Run the same in that folder to see more.",
  });
}

/** Undefined where Git answers that there is none. */
export async function askGit(folder: string, args: readonly string[]): Promise<string | undefined> {
  const { code, stdout } = await tryGit(folder, args);
  return code === 0 ? stdout.toString("utf8").replace(/\n$/, "") : undefined;
}

const firstLine = (text: string): string =>
  (text.trim().split("\n")[0] ?? "").replace(/^(error|fatal): /, "").replace(/\.$/, "") || "it ended without a message";

export const noGit = (): UserError =>
  new UserError("Git is not installed.", {
    exitCode: 3,
    remedy: "Install Git, or give --from DIR --out DIR: then no repository is needed.",
  });
