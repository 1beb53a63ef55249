/** Programs of instructions that may run side by side, by seed, and what they make: as one instruction after the other. */
import { sha256 } from "../../../lib/control/files/digest.ts";
import { treeHash } from "../../../lib/control/files/tree-hash.ts";
import type { Draft } from "../../../lib/core/program/program.ts";
import { draftFromData } from "../../../lib/core/program/program-text.ts";
import { encodeText } from "../../../lib/core/text/file-text.ts";

export type Operation =
  | { does: "write"; path: string }
  /** A line of its own at the end of a file that others write too. */
  | { does: "append"; path: string }
  /** The marks that are in a file. */
  | { does: "copy"; from: string; path: string }
  /** The paths below a folder. */
  | { does: "list"; prefix: string; path: string }
  /** The paths of the files that hold a mark. */
  | { does: "search"; mark: string; path: string };

export interface LaneStep {
  id: string;
  needs?: string[];
  operations: Operation[];
}

export type Files = Map<string, string>;

export const markOf = (number: number): string => `mark-${String(number).padStart(3, "0")}`;
export const partOf = (number: number): string => `parts/p${String(number).padStart(3, "0")}.txt`;
const SHARED = ["shared/a.txt", "shared/b.txt"] as const;

/** How many instructions, how likely one needs another, and how likely it looks at what others write. */
export interface Shape {
  count: number;
  needs: number;
  conflicts: number;
}

export function seededSteps(random: () => number, { count, needs, conflicts }: Shape): LaneStep[] {
  const below = (most: number): number => Math.floor(random() * most);
  return Array.from({ length: count }, (_, index): LaneStep => {
    const number = index + 1;
    const needed = Array.from({ length: index }, (_each, other) => `s${other + 1}`).filter(() => random() < needs);
    const operations: Operation[] = [{ does: "write", path: partOf(number) }];
    if (random() < conflicts) operations.push(conflictOf(number, below(5), below(count)));
    // The first has nothing before it, and one in ten says nothing: it needs the one before.
    return { id: `s${number}`, ...(index === 0 || random() < 0.1 ? {} : { needs: needed }), operations };
  });
}

function conflictOf(number: number, kind: number, other: number): Operation {
  const path = `found/f${number}.txt`;
  const shared = SHARED[other % 2] ?? SHARED[0];
  if (kind === 0) return { does: "copy", from: shared, path };
  if (kind === 1) return { does: "copy", from: partOf(other + 1), path };
  if (kind === 2) return { does: "list", prefix: "parts/", path };
  if (kind === 3) return { does: "search", mark: markOf(1 + (other % Math.max(1, number - 1))), path };
  return { does: "append", path: shared };
}

/** As instructions: each line of a text is an operation. */
export function draftOfSteps(steps: LaneStep[]): Draft {
  const instructions = steps.map(({ id, needs, operations }, index) => ({
    id,
    ...(needs ? { needs } : {}),
    title: `Part ${index + 1}`,
    text: operations.map((each) => JSON.stringify(each)).join("\n"),
  }));
  const draft = draftFromData({ instructions });
  if ("problem" in draft) throw new Error(draft.problem);
  return draft;
}

export const operationsIn = (text: string): Operation[] =>
  [...text.matchAll(/^\{"does":.*\}$/gm)].map(([line]) => JSON.parse(line) as Operation);

/** What an operation writes, from what it finds: begun again it finds its own work, too, which says nothing. */
export function written(operation: Operation, number: number, all: string[]): string {
  const found = all.filter((each) => each !== markOf(number) && each !== partOf(number));
  const mark = `${markOf(number)}\n`;
  if (operation.does === "write") return mark;
  if (operation.does === "append") return [...found, markOf(number)].map((each) => `${each}\n`).join("");
  // No mark, so that what is found says nothing to those who search.
  return `${operation.does}: ${found.map((each) => each.replace("mark-", "")).join(", ")}\n`;
}

export const marksIn = (text: string): string[] => [...text.matchAll(/mark-\d{3}/g)].map(([mark]) => mark);

/** The files of the program: a plain loop over its instructions. */
export function interpretSteps(steps: LaneStep[]): Files {
  const files: Files = new Map();
  steps.forEach(({ operations }, index) => {
    // All that an instruction looks at, it looks at before it writes.
    const contents = operations.map((each) => written(each, index + 1, foundBy(each, files)));
    operations.forEach(({ path }, at) => void files.set(path, contents[at] ?? ""));
  });
  return files;
}

export const hashOfSteps = (steps: LaneStep[]): string =>
  treeHash([...interpretSteps(steps)].map(([path, text]) => ({ path, sha256: sha256(encodeText(text)) })));

function foundBy(operation: Operation, files: Files): string[] {
  const paths = [...files.keys()].toSorted();
  switch (operation.does) {
    case "write":
      return [];
    case "append":
      return marksIn(files.get(operation.path) ?? "");
    case "copy":
      return marksIn(files.get(operation.from) ?? "");
    case "list":
      return paths.filter((path) => path.startsWith(operation.prefix));
    case "search":
      return paths.filter((path) => files.get(path)?.includes(operation.mark));
  }
}
