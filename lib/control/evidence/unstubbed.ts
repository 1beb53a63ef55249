/** What an instruction wrote of which no stubs can be made: code in other languages, pages, documents, data. */
import { canStub, stubFile } from "../../core/evidence/stubs/stub-file.ts";
import type { Change } from "../../core/ports.ts";
import { decodeText } from "../../core/text/file-text.ts";
import { sourceLanguageOf } from "../../core/text/source-languages.ts";
import { type EvaluatedTree, hashOfFiles, isOfTests, type StepTrees } from "./trees.ts";

export interface Unstubbed {
  /** The first of its languages: `Rust`. */
  what: string;
  /** The work without it. Absent: it is all that the instruction wrote. */
  tree?: EvaluatedTree;
}

interface Reading {
  read: (path: string) => Promise<Uint8Array | undefined>;
  /** Files of the check stay. */
  kept: readonly string[];
}

/** Undefined: each file that the instruction wrote has functions that stubs replace. */
export async function treeWithoutUnstubbed(
  { base, work, changes }: StepTrees,
  { read, kept }: Reading,
): Promise<Unstubbed | undefined> {
  const written = [...work].filter(([path, sha]) => base.get(path) !== sha && !isOfTests(path)).map(([path]) => path);
  const stubbed = new Set<string>();
  for (const path of written) if (await hasStubs(path, read)) stubbed.add(path);
  const others = written.filter((path) => !stubbed.has(path));
  const what = others.map(nameOf).find((name) => name !== undefined) ?? "what is no code";
  if (stubbed.size === 0) return { what };
  // What was there before the instruction is not within reach here: a file that was changed stays as it is.
  const removed = others.filter((path) => !base.has(path) && !kept.includes(path));
  if (removed.length === 0) return undefined;
  const gone: Change[] = removed.map((path) => ({ path, content: null }));
  const left = new Map(work);
  for (const path of removed) left.delete(path);
  const tree = {
    changes: [...changes.filter(({ path }) => !removed.includes(path)), ...gone],
    hash: hashOfFiles(left),
  };
  return { what, tree };
}

const nameOf = (path: string): string | undefined => {
  const name = sourceLanguageOf(path)?.name;
  return name !== undefined && canStub(path) ? `${name} without functions` : name;
};

async function hasStubs(path: string, read: Reading["read"]): Promise<boolean> {
  if (!canStub(path)) return false;
  const bytes = await read(path);
  const text = bytes && decodeText(bytes);
  return text !== undefined && stubFile(path, text, "nothing") !== undefined;
}
