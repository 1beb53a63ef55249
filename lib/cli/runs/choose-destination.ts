/** Chooses name and destination of a new run before anything is spent: a free folder, or a free branch. */
import type { RunBranch } from "../../core/run/run-branch.ts";
import { chooseBranch } from "../../files/git/run-branch.ts";
import { makeStartCommit } from "../../files/git/start-commit.ts";
import type { Tree } from "../../files/git/tree-entries.ts";
import { chooseNameAndFolder, type NameOptions } from "./choose-name.ts";
import type { Destination } from "./destination.ts";
import { uncommittedLine } from "./start-in-repository.ts";
import type { StartingRepository } from "./starting-point.ts";

export interface ChosenDestination extends Destination {
  name: string;
  notices: string[];
}

export async function chooseDestination(
  options: NameOptions,
  { repository, tree, now }: { repository: StartingRepository | undefined; tree: Tree; now: Date },
): Promise<ChosenDestination> {
  const { name, out } = await chooseNameAndFolder(options);
  // A folder that is asked for gets the files, whatever they started from.
  if (!repository || options.out !== undefined) return { name, folder: out, notices: [] };
  const { top, folder, head, start: given } = repository;
  const { id, uncommitted } =
    given === undefined
      ? await makeStartCommit({ repository: top, folder, head, tree, now })
      : { id: given, uncommitted: 0 };
  const branch: RunBranch = {
    repository: top,
    name: await chooseBranch(top, name),
    ...(folder === "" ? {} : { folder }),
    ...(id === undefined ? {} : { start: id }),
  };
  const on = `Each accepted step becomes a commit on the new branch ${branch.name}; your working tree is not touched.`;
  return { name, branch, notices: uncommitted === 0 ? [on] : [uncommittedLine(uncommitted), on] };
}
