/** The difference between two trees of files, and its summary. Pure. */
import { pluralize } from "../../core/text/format.ts";
import { diffFile, type FileChange, type FileDiff } from "./file-diff.ts";

export type Tree = ReadonlyMap<string, Uint8Array>;

export function changesBetween(before: Tree, after: Tree): FileChange[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths
    .map((path) => ({ path, before: before.get(path), after: after.get(path) }))
    .filter(({ before, after }) => !isSame(before, after));
}

export const diffTrees = (before: Tree, after: Tree): FileDiff[] => changesBetween(before, after).map(diffFile);

const isSame = (one: Uint8Array | undefined, other: Uint8Array | undefined): boolean =>
  one !== undefined && other?.length === one.length && one.every((byte, at) => byte === other[at]);

/** A line for each file, and one for all of them. */
export function statLines(diffs: FileDiff[]): string[] {
  const rows = diffs.map((diff) => ({ name: `${MARKS[diff.kind]} ${diff.path}`, what: amountOf(diff) }));
  const width = Math.max(0, ...rows.map(({ name }) => name.length));
  return [...rows.map(({ name, what }) => `${name.padEnd(width)}  ${what}`), totalLine(diffs)];
}

const MARKS = { added: "A", changed: "M", deleted: "D" };

const amountOf = ({ binary, added, removed }: FileDiff): string => (binary ? "binary" : `+${added} -${removed}`);

export function totalLine(diffs: FileDiff[]): string {
  const sum = (of: (diff: FileDiff) => number): number => diffs.reduce((total, diff) => total + of(diff), 0);
  const kinds = (["added", "changed", "deleted"] as const).flatMap((kind) => {
    const files = diffs.filter((diff) => diff.kind === kind).length;
    return files > 0 ? [`${files} ${kind}`] : [];
  });
  const lines = `${sum(({ added }) => added)} lines added, ${sum(({ removed }) => removed)} removed`;
  return `${pluralize(diffs.length, "file")}${kinds.length > 0 ? ` (${kinds.join(", ")})` : ""}, ${lines}`;
}
