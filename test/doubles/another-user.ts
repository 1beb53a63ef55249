/** A program of another user of this computer, as which only root can run one. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { chmodSync, copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const ANOTHER_USER = 65_534;
export const canRunAsAnother = process.platform === "linux" && process.getuid?.() === 0;

/** Runs JavaScript by a copy of Node: the other user may not read the folder of ours. */
export function runAsAnother(code: string, ...args: string[]): { child: ChildProcessWithoutNullStreams; end(): void } {
  const folder = mkdtempSync(join(tmpdir(), "l2mac-test-"));
  chmodSync(folder, 0o755);
  const node = join(folder, "node");
  copyFileSync(process.execPath, node);
  const child = spawn(node, ["-e", code, ...args], { uid: ANOTHER_USER, gid: ANOTHER_USER, cwd: "/" });
  const end = () => {
    child.kill();
    rmSync(folder, { recursive: true });
  };
  return { child, end };
}
