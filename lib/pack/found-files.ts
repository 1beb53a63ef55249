/** What a folder or a zip turns out to hold, before any of it is read. */
import { UserError } from "../core/errors.ts";

export interface FoundFile {
  /** As it is called there: perhaps no path that a run can have. */
  name: string;
  bytes: number;
}

export interface FoundFiles {
  files: FoundFile[];
  /** What was left out, in words. */
  notices: string[];
  /** The contents of all of them, by name. */
  read(): Promise<Map<string, Uint8Array>>;
}

/** Not written by anybody who works on the project. */
export const LEFT_OUT: ReadonlySet<string> = new Set([
  ".git",
  ".hg",
  ".svn",
  "node_modules",
  ".l2mac",
  ".venv",
  "venv",
  "__pycache__",
  "__MACOSX",
]);

export const refusedStart = (message: string, cause?: unknown): UserError =>
  new UserError(message, { exitCode: 2, remedy: "Give --from or --tests a folder or zip of source files.", cause });
