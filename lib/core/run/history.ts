/** The history of a run: its files, program and totals after any of its turns. The page and the charts read it. Pure. */
import type { DraftInstruction, Instruction } from "../program/program.ts";
import { isOfRun, joinsAmong } from "../turn/lane-turns.ts";
import type { TurnRecord } from "../turn/turn.ts";

export const INSTRUCTION_STATES = ["accepted", "unchecked", "started", "stuck", "skipped", "pending"] as const;
export type InstructionState = (typeof INSTRUCTION_STATES)[number];

export const isAccepted = (state: InstructionState): boolean => state === "accepted" || state === "unchecked";
export const isDone = (state: InstructionState): boolean => isAccepted(state) || state === "skipped";

/** An instruction with what its turns do not show, where that is known. */
export type RecordedInstruction = Pick<DraftInstruction, "title" | "requirements"> & Partial<Instruction>;

export interface RunRecord {
  /** By instruction; of each those of a lane first, which change nothing of the run's files, then the run's own. */
  turns: readonly TurnRecord[];
  program: { instructions: RecordedInstruction[] };
  /** Paths that the run started with. */
  start?: readonly string[];
}

export interface FileSnapshot {
  path: string;
  /** The turn that wrote it; absent: the run started with it. */
  last?: TurnRecord;
}

export interface InstructionSnapshot {
  number: number;
  title: string;
  requirements: string[];
  state: InstructionState;
  turns: number;
  microUsd: number;
  milliseconds: number;
  /** How many more tests passed after it than before. */
  newTests: number;
  /** How often the gate refused it. */
  refusals: number;
  /** How many locked tests it changed. */
  amended: number;
}

/** The run after one of its turns. */
export interface RunSnapshot {
  /** Sorted by path. */
  files(): FileSnapshot[];
  has(path: string): boolean;
  /** Includes deletions. */
  lastChange(path: string): TurnRecord | undefined;
  instruction(number: number): InstructionSnapshot;
  /** Of all instructions, in the order of their numbers. */
  states(): InstructionState[];
  turnsOf(number: number): TurnRecord[];
  microUsd: number;
}

export interface RunHistory {
  instructions: number;
  /** The run after the turn at this index; -1: before the first. */
  at(index: number): RunSnapshot;
  changesOf(path: string): TurnRecord[];
  /** The last turn of planning and of each instruction. */
  ends(): TurnRecord[];
}

export function historyOf({ turns, program: { instructions }, start = [] }: RunRecord): RunHistory {
  const changes = changesByPath(turns);
  const indexed: IndexedRun = {
    turns,
    instructions,
    changes,
    turnsOf: Map.groupBy(turns.entries(), ([, { instruction }]) => instruction),
    passed: carryForward(turns.map((turn) => (isOfRun(turn) ? turn.found?.passed : undefined))),
    start: new Set(start),
    paths: [...new Set([...start, ...changes.keys()])].sort(),
  };
  const spent = runningTotals(turns.map(({ microUsd }) => microUsd));
  return {
    instructions: instructions.length,
    at: (index) => ({
      files: once(() => filesAt(indexed, index)),
      has: (path) => hasFile(indexed, path, index),
      lastChange: (path) => lastChange(indexed, path, index),
      instruction: (number) => instructionAt(indexed, number, index),
      states: once(() => instructions.map((_, at) => stateAt(indexed, at + 1, index))),
      turnsOf: (number) => turnsUntil(indexed, number, index).map(([, turn]) => turn),
      microUsd: spent[index] ?? 0,
    }),
    changesOf: (path) => (changes.get(path) ?? []).flatMap(([index]) => turns[index] ?? []),
    ends: () => [...indexed.turnsOf.values()].flatMap((own) => ownEntries(own).at(-1)?.[1] ?? []),
  };
}

type Indexed<Value> = [index: number, value: Value];

interface IndexedRun {
  turns: readonly TurnRecord[];
  instructions: RecordedInstruction[];
  /** By instruction, 0 for planning. Instructions may be executed in any order. */
  turnsOf: Map<number, Indexed<TurnRecord>[]>;
  /** By turn: how many tests passed when they were last run. */
  passed: (number | undefined)[];
  start: ReadonlySet<string>;
  /** Turns that changed a path, and whether they deleted it. */
  changes: Map<string, Indexed<{ isDeletion: boolean }>[]>;
  paths: string[];
}

const turnsUntil = ({ turnsOf }: IndexedRun, number: number, index: number): Indexed<TurnRecord>[] => {
  const own = turnsOf.get(number) ?? [];
  return own.slice(0, countUntil(own, index));
};

const ownEntries = (entries: Indexed<TurnRecord>[]): Indexed<TurnRecord>[] =>
  entries.filter(([, turn]) => isOfRun(turn));

