/** What a user shares of a folder or zip to start from: without secrets, what .gitignore excludes, and earlier output. */
import { stat } from "node:fs/promises";
import { relative, resolve } from "node:path";
import { type FoundFiles, LEFT_OUT, type LeftOut } from "../pack/found-files.ts";
import { readFolder } from "./read-folder.ts";
import { listSharedNames, NO_GIT, refusedIgnore } from "./shared-names.ts";
import { findFiles } from "./starting-tree.ts";
import { type SharedFiles, withhold } from "./withhold.ts";

export interface SharedOptions {
  /** The folder that runs deliver into, which is left out where Git does not track it. */
  output?: string | undefined;
  allowSecrets?: boolean | undefined;
  /** How messages name it. */
  label?: string;
}

export async function readSharedTree(
  path: string,
  { output, allowSecrets = false, label: from = `--from ${path}` }: SharedOptions = {},
): Promise<SharedFiles> {
  const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() === true;
  const found = isFolder ? await findShared(path, { from, output }) : await findFiles(path, from);
  const above = isFolder ? resolve(path).split(/[\\/]/).slice(-FOLDERS_ABOVE).join("/") : "";
  return withhold(found, { from, above, allowSecrets });
}

/** As many as a name of a secret has: `.config/gcloud`. */
const FOLDERS_ABOVE = 3;

async function findShared(
  path: string,
  { from, output }: { from: string; output: string | undefined },
): Promise<FoundFiles> {
  const shared = await listSharedNames(path, from);
  if (!shared) return findWithoutGit(path, from);
  const { names, tracked, ignored } = shared;
  const own = output === undefined ? "" : relative(resolve(path), output).replaceAll("\\", "/");
  const isOwn = (name: string): boolean => name.startsWith(`${own}/`);
  const leavesOwn = own !== "" && !own.startsWith("..") && [...names].some(isOwn) && !tracked.some(isOwn);
  const wanted = leavesOwn ? new Set([...names].filter((name) => !isOwn(name))) : names;
  const found = await readFolder(path, wanted);
  return {
    ...found,
    leftOut: [
      ...ignored.filter(isNews).map((name): LeftOut => ({ path: name, reason: "excluded by .gitignore" })),
      ...(leavesOwn ? [{ path: `${own}/`, reason: "output of earlier runs" }] : []),
      ...found.leftOut,
    ],
  };
}

async function findWithoutGit(path: string, from: string): Promise<FoundFiles> {
  const found = await readFolder(path);
  if (found.files.some(({ name }) => /(^|\/)\.gitignore$/.test(name))) throw refusedIgnore(from, NO_GIT);
  return found;
}

const isNews = (name: string): boolean => !name.split("/").some((part) => LEFT_OUT.has(part));
