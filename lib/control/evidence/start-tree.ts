/** The files that a run started from, with the tests of now: what worked before it is there. */
import { changesBetween, readEntry } from "../../pack/pack.ts";
import { readTree } from "../files/packs.ts";
import type { StepState } from "../turn/step-state.ts";
import type { World } from "../world.ts";
import { changed, committedFiles, type EvaluatedTree, hashOfFiles, isOfTests, type StepTrees } from "./trees.ts";

export interface StartTree extends EvaluatedTree {
  /** To make stubs of it. */
  trees: StepTrees;
  read: (path: string) => Promise<Uint8Array | undefined>;
  /** By path, what was given: the hash of each file. */
  given: ReadonlyMap<string, string>;
}

/** Undefined: the run started from nothing but tests. Tests that it was given are as they were, later ones as they are. */
export async function startTree(
  { world, state }: { world: Pick<World, "registry" | "files">; state: StepState },
  { changes }: StepTrees,
): Promise<StartTree | undefined> {
  const { id, packed } = state.run;
  const start = await readTree(world.files, id, 0);
  if (![...start.keys()].some((path) => !isOfTests(path))) return undefined;
  const isLater = (path: string): boolean => isOfTests(path) && !start.has(path);
  const backwards = changesBetween(await readTree(world.files, id, packed), start);
  const tests = changes.filter(({ path }) => isLater(path));
  const all = [...backwards.filter(({ path }) => !isLater(path)), ...tests];
  const files = changed(await committedFiles(world, id), all);
  const given = new Map([...files].filter(([path]) => start.has(path)));
  const read = async (path: string): Promise<Uint8Array | undefined> => {
    const entry = start.get(path);
    return entry && readEntry(entry);
  };
  return { changes: all, hash: hashOfFiles(files), trees: { base: files, work: files, changes: all }, read, given };
}
