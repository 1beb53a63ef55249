/** Lists files with Git, which gets nothing of the environment but where programs are. */
import { execFile } from "node:child_process";
import { delimiter, isAbsolute } from "node:path";
import { promisify } from "node:util";

const GIT_MS = 60_000;
const LIST_BYTES = 256 * 1024 * 1024;
const run = promisify(execFile);

export interface Git {
  own: string;
  root: string;
  worktree: string;
}

export async function listFiles({ own, root, worktree }: Git, which: string[]): Promise<string[]> {
  const args = ["-C", root, `--git-dir=${own}`, `--work-tree=${worktree}`, "-c", "core.excludesFile=/dev/null"];
  const { stdout } = await run("git", [...args, "ls-files", "-z", ...which], {
    env: {
      // A relative entry could be the folder itself.
      PATH: (process.env.PATH ?? "").split(delimiter).filter(isAbsolute).join(delimiter),
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_ALLOW_PROTOCOL: "none",
      GIT_OPTIONAL_LOCKS: "0",
    },
    cwd: own,
    timeout: GIT_MS,
    killSignal: "SIGKILL",
    maxBuffer: LIST_BYTES,
  });
  return stdout.split("\0").filter(Boolean);
}
