/** A program of another user of this computer, as which only root can run one, and not everywhere. */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const ANOTHER_USER = 65_534;

const as = { uid: ANOTHER_USER, gid: ANOTHER_USER, cwd: "/" };

/** A copy of Node: the other user may not read the folder of ours. */
function copyNode(): { node: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "l2mac-test-"));
  chmodSync(folder, 0o755);
  const node = join(folder, "node");
  copyFileSync(process.execPath, node);
  return { node, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Found out by trying: root of a container may not become another user, and others may not enter its folders. */
function whyNot(): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "root, which can become another user";
  const { node, remove } = copyNode();
  const { error, status, signal } = spawnSync(node, ["-e", "0"], { ...as, timeout: 20_000 });
  remove();
  if (error) return `root that can become another user: ${"code" in error ? error.code : error.message}`;
  return status === 0 ? undefined : `root that can become another user: ${status ?? signal}`;
}

const why = whyNot();
export const canRunAsAnother = why === undefined;
/** For the names of tests that need it. */
export const needsAnother = why === undefined ? "" : ` (needs ${why})`;

/** Runs JavaScript. Rejects where it cannot be started, so that no test waits for what it would do. */
export async function runAsAnother(
  code: string,
  ...args: string[]
): Promise<{ child: ChildProcessWithoutNullStreams; end(): void }> {
  const { node, remove } = copyNode();
  const child = spawn(node, ["-e", code, ...args], as);
  const end = () => {
    child.kill();
    remove();
  };
  await once(child, "spawn").catch((error: unknown) => {
    remove();
    throw error;
  });
  return { child, end };
}
