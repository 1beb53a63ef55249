/** The stream that `git fast-import` reads: commits in a row, without a working tree, filters or an index. Pure. */
import type { TreeEntry } from "./tree-entries.ts";

export interface ImportedChange {
  path: string;
  /** Absent: it is deleted. */
  entry?: TreeEntry & { isExecutable?: boolean };
}

export interface ImportedCommit {
  message: string;
  /** Seconds since 1970: stored with the run, so that the same run gives the same ids. */
  seconds: number;
  changes: ImportedChange[];
}

/** Who writes the commits: the same for everybody, so that ids can be compared. */
const AUTHOR = "L2MAC <l2mac@localhost>";

/** As a commit names its author, and when. */
export const stampAt = (seconds: number): string => `${AUTHOR} ${seconds} +0000`;

export const resetTo = (ref: string, commit: string): string => `reset ${ref}\nfrom ${commit}\n\n`;

export function* importedCommit(ref: string, { message, seconds, changes }: ImportedCommit): Iterable<Uint8Array> {
  const stamp = stampAt(seconds);
  yield bytes(`commit ${ref}\nauthor ${stamp}\ncommitter ${stamp}\n`);
  yield* data(bytes(message));
  for (const { path, entry } of changes) {
    if (!entry) yield bytes(`D ${quotedPath(path)}\n`);
    else {
      yield bytes(`M ${modeOf(entry)} inline ${quotedPath(path)}\n`);
      yield* data(entry.content);
    }
  }
  yield bytes("\n");
}

export const END_OF_STREAM = "done\n";

const modeOf = ({ isLink, isExecutable = false }: TreeEntry & { isExecutable?: boolean }): string =>
  isLink ? "120000" : isExecutable ? "100755" : "100644";

function* data(content: Uint8Array): Iterable<Uint8Array> {
  yield bytes(`data ${content.length}\n`);
  yield content;
  yield bytes("\n");
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** In C's form, in which a path can hold anything. */
const quotedPath = (path: string): string =>
  `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
