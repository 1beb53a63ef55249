/** The user's own folder of configuration: what is kept there is the user's word, whatever a project says. */
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { makeLastingFolder } from "./make-folder.ts";
import { codeOf } from "./storage-errors.ts";
import { syncFolder } from "./sync-folder.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** A relative folder would be one of the project in which the command is run. */
export function userFolder({ XDG_CONFIG_HOME = "", HOME = "" }: Environment): string {
  if (isAbsolute(XDG_CONFIG_HOME)) return join(XDG_CONFIG_HOME, "l2mac");
  return join(isAbsolute(HOME) ? HOME : homedir(), ".config", "l2mac");
}

/** Undefined: there is none, or others could have written it. */
export function readPrivate(path: string): string | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
    throw error;
  }
  try {
    const found = fstatSync(file);
    return found.isFile() && isPrivate(found) ? readFileSync(file, "utf8") : undefined;
  } finally {
    closeSync(file);
  }
}

/** Root works in the folders of others too. Windows has neither user numbers nor these permissions. */
function isPrivate({ uid, mode }: { uid: number; mode: number }): boolean {
  const user = process.getuid?.();
  if (user === undefined) return true;
  return (mode & 0o022) === 0 && (user === 0 || uid === user || uid === 0);
}

/** Replaces the file in one step. Only its user can read it. */
export function writePrivate(path: string, text: string): void {
  makeLastingFolder(dirname(path));
  const temporary = `${path}.${process.pid}`;
  try {
    writeFileSync(temporary, text, { mode: 0o600, flush: true });
    chmodSync(temporary, 0o600);
    renameSync(temporary, path);
    syncFolder(dirname(path));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
