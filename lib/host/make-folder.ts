/** Makes a folder and those above it, or says in good time that it cannot. */
import { mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { codeOf } from "./storage-errors.ts";
import { syncFolder } from "./sync-folder.ts";

/**
 * One after the other: Node's own way goes round for ever where a folder that is there answers as if it were not, as
 * those of /proc do.
 * Answers the folders that were missing.
 */
export function makeFolder(folder: string): string[] {
  const missing: string[] = [];
  for (let at = resolve(folder); !isThere(at); at = dirname(at)) missing.unshift(at);
  for (const each of missing) makeOne(each);
  // As for a file of that name.
  if (!statSync(folder).isDirectory()) mkdirSync(folder);
  return missing;
}

/** A power cut does not undo it. */
export function makeLastingFolder(folder: string): void {
  for (const made of makeFolder(folder)) syncFolder(dirname(made));
}

const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

function makeOne(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return; // Somebody else made it meanwhile.
    if (codeOf(error) !== "ENOENT" || !isThere(dirname(folder))) throw error;
    throw Object.assign(new Error(`no folder can be made in ${dirname(folder)}`, { cause: error }), { code: "EACCES" });
  }
}
