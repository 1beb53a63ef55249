/** The Git repository of a folder, and an empty one of ours that has its index and none of its configuration. */
import { copyFile, mkdir, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { readRegular } from "../host/regular-file.ts";

export interface WorkingTree {
  folder: string;
  gitFolder: string;
}

/** That the folder is in. */
export async function workingTreeOf(folder: string): Promise<WorkingTree | undefined> {
  const git = join(folder, ".git");
  const found = await stat(git).catch(() => undefined);
  if (found?.isDirectory()) return { folder, gitFolder: git };
  if (found?.isFile()) {
    const [, target] = /^gitdir: (.+)$/m.exec((await readRegular(git)).toString("utf8")) ?? [];
    if (target) return { folder, gitFolder: resolve(folder, target.trim()) };
  }
  const above = dirname(folder);
  return above === folder ? undefined : workingTreeOf(above);
}

/** In an empty folder, with no configuration; `from`: the Git folder whose index and `info/exclude` it gets. */
export async function makeRepository(own: string, from: string | undefined): Promise<void> {
  for (const name of ["objects", "refs", "info"]) await mkdir(join(own, name));
  await writeFile(join(own, "HEAD"), "ref: refs/heads/main\n");
  if (from === undefined) return;
  const common = await readRegular(join(from, "commondir")).then(
    (text) => resolve(from, text.toString("utf8").trim()),
    () => from,
  );
  await copyWhereFound(join(common, "info/exclude"), join(own, "info/exclude"));
  await copyWhereFound(join(from, "index"), join(own, "index"));
}

async function copyWhereFound(from: string, to: string): Promise<void> {
  const found = await stat(from).catch(() => undefined);
  if (found?.isFile()) await copyFile(from, to);
}
