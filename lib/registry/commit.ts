/** The commit of a turn: run, turn, directory, instruction and events change together or not at all. */

import { Fenced } from "../core/errors.ts";
import type { Evidence } from "../core/evidence/evidence.ts";
import type { MetCheck } from "../core/evidence/gate-evidence.ts";
import { EVENTS_PER_TURN, PATHS_PER_TURN } from "../core/limits.ts";
import type { Attributes, Condition, Write } from "../core/ports.ts";
import { takenBy } from "../core/program/ahead.ts";
import type { Instruction } from "../core/program/program.ts";
import { activeMsAt } from "../core/run/active-time.ts";
import type { EventBody } from "../core/run/event.ts";
import type { Run } from "../core/run/run.ts";
import type { FileEntry, Turn } from "../core/turn/turn.ts";
import type { StoredBaseline } from "../core/verdict/known-red.ts";
import type { TestLocks } from "../core/verdict/test-locks.ts";
import { compareAndSet } from "./compare-and-set.ts";
import { fenced, fenceOf, notCancelled, throwIfFenced } from "./fence.ts";
import { aheadKey, baselineKey, evidenceKey, fileKey, instructionKey, locksKey, turnKey } from "./keys.ts";
import { iso, type RunWrite, turnsGivenBack, type WriteContext, writeRun } from "./write-run.ts";

/** A directory entry changes by compare-and-set: `was` is the hash that the change was made on. */
export interface EntryChange {
  folded: string;
  entry: FileEntry | null;
  was: string | null;
}

export type RunPatch = Partial<Run> & { remove?: (keyof Run)[] };

export interface EvidenceUpdate {
  of: Pick<Evidence, "requirement" | "n">;
  set: Partial<MetCheck> & Pick<Evidence, "again" | "changed" | "delivered" | "replacedBy">;
}

export interface Commit {
  run?: RunPatch;
  turn?: Turn;
  /** The turn must be new; otherwise it replaces the answered one. */
  newTurn?: boolean;
  entries?: EntryChange[];
  instruction?: { number: number; set: Partial<Instruction> };
  /** A step that the program has come to. */
  newInstruction?: Instruction;
  baseline?: StoredBaseline;
  testLocks?: TestLocks;
  /** Gathered now: none of that name is there yet. */
  evidence?: Evidence[];
  /** What was found when it was executed again. */
  evidenceFound?: EvidenceUpdate[];
  events?: EventBody[];
  /** Endings are written also when the run was cancelled. */
  evenIfCancelled?: boolean;
}

/** Answers the run after the commit; throws Fenced or Cancelled when the fence no longer holds. */
export async function commit(context: WriteContext, run: Run, commit: Commit): Promise<Run> {
  let latest = run;
  return compareAndSet(
    async () => {
      const written = await writeRun(context, writeOf(latest, commit, context.now));
      if (written.ok) return written.run;
      const fresh = await throwIfFenced(context.table, fenceOf(run), commit.evenIfCancelled);
      if (fresh.events === latest.events && run.lane !== undefined)
        throw new Fenced(`Lane ${run.lane} of run ${run.id} has lost its instruction.`);
      if (fresh.events === latest.events)
        throw new Error(`The directory of run ${run.id} changed under its own fence.`);
      // Another writer added an event (a cancellation, say): ours are numbered after it.
      latest = { ...latest, events: fresh.events };
      return undefined;
    },
    () => new Error(`Run ${run.id}: the events of others kept coming in between; nothing was written.`),
  );
}

function writeOf(run: Run, commit: Commit, now: number): RunWrite {
  const {
    turn,
    newTurn = false,
    entries = [],
    instruction,
    newInstruction,
    baseline,
    testLocks,
    evidence = [],
    evidenceFound = [],
    events = [],
    evenIfCancelled,
  } = commit;
  const { remove = [], ...patch } = commit.run ?? {};
  if (events.length > EVENTS_PER_TURN) throw new Error(`${events.length} events in one commit`);
  if (entries.length > PATHS_PER_TURN) throw new Error(`${entries.length} paths in one commit`);
  const when: Condition[] = [...fenced(fenceOf(run)), { attribute: "events", is: run.events }];
  if (!evenIfCancelled) when.push(notCancelled);
  // What a lane had in flight when the run ended is settled, and nothing else is written.
  if (run.lane !== undefined && events.length > 0) when.push({ attribute: "endedAt", missing: true });
  const items: Write[] = [
    ...(turn ? [turnWrite(run, turn, newTurn)] : []),
    ...entries.map((change) => entryWrite(run.id, change)),
    ...(instruction ? [instructionWrite(run, instruction)] : []),
    ...(newInstruction ? [newInstructionWrite(run.id, newInstruction)] : []),
    ...(testLocks ? [{ put: { ...locksKey(run.id), ...(testLocks as unknown as Attributes) } }] : []),
    ...evidence.map((each) => evidenceWrite(run.id, each)),
    ...evidenceFound.map(({ of, set }) => ({ update: evidenceKey(run.id, of), set: set as unknown as Attributes })),
    ...(baseline ? [{ put: { ...baselineKey(run.id), ...(baseline as unknown as Attributes) } }] : []),
  ];
  const set = { ...activeTime(run, now), ...patch };
  return { run, set, remove, when, items, events, pool: { turns: turn ? 0 : turnsGivenBack(run, set), when: [] } };
}

function activeTime(run: Run, now: number): Partial<Run> {
  const updatedAt = iso(now);
  return run.markedAt === undefined ? { updatedAt } : { updatedAt, activeMs: activeMsAt(run, now), markedAt: now };
}

function turnWrite({ id, lane }: Run, turn: Turn, isNew: boolean): Write {
  const item = { ...(lane === undefined ? turnKey : aheadKey)(id, turn), ...(turn as unknown as Attributes) };
  const when: Condition = isNew ? { item: "absent" } : { attribute: "state", is: "answered" };
  return { put: item, when: [when] };
}

function entryWrite(runId: string, { folded, entry, was }: EntryChange): Write {
  const key = fileKey(runId, folded);
  const when: Condition[] = [was === null ? { item: "absent" } : { attribute: "sha256", is: was }];
  return entry ? { put: { ...key, ...entry }, when } : { delete: key, when };
}

const evidenceWrite = (runId: string, evidence: Evidence): Write => ({
  put: { ...evidenceKey(runId, evidence), ...(evidence as unknown as Attributes) },
  when: [{ item: "absent" }],
});

/** The instruction of a lane is its own only as long as it is marked so. */
const instructionWrite = ({ id, lane, packed }: Run, { number, set }: NonNullable<Commit["instruction"]>): Write => ({
  update: instructionKey(id, number),
  set: set as unknown as Attributes,
  ...(lane === undefined ? {} : { when: [{ attribute: "ahead", is: takenBy(lane, packed) }] }),
});

const newInstructionWrite = (runId: string, instruction: Instruction): Write => ({
  put: { ...instructionKey(runId, instruction.number), ...(instruction as unknown as Attributes) },
});
