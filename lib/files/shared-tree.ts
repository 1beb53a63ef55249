/** What a user shares of a folder to start from: without what .gitignore excludes, and without earlier output. */
import { stat } from "node:fs/promises";
import { relative, resolve } from "node:path";
import { LEFT_OUT } from "../pack/found-files.ts";
import { readFolder } from "./read-folder.ts";
import { listSharedNames, NO_GIT, refusedIgnore } from "./shared-names.ts";
import { readFound, readStartingTree, type StartingTree } from "./starting-tree.ts";

/** `output`: the folder that runs deliver into, which is left out where Git does not track it. */
export async function readSharedTree(
  path: string,
  { output }: { output?: string | undefined } = {},
): Promise<StartingTree> {
  const from = `--from ${path}`;
  if (!(await stat(path).catch(() => undefined))?.isDirectory()) return readStartingTree(path);
  const shared = await listSharedNames(path, from);
  if (!shared) return readWithoutGit(path, from);
  const { names, tracked, ignored } = shared;
  const own = output === undefined ? "" : relative(resolve(path), output).replaceAll("\\", "/");
  const isOwn = (name: string): boolean => name.startsWith(`${own}/`);
  const leavesOwn = own !== "" && !own.startsWith("..") && [...names].some(isOwn) && !tracked.some(isOwn);
  const wanted = leavesOwn ? new Set([...names].filter((name) => !isOwn(name))) : names;
  const found = await readFolder(path, wanted);
  const notices = [
    ...leftOut("excluded by .gitignore", ignored.filter(isNews)),
    ...leftOut("output of earlier runs", leavesOwn ? [`${own}/`] : []),
  ];
  return readFound(from, { ...found, notices: [...notices.map((text) => `${from}: ${text}.`), ...found.notices] });
}

async function readWithoutGit(path: string, from: string): Promise<StartingTree> {
  const found = await readFolder(path);
  if (found.files.some(({ name }) => /(^|\/)\.gitignore$/.test(name))) throw refusedIgnore(from, NO_GIT);
  return readFound(from, found);
}

const isNews = (name: string): boolean => !name.split("/").some((part) => LEFT_OUT.has(part));

const NAMED = 5;

function leftOut(why: string, names: string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length > NAMED ? ", …" : "";
  return [`left out ${names.length} ${why} (${names.slice(0, NAMED).join(", ")}${more})`];
}
