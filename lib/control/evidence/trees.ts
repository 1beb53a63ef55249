/** The trees that a check is executed on: as the step found it, as it is now, and with stubs in place of the code. */
import { withRemarks } from "../../core/evidence/stubs/remark.ts";
import { canStub, type StubbedText, type StubValue, stubFile } from "../../core/evidence/stubs/stub-file.ts";
import type { Change } from "../../core/ports.ts";
import { decodeText, encodeText } from "../../core/text/file-text.ts";
import { isTestPath, isTestSetting } from "../../core/verdict/test-paths.ts";
import { sha256 } from "../files/digest.ts";
import { treeHash } from "../files/tree-hash.ts";
import type { StepState } from "../turn/step-state.ts";
import type { World } from "../world.ts";

/** By path, the hash of each file. */
export type TreeFiles = Map<string, string>;

export const hashOfFiles = (files: TreeFiles): string =>
  treeHash([...files].map(([path, sha]) => ({ path, sha256: sha })));

/** A tree as changes of the latest pack, and its name. */
export interface EvaluatedTree {
  changes: Change[];
  hash: string;
}

export interface StepTrees {
  base: TreeFiles;
  work: TreeFiles;
  /** Since the latest pack. */
  changes: Change[];
}

type Place = { world: Pick<World, "registry">; state: StepState };

/** As the instruction found them. */
export async function filesBefore({ world, state: { run, entries } }: Place): Promise<TreeFiles> {
  const files = await committedFiles(world, run.id);
  for (const { turn } of entries.toReversed()) {
    for (const { path, was } of turn.changes.toReversed()) {
      if (was === null) files.delete(path);
      else files.set(path, was);
    }
  }
  return files;
}

export const committedFiles = async ({ registry }: Place["world"], runId: string): Promise<TreeFiles> =>
  new Map((await registry.allFiles(runId)).map(({ path, sha256: sha }) => [path, sha]));

export async function treesOf(place: Place): Promise<StepTrees> {
  const { world, state } = place;
  const changes = await state.tree.changes();
  return {
    base: await filesBefore(place),
    work: changed(await committedFiles(world, state.run.id), changes),
    changes,
  };
}

/** What the files are after the changes. */
export function changed(files: TreeFiles, changes: Change[]): TreeFiles {
  const after = new Map(files);
  for (const { path, content } of changes) {
    if (content === null) after.delete(path);
    else after.set(path, sha256(content));
  }
  return after;
}

/** As the step found it, with the tests of now: what they test is not there yet. */
export function baseTree({ base, changes }: StepTrees): EvaluatedTree {
  const tests = changes.filter(({ path, content }) => content !== null && isOfTests(path));
  return { changes: tests, hash: hashOfFiles(changed(base, tests)) };
}

export const workTree = ({ work, changes }: StepTrees): EvaluatedTree => ({ changes, hash: hashOfFiles(work) });

export const isOfTests = (path: string): boolean => isTestPath(path) || isTestSetting(path);

/** Larger trees: what the instruction changed, and so many others. */
const STUBBED_FILES = 300;
const STUBBED_BYTES = 500_000;

export interface StubTree extends EvaluatedTree {
  bodies: number;
  files: number;
}

interface Sources {
  read: (path: string) => Promise<Uint8Array | undefined>;
  /** Not these: a command names them, so that they are part of the check. */
  except: readonly string[];
}

/** Undefined: there is no function that could be replaced. */
export const stubTree = (trees: StepTrees, sources: Sources, value: StubValue): Promise<StubTree | undefined> =>
  editedTree(trees, sources, (path, text) => stubFile(path, text, value));

/** With remarks in each source file: it does the same, and its text is another. */
export const remarkedTree = (trees: StepTrees, sources: Sources): Promise<StubTree | undefined> =>
  editedTree(trees, sources, (path, text) => ({ text: withRemarks(path, text), bodies: 0 }));

/** Of code that stubs can be made of, without tests: what the instruction changed comes first. */
export async function sourceTexts(
  { work, changes }: StepTrees,
  { read, except }: Sources,
): Promise<{ path: string; text: string }[]> {
  const own = changes.map(({ path }) => path).filter((path) => work.has(path));
  const paths = [...new Set([...own, ...work.keys()])].filter(
    (path) => canStub(path) && !isOfTests(path) && !except.includes(path),
  );
  const sources: { path: string; text: string }[] = [];
  for (const path of paths.slice(0, STUBBED_FILES)) {
    const bytes = await read(path);
    const text = bytes && bytes.length <= STUBBED_BYTES ? decodeText(bytes) : undefined;
    if (text !== undefined) sources.push({ path, text });
  }
  return sources;
}

async function editedTree(
  trees: StepTrees,
  sources: Sources,
  edit: (path: string, text: string) => StubbedText | undefined,
): Promise<StubTree | undefined> {
  const { work, changes } = trees;
  const stubs = (await sourceTexts(trees, sources)).flatMap(({ path, text }) => {
    const stub = edit(path, text);
    return stub ? [{ path, content: encodeText(stub.text), bodies: stub.bodies }] : [];
  });
  if (stubs.length === 0) return undefined;
  const replaced = stubs.map(({ path, content }) => ({ path, content }));
  return {
    changes: [...changes.filter(({ path }) => !stubs.some((stub) => stub.path === path)), ...replaced],
    hash: hashOfFiles(changed(work, replaced)),
    bodies: stubs.reduce((sum, { bodies }) => sum + bodies, 0),
    files: stubs.length,
  };
}

/** With nothing in these files: they are there, and say nothing. */
export function emptiedTree(
  { work, changes }: Pick<StepTrees, "work" | "changes">,
  paths: readonly string[],
): EvaluatedTree {
  const empty: Change[] = paths.map((path) => ({ path, content: new Uint8Array() }));
  return {
    changes: [...changes.filter(({ path }) => !paths.includes(path)), ...empty],
    hash: hashOfFiles(changed(work, empty)),
  };
}
