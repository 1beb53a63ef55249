/** Chooses name and destination of a new run before anything is spent: a free folder, or a free branch. */
import type { Run } from "../../core/run/run.ts";
import type { RunBranch } from "../../core/run/run-branch.ts";
import { chooseBranch, commitOfStep, tipOf } from "../../files/git/run-branch.ts";
import { makeStartCommit } from "../../files/git/start-commit.ts";
import type { Tree } from "../../files/git/tree-entries.ts";
import { chooseNameAndFolder, type NameOptions } from "./choose-name.ts";
import type { Connection } from "./connection.ts";
import type { Destination } from "./destination.ts";
import { undelivered } from "./start-after-run.ts";
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

/** Of a run that begins before an instruction of another one: a branch from there, where that one has a branch. */
export async function destinationOfWayBack(
  connection: Connection,
  run: Run,
  { to, names }: { to: number; names: NameOptions },
): Promise<ChosenDestination> {
  const nothing = { tree: new Map(), now: new Date() };
  const branch = names.out === undefined ? await connection.branch(run) : undefined;
  if (!branch) return chooseDestination(names, { repository: undefined, ...nothing });
  const { repository: top, folder = "", start } = branch;
  const tip = await tipOf(top, run.id).catch(() => undefined);
  if (tip === undefined && to > 1) throw undelivered(connection, run, branch.name);
  const begin = tip === undefined ? start : await commitOfStep(top, { start, tip, step: to - 1 });
  const from = { top, folder, head: begin, ...(begin === undefined ? {} : { start: begin }) };
  return chooseDestination(names, { repository: from, ...nothing });
}
