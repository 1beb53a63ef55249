/** Looks for stubs in the files that an instruction changed. What came with the task, or was accepted, is not judged again. */
import { readFileSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { SyntaxResult } from "../language.ts";
import type { Tree } from "../tree.ts";
import { type ChangedSource, findStubs, mayHoldStubs, type SourceFile } from "./stubs.ts";

export interface ChangedFile {
  path: string;
  /** As the last accepted tree had it. Absent: it is new. */
  before?: Uint8Array;
}

/** `paths`: only these. Finding none says nothing about the syntax. */
export async function stubsIn(tree: Tree, changed: ChangedFile[], paths?: string[]): Promise<SyntaxResult[]> {
  const there = new Set(tree.files);
  const moved = changed.filter(({ path }) => !there.has(path));
  const files: ChangedSource[] = [];
  for (const { path, before } of changed) {
    if (!there.has(path) || !mayHoldStubs(path) || (paths && !paths.includes(path)) || isLarge(tree, path)) continue;
    const old = before ?? moved.find((other) => nameOf(other.path) === nameOf(path))?.before;
    const text = await readFile(join(tree.folder, path), "utf8");
    files.push({ path, text, ...(old ? { before: new TextDecoder().decode(old) } : {}) });
  }
  if (files.length === 0) return [];
  const { errors, warnings } = findStubs(files, () => sourcesOf(tree));
  const advice = warnings.length > 0 ? { warnings } : {};
  if (errors.length > 0) return [{ status: "failed", errors, ...advice }];
  return warnings.length > 0 ? [{ status: "not_run", reason: "nothing_to_check", errors, ...advice }] : [];
}

/** Generated files are not read. */
const LARGEST_BYTES = 1024 * 1024;
const isLarge = ({ folder }: Tree, path: string): boolean => statSync(join(folder, path)).size > LARGEST_BYTES;

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

const sourcesOf = (tree: Tree): SourceFile[] =>
  tree.files
    .filter((path) => mayHoldStubs(path) && !isLarge(tree, path))
    .map((path) => ({ path, text: readFileSync(join(tree.folder, path), "utf8") }));
