/** Finds the files of programs in folders. Reads none of them. */
import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { isProgramName, PROGRAM_FILE } from "../../core/program/language/calls/label.ts";

/** Of a folder; more are not looked at for a hash. */
const FILES = 1_000;
const ENDINGS = [".md", ".markdown", ".yaml", ".yml", ".json"];

/** The programs in a folder. */
export function programsIn(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => PROGRAM_FILE.test(name));
    return names
      .toSorted()
      .slice(0, FILES)
      .map((name) => join(folder, name))
      .filter(isFile);
  } catch {
    return [];
  }
}

/** The files that a name finds, by name. */
export function namedFiles(folders: readonly string[]): { name: string; path: string }[] {
  const found = folders.flatMap(programsIn).map((path) => basename(path).replace(PROGRAM_FILE, ""));
  const names = [...new Set(found)].filter(isProgramName).toSorted();
  return names.flatMap((name) => {
    const path = namedFile(name, folders);
    return path === undefined ? [] : [{ name, path }];
  });
}

export const namedFile = (name: string, folders: readonly string[]): string | undefined =>
  folders.flatMap((folder) => ENDINGS.map((ending) => join(folder, `${name}${ending}`))).find(isFile);

export function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
