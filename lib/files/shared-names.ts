/** Which files of a folder its .gitignore files let through: Git decides, with no configuration of the repository. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { codeOf } from "../host/storage-errors.ts";
import { refusedStart } from "../pack/found-files.ts";
import { listFiles } from "./git-list.ts";
import { makeRepository, workingTreeOf } from "./own-repository.ts";

export interface SharedNames {
  /** Files by their path in the folder. A repository within it is one name; so is a submodule. */
  names: ReadonlySet<string>;
  tracked: string[];
  /** What is ignored: a folder that is ignored whole is one name, with a slash. */
  ignored: string[];
}

/**
 * The folder may be hostile, and a repository's configuration can name programs that Git starts. So Git gets an empty
 * repository of ours, and of the folder's own one only the index and `info/exclude`. Undefined: there is no Git, and the
 * folder is in no working tree.
 */
export async function listSharedNames(folder: string, from: string): Promise<SharedNames | undefined> {
  const root = resolve(folder);
  const top = await workingTreeOf(root);
  const own = await mkdtemp(join(tmpdir(), "l2mac-git-"));
  try {
    await makeRepository(own, top?.gitFolder);
    const git = { own, root, worktree: top?.folder ?? root };
    const [tracked, others, ignored] = await Promise.all([
      listFiles(git, ["--cached"]),
      listFiles(git, ["--others", "--exclude-standard"]),
      listFiles(git, ["--others", "--ignored", "--directory", "--exclude-standard"]),
    ]);
    const names = new Set([...tracked, ...others].map((name) => name.replace(/\/$/, "")));
    return { names, tracked, ignored };
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw refusedIgnore(from, firstLine(error));
    if (top) throw refusedIgnore(from, NO_GIT);
    return undefined;
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

export const NO_GIT = "Git is not installed";

export const refusedIgnore = (from: string, why: string): Error =>
  refusedStart(`${from}: .gitignore cannot be followed: ${why}.`);

function firstLine(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message?: string };
  const [line = ""] = (stderr?.trim() || message || String(error)).split("\n");
  return line.replace(/^(error|fatal): /, "").replace(/\.$/, "");
}
