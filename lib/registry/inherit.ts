/** Puts what a run inherits under the run's own keys, fenced batch by batch and safe to repeat; and who still copies a run. */
import type { Evidence } from "../core/evidence/evidence.ts";
import { ITEMS_PER_BATCH } from "../core/limits.ts";
import type { Attributes, Item, ItemKey, Table, Write } from "../core/ports.ts";
import type { Instruction, Requirement } from "../core/program/program.ts";
import { isEnded, type Run } from "../core/run/run.ts";
import type { FileEntry, Turn } from "../core/turn/turn.ts";
import type { StoredBaseline } from "../core/verdict/known-red.ts";
import type { TestLocks } from "../core/verdict/test-locks.ts";
import { putInBatches } from "./create.ts";
import { type Fence, fenced, notCancelled, readStored, throwIfFenced } from "./fence.ts";
import {
  aheadKey,
  baselineKey,
  evidenceKey,
  fileKey,
  instructionKey,
  locksKey,
  metaKey,
  requirementKey,
  runKey,
  turnKey,
} from "./keys.ts";

export interface Inheritance {
  turns?: Turn[];
  /** Of lanes. */
  aheadTurns?: Turn[];
  /** By folded path; null: there is no such file any more. */
  entries?: Map<string, FileEntry | null>;
  instruction?: Instruction;
  requirements?: Requirement[];
  baseline?: StoredBaseline;
  testLocks?: TestLocks;
  evidence?: Evidence[];
}

export async function putInherited(table: Table, fence: Fence, given: Inheritance): Promise<void> {
  const { runId } = fence;
  const {
    turns = [],
    aheadTurns = [],
    entries = new Map<string, FileEntry | null>(),
    instruction,
    baseline,
    testLocks,
    requirements = [],
    evidence = [],
  } = given;
  const files = [...entries].map(([folded, entry]) => ({ key: fileKey(runId, folded), entry }));
  const items = [
    ...turns.map((turn) => itemOf(turnKey(runId, turn), turn)),
    ...aheadTurns.map((turn) => itemOf(aheadKey(runId, turn), turn)),
    ...files.flatMap(({ key, entry }) => (entry ? [itemOf(key, entry)] : [])),
    ...(instruction ? [itemOf(instructionKey(runId, instruction.number), instruction)] : []),
    ...requirements.map((each) => itemOf(requirementKey(runId, each.id), each)),
    ...(baseline ? [itemOf(baselineKey(runId), baseline)] : []),
    ...evidence.map((each) => itemOf(evidenceKey(runId, each), each)),
    ...(testLocks ? [itemOf(locksKey(runId), testLocks)] : []),
  ];
  const gone = files.flatMap(({ key, entry }) => (entry ? [] : [key]));
  const check = { check: metaKey(runId), when: [...fenced(fence), notCancelled] };
  const written = (await putInBatches(table, items, check)) && (await deleteInBatches(table, gone, check));
  if (!written) await throwIfFenced(table, fence);
}

const itemOf = (key: ItemKey, value: object): Item => ({ ...key, ...(value as Attributes) });

async function deleteInBatches(table: Table, keys: ItemKey[], check: Write): Promise<boolean> {
  for (let start = 0; start < keys.length; start += ITEMS_PER_BATCH) {
    const batch = keys.slice(start, start + ITEMS_PER_BATCH).map((key) => ({ delete: key }));
    if (!(await table.transact([...batch, check])).ok) return false;
  }
  return true;
}

/** The first fork that has not copied all of this run yet. One that ended meanwhile does not count. */
export async function findCopyingFork(table: Table, runId: string): Promise<Run | undefined> {
  for (const { sk } of await table.query(runKey(runId), { prefix: FORK })) {
    const fork = await readStored(table, sk.slice(FORK.length));
    if (fork && fork.inheriting !== undefined && !fork.deleting && !isEnded(fork.status)) return fork;
  }
  return undefined;
}

const FORK = "FORK#";
