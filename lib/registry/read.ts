/** Reading what is known of one run: itself, its program, turns, events, the directory of files. */
import { Unreadable } from "../core/errors.ts";
import { Evidence } from "../core/evidence/evidence.ts";
import type { Item, Table } from "../core/ports.ts";
import { Instruction, inOrder, Requirement } from "../core/program/program.ts";
import { Event } from "../core/run/event.ts";
import type { Run } from "../core/run/run.ts";
import { FileEntry, Turn } from "../core/turn/turn.ts";
import { StoredBaseline } from "../core/verdict/known-red.ts";
import { TestLocks } from "../core/verdict/test-locks.ts";
import { readRun } from "./fence.ts";
import { baselineKey, EVIDENCE_PREFIX, fileKey, instructionKey, locksKey, runKey, turnsPrefix } from "./keys.ts";
import { parseItem } from "./parse-item.ts";
import { withFormat } from "./upgrade.ts";

export const createReader = (table: Table) => ({
  run: (runId: string): Promise<Run | undefined> => readRun(table, runId),

  ...createProgramReader(table),

  /** Without those of lanes. */
  async turns(runId: string, instruction: number): Promise<Turn[]> {
    const items = await all(table, runKey(runId), turnsPrefix(instruction));
    return items.map((item) => parseItem(Turn, item));
  },

  async events(runId: string, range: { after: number; limit: number }): Promise<Event[]> {
    const after = `EVENT#${String(range.after).padStart(9, "0")}`;
    const items = await table.query(runKey(runId), { prefix: "EVENT#", after, limit: range.limit });
    return items.map(eventOf);
  },

  async file(runId: string, folded: string): Promise<FileEntry | undefined> {
    const item = await table.get(fileKey(runId, folded));
    return item && parseItem(FileEntry, item);
  },

  baseline: (runId: string): Promise<StoredBaseline | undefined> => readBaseline(table, runId),
  testLocks: (runId: string): Promise<TestLocks> => readTestLocks(table, runId),

  /** Of all requirements, of each in the order in which it was gathered. */
  async evidence(runId: string): Promise<Evidence[]> {
    const items = await all(table, runKey(runId), EVIDENCE_PREFIX);
    return items.map((item) => parseItem(Evidence, item));
  },

  /** In order of the folded path. */
  async files(runId: string, range: { prefix?: string; after?: string; limit: number }): Promise<FileEntry[]> {
    const after = range.after === undefined ? {} : { after: `FILE#${range.after}` };
    const items = await table.query(runKey(runId), {
      prefix: `FILE#${range.prefix ?? ""}`,
      limit: range.limit,
      ...after,
    });
    return items.map((item) => parseItem(FileEntry, item));
  },

  async allFiles(runId: string): Promise<FileEntry[]> {
    const items = await all(table, runKey(runId), "FILE#");
    return items.map((item) => parseItem(FileEntry, item));
  },
});

const createProgramReader = (table: Table) => ({
  async instruction(runId: string, number: number): Promise<Instruction | undefined> {
    const item = await table.get(instructionKey(runId, number));
    return item && parseItem(Instruction, item);
  },

  async instructions(runId: string): Promise<Instruction[]> {
    const items = await all(table, runKey(runId), "INSTR#");
    return items.map((item) => parseItem(Instruction, item));
  },

  /** A part of the program, so that a prompt costs the same however long it is. */
  async instructionsFrom(runId: string, { first, limit }: { first: number; limit: number }): Promise<Instruction[]> {
    const after = first > 1 ? { after: instructionKey(runId, first - 1).sk } : {};
    const items = await table.query(runKey(runId), { prefix: "INSTR#", limit, ...after });
    return items.map((item) => parseItem(Instruction, item));
  },

  async requirements(runId: string): Promise<Requirement[]> {
    const items = await all(table, runKey(runId), "REQ#");
    return inOrder(items.map((item) => parseItem(Requirement, item)));
  },
});

/** Absent for a run that starts from nothing, and for one of an earlier version. */
async function readBaseline(table: Table, runId: string): Promise<StoredBaseline | undefined> {
  const item = await table.get(baselineKey(runId));
  return item && parseItem(StoredBaseline, item);
}

async function readTestLocks(table: Table, runId: string): Promise<TestLocks> {
  const item = await table.get(locksKey(runId));
  return item ? parseItem(TestLocks, item) : { locks: {} };
}

/** An event of a newer version keeps its number, so that watchers miss none. */
function eventOf(item: Item): Event {
  try {
    return parseItem(Event, item);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const text = `A newer version of l2mac wrote this event, of type ${JSON.stringify(item.type ?? null)}.`;
    return parseItem(Event, { ...withFormat(item), type: "notice", text });
  }
}

const all = (table: Table, pk: string, prefix: string): Promise<Item[]> => table.query(pk, { prefix });