/** With what a lane took, if nothing else: to join it is no turn. */
function countTurns(own: Indexed<TurnRecord>[]): number {
  const turns = own.map(([, turn]) => turn);
  const isJoin = joinsAmong(turns);
  return turns.filter((turn) => !isJoin(turn)).length;
}

function instructionAt(run: IndexedRun, number: number, index: number): InstructionSnapshot {
  const { title = "", requirements = [], milliseconds = 0 } = run.instructions[number - 1] ?? {};
  const own = turnsUntil(run, number, index);
  const sum = (of: (turn: TurnRecord) => number): number => own.reduce((total, [, turn]) => total + of(turn), 0);
  const state = stateAt(run, number, index);
  const isAll = own.length === run.turnsOf.get(number)?.length;
  return {
    number,
    title,
    requirements,
    state,
    turns: countTurns(own),
    microUsd: sum(({ microUsd }) => microUsd),
    // The recorded time includes the checks.
    milliseconds: isAll && milliseconds > 0 ? milliseconds : sum((turn) => turn.milliseconds),
    newTests: isAccepted(state) ? newTestsIn(run, own) : 0,
    refusals: sum(({ refused }) => (refused === undefined ? 0 : 1)),
    amended: sum((turn) => (isOfRun(turn) ? (turn.amended ?? []).length : 0)),
  };
}

function newTestsIn({ passed }: IndexedRun, own: Indexed<TurnRecord>[]): number {
  const [first = 0, last = 0] = [own[0]?.[0], own.at(-1)?.[0]];
  return Math.max(0, (passed[last] ?? 0) - (passed[first - 1] ?? 0));
}

function stateAt(run: IndexedRun, number: number, index: number): InstructionState {
  const { status, unchecked = [] } = run.instructions[number - 1] ?? {};
  const own = turnsUntil(run, number, index);
  // What a lane did is not accepted before it joins.
  const outcome = ownEntries(own).at(-1)?.[1].outcome;
  if (own.length === 0) return "pending";
  // The recorded status is the one after the last turn.
  const isAll = own.length === run.turnsOf.get(number)?.length;
  if (isAll && status === "skipped") return "skipped";
  if (isAll && status === "trapped") return "stuck";
  if (outcome === "accepted" || outcome === "answer") return unchecked.length > 0 ? "unchecked" : "accepted";
  return outcome === "discarded" ? "skipped" : "started";
}

function lastChange({ changes, turns }: IndexedRun, path: string, index: number): TurnRecord | undefined {
  const own = changes.get(path) ?? [];
  return turns[own[countUntil(own, index) - 1]?.[0] ?? -1];
}

function hasFile({ changes, start }: IndexedRun, path: string, index: number): boolean {
  const own = changes.get(path) ?? [];
  const last = own[countUntil(own, index) - 1]?.[1];
  return last ? !last.isDeletion : start.has(path);
}

const filesAt = (run: IndexedRun, index: number): FileSnapshot[] =>
  run.paths.flatMap((path) => {
    if (!hasFile(run, path, index)) return [];
    const last = lastChange(run, path, index);
    return [last ? { path, last } : { path }];
  });

function changesByPath(turns: readonly TurnRecord[]): IndexedRun["changes"] {
  const changes: IndexedRun["changes"] = new Map();
  for (const [index, turn] of turns.entries())
    for (const { path, sha256 } of isOfRun(turn) ? turn.changes : []) {
      const change: Indexed<{ isDeletion: boolean }> = [index, { isDeletion: sha256 === null }];
      const own = changes.get(path);
      if (own) own.push(change);
      else changes.set(path, [change]);
    }
  return changes;
}

/** How many of the entries, sorted by index, are at most at this index. */
function countUntil(entries: Indexed<unknown>[], index: number): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.[0] ?? 0) <= index) low = middle + 1;
    else high = middle;
  }
  return low;
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Each value, or the last one before it that is known; undefined before the first. */
export function carryForward(values: (number | undefined)[]): (number | undefined)[] {
  let last: number | undefined;
  return values.map((value) => {
    last = value ?? last;
    return last;
  });
}

function runningTotals(values: number[]): number[] {
  let total = 0;
  return values.map((value) => {
    total += value;
    return total;
  });
}

/** The index of a turn, or of the last turn of an instruction. */
export const indexOfTurn = (
  turns: readonly TurnRecord[],
  at: { instruction: number; turn?: number; lane?: number | undefined },
): number =>
  turns.findLastIndex(
    ({ instruction, turn, lane }) =>
      instruction === at.instruction && (at.turn === undefined || (turn === at.turn && lane === at.lane)),
  );
