/** What a folder or a zip turns out to hold, before any of it is read. */
import { UserError } from "../core/errors.ts";

export interface FoundFile {
  /** As it is called there: perhaps no path that a run can have. */
  name: string;
  bytes: number;
}

/** A file or folder that is not taken. */
export interface LeftOut {
  path: string;
  /** A noun or two, by which they are counted. */
  reason: string;
  /** What else there is to say of this one. */
  detail?: string;
  /** Where in the file it was found. */
  line?: number;
}

export interface FoundFiles {
  files: FoundFile[];
  leftOut: LeftOut[];
  /** The contents of all of them, by name; the others are not looked at. */
  read(except?: ReadonlySet<string>): Promise<Map<string, Uint8Array>>;
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

const FOLDER_OR_ZIP = "Give --from or --tests a folder or zip of source files.";

export const refusedStart = (
  message: string,
  { cause, remedy = FOLDER_OR_ZIP }: { cause?: unknown; remedy?: string } = {},
): UserError => new UserError(message, { exitCode: 2, remedy, cause });
