/** The tests of the last accepted tree are locked: what the instruction that is computed now has changed of them. */
import { defined } from "../../core/defined.ts";
import type { Turn } from "../../core/turn/turn.ts";
import type { AcceptedCases } from "../../core/verdict/accepted-cases.ts";
import { type TestChange, type Weakening, weakeningsOf } from "../../core/verdict/locked-tests.ts";
import { type LockedVersions, locksAfter } from "../../core/verdict/test-locks.ts";
import { isFoundByRunners, isTestPath, isTestSetting } from "../../core/verdict/test-paths.ts";
import { sha256 } from "../files/digest.ts";
import { type PathToRevert, pathsToRevert } from "../files/revert.ts";
import { readBlob } from "../files/verified-read.ts";
import { type StepState, turnsOf } from "../turn/step-state.ts";
import type { World } from "../world.ts";

type Place = Pick<World, "files" | "registry">;

export interface AcceptedTest {
  path: string;
  sha256: string;
  content: Uint8Array;
}

export interface LockedChanges {
  /** What is refused without running anything: deleted tests, changed settings. */
  weakened: Weakening[];
  /** The accepted versions of tests that have another text now. */
  accepted: AcceptedTest[];
  /** Older versions that are still locked, of tests that have another text now. */
  held: AcceptedTest[];
  /** Test files that no accepted tree had. */
  added: string[];
  /** Those that are not what they were, under the names that they had and have. */
  touched: string[];
  /** What stays locked in older versions, if the instruction is accepted. */
  locks: LockedVersions;
  /** The cases of the last accepted tree. */
  cases?: AcceptedCases;
}

/** Only what no amendment covers is looked at, and only tests and their settings are read. */
export async function lockedChanges(world: Place, state: StepState, amended: Set<string>): Promise<LockedChanges> {
  const { locks, cases } = await world.registry.testLocks(state.run.id);
  const changed = changedNow(state).filter(({ now, before }) =>
    [now, before].some((file) => file && isLockable(file.path)),
  );
  const contents = await Promise.all(
    changed.map(async ({ now, before }) => ({
      now: now && { path: now.path, bytes: (await state.tree.work.read(now.path)) ?? new Uint8Array() },
      before: before && { ...before, bytes: await readBlob(world.files, state.run.id, before.sha256) },
    })),
  );
  const accepted = contents.flatMap(({ now, before }) =>
    now && before && now.path === before.path && isTestPath(now.path)
      ? [{ path: before.path, sha256: before.sha256, content: before.bytes }]
      : [],
  );
  const open = accepted.filter(({ path }) => !amended.has(path));
  const { held, gone } = await heldVersions(world, state, locks);
  const changedTests = open.filter(({ path }) => isFoundByRunners(path));
  return {
    weakened: weakeningsOf(contents.flatMap(asChanges)).filter(({ path }) => !amended.has(path)),
    accepted: open,
    held: held.filter(({ path }) => !amended.has(path)),
    touched: [...amended, ...contents.flatMap(pathsOf).filter(isTestPath)],
    locks: locksAfter({ locks, changed: changedTests, amended: [...amended], gone }),
    ...defined({ cases }),
    added: contents.flatMap(({ now, before }) => (now && !before && isTestPath(now.path) ? [now.path] : [])),
  };
}

/** Of what the tree still has, in another version. */
async function heldVersions({ files }: Place, { run, tree }: StepState, locks: LockedVersions) {
  const found = await Promise.all(
    Object.entries(locks).map(async ([path, sha]) => {
      const now = await tree.work.read(path);
      const isHeld = now !== undefined && sha256(now) !== sha;
      return { path, sha256: sha, now, content: isHeld ? await readBlob(files, run.id, sha) : undefined };
    }),
  );
  return {
    held: found.flatMap(({ path, sha256: sha, content }) => (content ? [{ path, sha256: sha, content }] : [])),
    gone: found.flatMap(({ path, now }) => (now ? [] : [path])),
  };
}

/** What is new has had no cases. */
const pathsOf = ({ now, before }: { now: Content | undefined; before: Content | undefined }): string[] =>
  before ? [before.path, ...(now ? [now.path] : [])] : [];

interface Content {
  path: string;
  bytes: Uint8Array;
}

function asChanges({ now, before }: { now: Content | undefined; before: Content | undefined }): TestChange[] {
  const [after, old] = [now, before].map((file) => file && decoder.decode(file.bytes));
  if (now && before && now.path === before.path) return [{ path: now.path, before: old, after }];
  // A name of another case is another name for runners, though not on every disk.
  return [...(before ? [{ path: before.path, before: old }] : []), ...(now ? [{ path: now.path, after }] : [])];
}

/** Whatever is no text compares all the same. */
const decoder = new TextDecoder();

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
