/** The folder in which a computer keeps its runs: creates it, or explains why it cannot. */
import { accessSync, constants, existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../core/errors.ts";
import { isUlid } from "../core/run/ulid.ts";
import { makeLastingFolder } from "./make-folder.ts";
import { codeOf } from "./storage-errors.ts";

export function makeHome(home: string): void {
  try {
    makeLastingFolder(home);
  } catch (error) {
    throw unusable(home, error);
  }
}

/** For what adds to the home: what is wrong with it is said before anything else is begun. */
export function makeWritableHome(home: string): void {
  makeHome(home);
  try {
    accessSync(home, constants.W_OK);
  } catch (error) {
    throw unusable(home, error);
  }
  hasRegistry(home);
}

/** Whether the home has runs. Throws if it cannot be read: such a home is not the same as an empty one. */
export function hasRegistry(home: string): boolean {
  try {
    const path = join(home, "registry.sqlite");
    const found = statSync(path);
    if (found.size === 0 && runFolders(home).length > 0 && !existsSync(`${path}-wal`)) throw emptied(path);
    return found.isFile();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw error instanceof UserError ? error : unusable(home, error);
  }
}

/** The folders of runs, including those that the registry does not list. */
export function runFolders(home: string): string[] {
  try {
    return readdirSync(join(home, "runs")).filter(isUlid);
  } catch {
    return [];
  }
}

const emptied = (path: string): UserError =>
  new UserError(`${path} is damaged: it is empty, and beside it are folders of runs.`, {
    exitCode: 6,
    remedy: { command: "repair", args: [] },
  });

/** Node also reports ENOENT for a folder that cannot be created on a read-only disk. */
function unusable(home: string, cause: unknown): UserError {
  const code = codeOf(cause);
  const why = NOT_A_FOLDER.has(code)
    ? "cannot be the home of runs: it is no folder, or lies below something that is none"
    : `cannot be the home of runs: ${WHY[code] ?? `no folder can be made or opened there (${code})`}`;
  return new UserError(`${home} ${why}.`, {
    exitCode: 3,
    remedy: "Set L2MAC_HOME to a folder that can be written, or to one that can be made.",
    cause,
  });
}

const READ_ONLY = "no folder can be made there, as on a disk that is mounted read-only";
const NOT_A_FOLDER = new Set(["EEXIST", "ENOTDIR"]);
const WHY: Record<string, string> = {
  EACCES: "its folder, or one above it, may not be written or opened by you",
  EPERM: "its folder, or one above it, may not be written or opened by you",
  ENOENT: READ_ONLY,
  EROFS: READ_ONLY,
  ENOSPC: "the disk is full",
  EDQUOT: "the disk is full",
};
