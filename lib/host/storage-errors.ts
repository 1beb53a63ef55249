/** Explains disk and SQLite errors to the user: what happened, what is kept, what to do. Other errors pass unchanged. */
import { type Remedy, UserError } from "../core/errors.ts";

export function explainSqlite(error: unknown, path: string): unknown {
  return explained(BY_SQLITE_KIND[sqliteKind(error)], { path, cause: error });
}

export function explainFile(error: unknown, path: string): unknown {
  return explained(BY_FILE_CODE.get(codeOf(error)), { path, cause: error });
}

export const isBusy = (error: unknown): boolean => BY_SQLITE_KIND[sqliteKind(error)] === busy;

/** Whether the error, or its cause, is a full disk. */
export const isFull = (error: unknown): boolean =>
  BY_SQLITE_KIND[sqliteKind(error)] === full ||
  BY_FILE_CODE.get(codeOf(error)) === full ||
  (error instanceof UserError && error.cause !== undefined && isFull(error.cause));

export const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "");

interface Explanation {
  exitCode: number;
  happened: string;
  remedy: Remedy;
}

const busy: Explanation = {
  exitCode: 6,
  happened: "is locked by another process that does not let go; nothing was changed",
  remedy: "End the other l2mac process that uses this folder, or wait for it, and try again.",
};
const full: Explanation = {
  exitCode: 6,
  happened: "could not be written because the disk is full; nothing that was stored before is lost",
  remedy: "Free some space on that disk, then resume the run.",
};
const notWritable: Explanation = {
  exitCode: 3,
  happened: "cannot be opened for writing",
  remedy: "Make the folder writable, or set L2MAC_HOME to one that is.",
};
const broken: Explanation = {
  exitCode: 6,
  happened: "is damaged, or is not a registry",
  remedy: { command: "repair", args: [], note: "makes it again from what the runs have stored, and keeps this file" },
};
const failing: Explanation = {
  exitCode: 6,
  happened: "could not be read or written: the disk refused",
  remedy: "Check the disk and its free space, then resume the run.",
};

/** https://sqlite.org/rescode.html */
const BY_SQLITE_KIND: Record<number, Explanation> = {
  3: notWritable, // PERM
  5: busy, // BUSY
  6: busy, // LOCKED
  8: notWritable, // READONLY
  10: failing, // IOERR
  11: broken, // CORRUPT
  13: full, // FULL
  14: notWritable, // CANTOPEN
  26: broken, // NOTADB
};

const BY_FILE_CODE = new Map<string, Explanation>([
  ["ENOSPC", full],
  ["EDQUOT", full],
  ["EACCES", notWritable],
  ["EPERM", notWritable],
  ["EROFS", notWritable],
]);

function explained(explanation: Explanation | undefined, { path, cause }: { path: string; cause: unknown }): unknown {
  if (!explanation) return cause;
  const { exitCode, happened, remedy } = explanation;
  return new UserError(`${path} ${happened}.`, { exitCode, remedy, cause });
}

/** The lower byte of SQLite's code, its primary code. 0 if the error is not SQLite's. */
const sqliteKind = (error: unknown): number =>
  error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : 0;
