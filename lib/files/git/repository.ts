/** The repository of a user's working tree, as far as a run needs to know it. */
import { realpathSync } from "node:fs";
import { relative } from "node:path";
import { UserError } from "../../core/errors.ts";
import { workingTreeOf } from "../own-repository.ts";
import { askGit, runGit } from "./run-git.ts";

export interface Repository {
  /** The top of the working tree. */
  top: string;
  /** The commit that is checked out; absent: there is none yet. */
  head: string | undefined;
  /** The branch that is checked out; absent: HEAD is detached. */
  branch: string | undefined;
}

/** Undefined: the folder is in no working tree. */
export async function findRepository(folder: string): Promise<Repository | undefined> {
  if (!(await workingTreeOf(folder))) return undefined;
  const top = realpathSync(await runGit(folder, ["rev-parse", "--show-toplevel"]));
  return {
    top,
    head: await askGit(top, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]),
    branch: await askGit(top, ["symbolic-ref", "--quiet", "--short", "HEAD"]),
  };
}

/** The folder's path in the working tree; "" is all of it. */
export const folderIn = ({ top }: Repository, folder: string): string =>
  relative(top, realpathSync(folder)).replaceAll("\\", "/");

export const noRepository = (folder: string): UserError =>
  new UserError(`${folder} is in no Git working tree.`, {
    exitCode: 2,
    remedy: "git init makes it one; or give --from DIR: then the result goes into a folder of its own.",
  });
