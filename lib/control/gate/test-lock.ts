/** The tests of the last accepted tree are locked: what the instruction that is computed now has made of them. */
import { foldPath } from "../../core/text/file-path.ts";
import type { Turn } from "../../core/turn/turn.ts";
import {
  isTestPath,
  isTestSetting,
  type TestChange,
  type Weakening,
  weakeningsOf,
} from "../../core/verdict/locked-tests.ts";
import { type PathToRevert, pathsToRevert } from "../files/revert.ts";
import { readBlob } from "../files/verified-read.ts";
import { type StepState, turnsOf } from "../turn/step-state.ts";
import type { World } from "../world.ts";

type Place = Pick<World, "files" | "registry">;

/** What weakens them, amended or not. Read is only what was changed, and only of tests and their settings. */
export async function weakenedTests(world: Place, state: StepState): Promise<Weakening[]> {
  const allChanged = changedNow(state);
  const changed = allChanged.filter(({ now, before }) => [now, before].some((file) => file && isLockable(file.path)));
  const contents = await Promise.all(
    changed.map(async ({ now, before }) => ({
      now: now && { path: now.path, text: textOf(await state.tree.work.read(now.path)) },
      before: before && { path: before.path, text: textOf(await readBlob(world.files, state.run.id, before.sha256)) },
    })),
  );
  const changes = contents.flatMap(asChanges);
  // Only settings say where tests lie.
  const tests = changes.some(({ path }) => isTestSetting(path)) ? await lockedPaths(world, state, allChanged) : [];
  return weakeningsOf(changes, { tests });
}

/** The tests of the last accepted tree, of whose directory the changes are a part by now. */
async function lockedPaths({ registry }: Place, { run }: StepState, changed: PathToRevert[]): Promise<string[]> {
  const folded = new Set(changed.map((each) => each.folded));
  const standing = (await registry.allFiles(run.id))
    .map(({ path }) => path)
    .filter((path) => !folded.has(foldPath(path)));
  const before = changed.flatMap((each) => (each.before ? [each.before.path] : []));
  return [...standing, ...before].filter(isTestPath);
}

interface Text {
  path: string;
  text: string;
}

function asChanges({ now, before }: { now: Text | undefined; before: Text | undefined }): TestChange[] {
  if (now && before && now.path === before.path) return [{ path: now.path, before: before.text, after: now.text }];
  // A name of another case is another name for runners, though not on every disk.
  return [
    ...(before ? [{ path: before.path, before: before.text }] : []),
    ...(now ? [{ path: now.path, after: now.text }] : []),
  ];
}

/** How many more tests there are than in the last accepted tree, or fewer. */
export function testsAdded(turns: Pick<Turn, "changes">[]): number {
  const changed = pathsToRevert(turns);
  const tests = (end: "now" | "before"): number =>
    changed.filter((each) => each[end] && isTestPath(each[end].path)).length;
  return tests("now") - tests("before");
}

export const testsAmong = (paths: Iterable<string>): number => [...paths].filter(isTestPath).length;

/** Tests, and what says how they are run. */
export const isLockable = (path: string): boolean => isTestPath(path) || isTestSetting(path);

/** What the instruction has changed so far, this turn's changes included. */
export const changedNow = (state: StepState): PathToRevert[] =>
  pathsToRevert([...turnsOf(state), { changes: state.tree.turnChanges(0).flatMap(({ changes }) => changes) }]);

const decoder = new TextDecoder();
/** Whatever is no text compares all the same. */
const textOf = (bytes: Uint8Array | undefined): string => decoder.decode(bytes ?? new Uint8Array());
