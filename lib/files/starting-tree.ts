/** The files that a run starts from: a folder or a zip, held to the limits that hold for every tree. */
import { stat } from "node:fs/promises";
import { sanitizeLine } from "../core/text/sanitize.ts";
import { LINKS_FILE } from "../core/text/tree-links.ts";
import { isFoundByRunners } from "../core/verdict/test-paths.ts";
import { codeOf } from "../host/storage-errors.ts";
import { checkedPaths, checkedTree, refuseTooMuch } from "../pack/checked-tree.ts";
import { type FoundFiles, refusedStart } from "../pack/found-files.ts";
import { readFolder } from "./read-folder.ts";
import { readZip } from "./read-zip.ts";

export interface StartingTree {
  files: Map<string, Uint8Array>;
  /** What was left out, in words. */
  notices: string[];
}

/** `flag`: by which it was given. */
export async function readStartingTree(path: string, flag = "--from"): Promise<StartingTree> {
  const from = `${flag} ${path}`;
  return readFound(from, await findFiles(path, from));
}

async function readFound(from: string, found: FoundFiles): Promise<StartingTree> {
  refuseTooMuch(from, found.files);
  // Before they are read: names are refused without a look inside.
  checkedPaths(from, found.files);
  const notices = found.leftOut.map(({ path, detail }) => `${sanitizeLine(path)} was left out: it is ${detail}.`);
  return { files: checkedTree(from, await found.read()), notices };
}

/** Tests that a user gives: at least one of them a file in which runners look for tests. */
export async function readGivenTests(path: string): Promise<StartingTree> {
  const given = await readStartingTree(path, TESTS);
  // The list of links belongs to the tree that they are put into.
  given.files.delete(LINKS_FILE);
  if (given.files.size === 0) throw refusedStart(`${TESTS} ${path}: there is no file in it.`);
  if ([...given.files.keys()].some(isFoundByRunners)) return given;
  const notice = `${TESTS} ${path}: none of its files has a name by which tests are found, such as test_a.py or a.test.js.`;
  return { ...given, notices: [...given.notices, notice] };
}

const TESTS = "--tests";

export async function findFiles(path: string, from: string): Promise<FoundFiles> {
  const found = await stat(path).catch((error: unknown) => {
    const why = codeOf(error) === "ENOENT" ? "there is nothing of that name" : String(codeOf(error) || error);
    throw refusedStart(`${from}: ${why}.`, { cause: error });
  });
  if (found.isDirectory()) return readFolder(path);
  if (found.isFile()) return readZip(path, from);
  throw refusedStart(`${from}: it is neither a folder nor a zip file.`);
}
