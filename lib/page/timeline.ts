/** A run as it stood at each of its turns: files, program and sums. What one of them needs is looked up, not folded anew. Pure. */
import type { DraftInstruction } from "../core/program/program.ts";
import type { ToldTurn } from "../core/turn/turn.ts";

export interface FileThen {
  path: string;
  /** Undefined: it came with the task. */
  last?: ToldTurn;
}

/** States in which an instruction stays, by their stored names. */
const STOPPED: Record<string, InstructionState> = { trapped: "stuck", skipped: "skipped" };

export type InstructionState = "to come" | "begun" | "done" | "stuck" | "skipped";

export interface InstructionThen {
  number: number;
  title: string;
  requirements: string[];
  state: InstructionState;
  turns: number;
  microUsd: number;
  milliseconds: number;
  /** By how many its acceptance raised the tests that pass. */
  newTests: number;
  /** How often it was offered in vain, and how many locked tests it amended. */
  refusals: number;
  amended: number;
}

export interface Then {
  /** In the order of their paths. */
  files(): FileThen[];
  has(path: string): boolean;
  /** The turn that changed a path last, be it that it removed it. */
  lastChange(path: string): ToldTurn | undefined;
  instruction(number: number): InstructionThen;
  /** Its turns until then. */
  turnsOf(number: number): ToldTurn[];
  microUsd: number;
}

export interface Timeline {
  instructions: number;
  at(index: number): Then;
  /** The turn before another. */
  before(turn: ToldTurn): ToldTurn | undefined;
  /** The turns that changed a path, in their order. */
  changesOf(path: string): ToldTurn[];
  /** The last turn of each instruction, planning first. */
  ends(): ToldTurn[];
}

export interface Known {
  turns: readonly ToldTurn[];
  program: {
    instructions: (Pick<DraftInstruction, "title" | "requirements"> & { status?: string; milliseconds?: number })[];
  };
  start?: readonly string[];
}

export function timelineOf({ turns, program: { instructions }, start = [] }: Known): Timeline {
  const spent = sums(turns, ({ microUsd }) => microUsd);
  const took = sums(turns, ({ milliseconds }) => milliseconds);
  const refusals = sums(turns, ({ refused }) => (refused === undefined ? 0 : 1));
  const amended = sums(turns, ({ amended = [] }) => amended.length);
  const passed = carried(turns, ({ found }) => found?.passed);
  const changes = changesByPath(turns);
  const paths = [...new Set([...start, ...changes.keys()])].sort();
  const given = new Set(start);
  const starts = beginnings(turns, instructions.length);
  const rangeOf = (number: number, index: number): [number, number] => {
    const first = starts[number] ?? turns.length;
    return [first, Math.max(first, Math.min(starts[number + 1] ?? turns.length, index + 1))];
  };

  function instructionAt(number: number, index: number): InstructionThen {
    const { title = "", requirements = [], status, milliseconds = 0 } = instructions[number - 1] ?? {};
    const [first, end] = rangeOf(number, index);
    // How it stands now is how it stood after its last turn.
    const isWhole = end === starts[number + 1];
    const stopped = isWhole ? STOPPED[status ?? ""] : undefined;
    const state = end === first ? "to come" : (stopped ?? stateAfter(turns[end - 1]));
    const ofOwn = (sum: number[]): number => (sum[end] ?? 0) - (sum[first] ?? 0);
    // Its checks take time too, which no turn tells of.
    const ownTime = isWhole && milliseconds > 0 ? milliseconds : ofOwn(took);
    return {
      ...{ number, title, requirements, state, turns: end - first },
      ...{ microUsd: ofOwn(spent), milliseconds: ownTime, refusals: ofOwn(refusals), amended: ofOwn(amended) },
      newTests: state === "done" ? Math.max(0, ofOwn(passed)) : 0,
    };
  }

  const lastAt = (path: string, index: number) => lastUntil(changes.get(path) ?? [], index);
  const hasAt = (path: string, index: number): boolean => !(lastAt(path, index)?.gone ?? !given.has(path));

  function filesAt(index: number): FileThen[] {
    return paths.flatMap((path) => {
      if (!hasAt(path, index)) return [];
      const last = turns[lastAt(path, index)?.index ?? -1];
      return [last ? { path, last } : { path }];
    });
  }

  return {
    instructions: instructions.length,
    at: (index) => ({
      files: once(() => filesAt(index)),
      has: (path) => hasAt(path, index),
      lastChange: (path) => turns[lastAt(path, index)?.index ?? -1],
      instruction: (number) => instructionAt(number, index),
      turnsOf: (number) => turns.slice(...rangeOf(number, index)),
      microUsd: spent[index + 1] ?? 0,
    }),
    before: (turn) => turns[turns.indexOf(turn) - 1],
    changesOf: (path) => (changes.get(path) ?? []).flatMap(({ index }) => turns[index] ?? []),
    ends: () => turns.filter(({ instruction }, index) => turns[index + 1]?.instruction !== instruction),
  };
}

/** `[n]`: of the first n. */
function sums(turns: readonly ToldTurn[], of: (turn: ToldTurn) => number): number[] {
  const all = [0];
  let sum = 0;
  for (const turn of turns) {
    sum += of(turn);
    all.push(sum);
  }
  return all;
}

/** `[n]`: what was known after the first n. */
function carried(turns: readonly ToldTurn[], of: (turn: ToldTurn) => number | undefined): number[] {
  const all = [0];
  let last = 0;
  for (const turn of turns) {
    last = of(turn) ?? last;
    all.push(last);
  }
  return all;
}

interface Change {
  index: number;
  gone: boolean;
}

function changesByPath(turns: readonly ToldTurn[]): Map<string, Change[]> {
  const changes = new Map<string, Change[]>();
  for (const [index, turn] of turns.entries())
    for (const { path, sha256 } of turn.changes) {
      const change = { index, gone: sha256 === null };
      const own = changes.get(path);
      if (own) own.push(change);
      else changes.set(path, [change]);
    }
  return changes;
}

/** Where each instruction's turns begin: they stand in its order, planning first. */
function beginnings(turns: readonly ToldTurn[], instructions: number): number[] {
  const starts: number[] = [];
  for (const [index, { instruction }] of turns.entries())
    for (let number = starts.length; number <= instruction; number += 1) starts.push(index);
  while (starts.length <= instructions + 1) starts.push(turns.length);
  return starts;
}

const stateAfter = (turn: ToldTurn | undefined): InstructionState =>
  turn?.outcome === "accepted" ? "done" : turn?.outcome === "discarded" ? "skipped" : "begun";

function lastUntil(changes: Change[], index: number): Change | undefined {
  let [low, high] = [0, changes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((changes[middle]?.index ?? 0) <= index) low = middle + 1;
    else high = middle;
  }
  return changes[low - 1];
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The place of a turn among all, or that of the last one of an instruction. */
export function placeOf(turns: readonly ToldTurn[], at: { instruction: number; turn?: number }): number {
  return turns.findLastIndex(
    ({ instruction, turn }) => instruction === at.instruction && (at.turn === undefined || turn === at.turn),
  );
}

/** As the API takes it: the files after this turn. */
export const atOf = ({ instruction, turn }: Pick<ToldTurn, "instruction" | "turn">): string => `${instruction}.${turn}`;

export const nameOf = ({ instruction, turn }: Pick<ToldTurn, "instruction" | "turn">): string =>
  instruction === 0 ? `planning, turn ${turn}` : `instruction ${instruction}, turn ${turn}`;
