/** The one transaction of a turn: run, turn, directory, instruction and events change together or not at all. */

import { EVENTS_PER_TURN, PATHS_PER_TURN } from "../core/limits.ts";
import type { Attributes, Condition, Item, Table, Write } from "../core/ports.ts";
import type { Instruction } from "../core/program/program.ts";
import type { Event, EventBody } from "../core/run/event.ts";
import type { Run } from "../core/run/run.ts";
import type { FileEntry, Turn } from "../core/turn/turn.ts";
import { ledgerEntry, transactWithLedger } from "./daily-ledger.ts";
import { type Fence, fenced, notCancelled, throwIfFenced } from "./fence.ts";
import { eventKey, fileKey, instructionKey, metaKey, turnKey } from "./keys.ts";
import { outboxOf } from "./outbox.ts";

/** A directory entry changes by compare-and-set: `was` is the hash that the change was made on. */
export interface EntryChange {
  folded: string;
  entry: FileEntry | null;
  was: string | null;
}

export type RunPatch = Partial<Run> & { remove?: (keyof Run)[] };

export interface Commit {
  run?: RunPatch;
  turn?: Turn;
  /** The turn must be new; otherwise it replaces the answered one. */
  newTurn?: boolean;
  entries?: EntryChange[];
  instruction?: { number: number; set: Partial<Instruction> };
  events?: EventBody[];
  /** Endings are written also when the run was cancelled. */
  evenIfCancelled?: boolean;
}

const TRIES = 5;

/** Answers the run as it stands after the commit; throws Fenced or Cancelled where the fence no longer holds. */
export async function commit(asked: {
  table: Table;
  now: number;
  notifies: boolean;
  fence: Fence;
  run: Run;
  commit: Commit;
}): Promise<Run> {
  let { run } = asked;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { writes, after } = plan({ ...asked, run });
    const written = await transactWithLedger(asked.table, writes, ledgerEntry(run, after));
    if (written.ok) return after;
    const fresh = await throwIfFenced(asked.table, asked.fence, asked.commit.evenIfCancelled);
    if (fresh.events === run.events) throw new Error(`The directory of run ${run.id} changed under its own fence.`);
    // Somebody else noted an event (a cancel, say): number ours after it.
    run = { ...run, events: fresh.events };
  }
  throw new Error(`Run ${run.id}: the events of others kept coming in between; nothing was written.`);
}

interface Asked {
  now: number;
  notifies: boolean;
  fence: Fence;
  run: Run;
  commit: Commit;
}

function plan(asked: Asked): { writes: Write[]; after: Run } {
  const { fence, run, commit } = asked;
  const events = commit.events ?? [];
  const entries = commit.entries ?? [];
  if (events.length > EVENTS_PER_TURN) throw new Error(`${events.length} events in one commit`);
  if (entries.length > PATHS_PER_TURN) throw new Error(`${entries.length} paths in one commit`);
  const { patch, remove } = patchOf(run, commit.run ?? {}, asked.now);
  const set = { ...patch, events: run.events + events.length };
  const when: Condition[] = [...fenced(fence), { attribute: "events", is: run.events }];
  if (!commit.evenIfCancelled) when.push(notCancelled);
  const writes: Write[] = [{ update: metaKey(run.id), set: set as unknown as Attributes, remove, when }];
  if (commit.turn) writes.push(turnWrite(run.id, commit.turn, commit.newTurn ?? false));
  for (const change of entries) writes.push(entryWrite(run.id, change));
  if (commit.instruction) writes.push(instructionWrite(run.id, commit.instruction));
  events.forEach((body, index) => {
    writes.push({ put: eventItem(run.id, { ...body, seq: run.events + index + 1, at: iso(asked.now) }) });
  });
  const after = { ...run, ...set };
  for (const attribute of remove) delete after[attribute as keyof Run];
  writes.push(...outboxOf({ ...asked, before: run, after }));
  return { writes, after };
}

export const iso = (now: number): string => new Date(now).toISOString();

export const eventItem = (runId: string, event: Event): Item => ({
  ...eventKey(runId, event.seq),
  ...(event as unknown as Attributes),
});

/** Time under computation is counted at every commit. */
function patchOf(
  run: Run,
  { remove = [], ...patch }: RunPatch,
  now: number,
): { patch: Partial<Run>; remove: string[] } {
  const active = run.markedAt === undefined ? 0 : Math.max(0, Math.round(now - run.markedAt));
  const marked = run.markedAt === undefined || remove.includes("markedAt") ? {} : { markedAt: now };
  return { patch: { updatedAt: iso(now), activeMs: run.activeMs + active, ...marked, ...patch }, remove };
}

function turnWrite(runId: string, turn: Turn, isNew: boolean): Write {
  const item = { ...turnKey(runId, turn), ...(turn as unknown as Attributes) };
  const when: Condition = isNew ? { item: "absent" } : { attribute: "state", is: "answered" };
  return { put: item, when: [when] };
}

function entryWrite(runId: string, { folded, entry, was }: EntryChange): Write {
  const key = fileKey(runId, folded);
  const when: Condition[] = [was === null ? { item: "absent" } : { attribute: "sha256", is: was }];
  return entry ? { put: { ...key, ...entry }, when } : { delete: key, when };
}

const instructionWrite = (runId: string, { number, set }: NonNullable<Commit["instruction"]>): Write => ({
  update: instructionKey(runId, number),
  set: set as unknown as Attributes,
});
