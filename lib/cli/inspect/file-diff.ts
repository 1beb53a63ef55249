/** The difference of one file between two states, as `git diff` writes it. Pure. */
import { structuredPatch } from "diff";
import { decodeText } from "../../core/text/file-text.ts";

/** Absent bytes: the file is not there. */
export interface FileChange {
  path: string;
  before?: Uint8Array | undefined;
  after?: Uint8Array | undefined;
}

export interface FileDiff {
  path: string;
  kind: "added" | "changed" | "deleted";
  added: number;
  removed: number;
  binary: boolean;
  /** With line ends. */
  lines: string[];
}

/** Two texts with more edits than this between them are shown as one replaced by the other. */
const MOST_EDITS = 4_000;

export function diffFile({ path, before, after }: FileChange): FileDiff {
  const kind = before === undefined ? "added" : after === undefined ? "deleted" : "changed";
  const [was, now] = [before, after].map((bytes) => (bytes ? decodeText(bytes) : ""));
  const names = { old: before ? `a/${path}` : "/dev/null", fresh: after ? `b/${path}` : "/dev/null" };
  const head = [`diff --git a/${path} b/${path}`, ...MODES[kind]];
  if (was === undefined || now === undefined) {
    const lines = [...head, `Binary files ${names.old} and ${names.fresh} differ`];
    return { path, kind, added: 0, removed: 0, binary: true, lines: lines.map(ended) };
  }
  const hunks = hunksOf(was, now);
  const added = hunks.reduce((sum, { lines }) => sum + count(lines, "+"), 0);
  const removed = hunks.reduce((sum, { lines }) => sum + count(lines, "-"), 0);
  // Git marks the end of a name that holds a space with a tab.
  const end = /\s/.test(path) ? "\t" : "";
  const files =
    hunks.length > 0 ? [`--- ${names.old}${before ? end : ""}`, `+++ ${names.fresh}${after ? end : ""}`] : [];
  const body = hunks.flatMap((hunk) => [rangeOf(hunk), ...hunk.lines]);
  return { path, kind, added, removed, binary: false, lines: [...head, ...files, ...body].map(ended) };
}

const MODES = { added: ["new file mode 100644"], deleted: ["deleted file mode 100644"], changed: [] };
const ended = (line: string): string => `${line}\n`;

interface Hunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: string[];
}

function hunksOf(was: string, now: string): Hunk[] {
  if (was === "" || now === "") return was === now ? [] : [replaced(was, now)];
  const patch = structuredPatch("", "", was, now, undefined, undefined, { context: 3, maxEditLength: MOST_EDITS });
  return patch ? patch.hunks : [replaced(was, now)];
}

function replaced(was: string, now: string): Hunk {
  const [old, fresh] = [marked(was, "-"), marked(now, "+")];
  return {
    oldStart: 1,
    oldLines: count(old, "-"),
    newStart: 1,
    newLines: count(fresh, "+"),
    lines: [...old, ...fresh],
  };
}

function marked(text: string, mark: string): string[] {
  const lines = text.split("\n");
  const endsOpen = lines.pop() !== "";
  const last = text.slice(text.lastIndexOf("\n") + 1);
  return [...lines, ...(endsOpen ? [last] : [])].map((line) => mark + line).concat(endsOpen ? [NO_NEWLINE] : []);
}

const NO_NEWLINE = "\\ No newline at end of file";

const count = (lines: string[], mark: string): number => lines.filter((line) => line.startsWith(mark)).length;

const rangeOf = ({ oldStart, oldLines, newStart, newLines }: Hunk): string =>
  `@@ -${sideOf(oldStart, oldLines)} +${sideOf(newStart, newLines)} @@`;

/** A side without lines is named by the line before it. */
const sideOf = (start: number, lines: number): string => `${lines === 0 ? start - 1 : start},${lines}`;
