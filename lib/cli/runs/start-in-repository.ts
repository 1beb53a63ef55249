/** Starts a run in a Git working tree: what .gitignore and the search for secrets let through, on a branch of its own. */
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { UserError } from "../../core/errors.ts";
import { pluralize } from "../../core/text/format.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import { findRepository, folderIn, noRepository, type Repository } from "../../files/git/repository.ts";
import { askGit } from "../../files/git/run-git.ts";
import { isClone, projectFile } from "../../files/project-files.ts";
import { readSharedTree } from "../../files/shared-tree.ts";
import type { CommandLine } from "./command-line.ts";
import { NOTHING, type StartingPoint } from "./starting-point.ts";

/** The folder that --in names. */
export async function startIn(given: string, line: CommandLine): Promise<StartingPoint> {
  const folder = resolve(line.shell.cwd, given);
  const repository = await findRepository(folder);
  if (!repository) throw noRepository(folder);
  return startFrom(repository, { folder: folderIn(repository, folder), line });
}

/** The working tree that the command is typed in: all of it, where the folder belongs to it. */
export async function startHere(line: CommandLine): Promise<StartingPoint> {
  const { cwd } = line.shell;
  const repository = await findRepository(cwd);
  if (!repository || isOwnClone(repository) || !(await isPartOf(repository, cwd))) return NOTHING;
  return startFrom(repository, { folder: "", line });
}

/** The clone of l2mac from which the command is run is where newcomers try it, and not what they work on. */
const isOwnClone = ({ top }: Repository): boolean => isClone && top === realpathSync(projectFile("."));

/** A folder in which nothing is tracked only happens to lie in a repository, such as that of a whole home. */
const isPartOf = async ({ top }: Repository, cwd: string): Promise<boolean> =>
  realpathSync(cwd) === top || (await askGit(cwd, ["ls-files", "--", "."])) !== "";

async function startFrom(
  repository: Repository,
  { folder, line }: { folder: string; line: CommandLine },
): Promise<StartingPoint> {
  const { shell, settings } = line;
  const { top, head, branch } = repository;
  const path = resolve(top, folder);
  const { allowSecrets, workspace = "workspace" } = settings;
  const label = `Repository ${path}`;
  const shared = await readSharedTree(path, { output: resolve(shell.cwd, workspace), allowSecrets, label }).catch(
    (error: unknown) => {
      if (!(error instanceof UserError)) throw error;
      const remedy = "Give --in a smaller folder of it, or --new to begin without its files.";
      throw new UserError(error.message, { exitCode: error.exitCode, remedy, cause: error });
    },
  );
  const detached = head === undefined || branch !== undefined ? [] : [`HEAD is detached at ${head.slice(0, 12)}.`];
  return {
    files: { from: path, label: sanitizeLine(label), ...shared },
    repository: { top, folder, head },
    notices: detached,
  };
}

export const uncommittedLine = (files: number): string =>
  `Uncommitted changes in ${pluralize(files, "file")} are part of the start, as a commit of their own on the branch.`;
