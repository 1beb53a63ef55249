/**
 * Whether an expression can match one text in exponentially many ways: in its automaton, two different ways lead from a
 * character back to itself with the same text between (Weber and Seidl, 1991). Such an expression never ends if what follows fails.
 */
import { type Tree, treesOf } from "./pattern-tree.ts";

/** Repetitions with an end are taken so often at most: they add ways, but no exponent. */
const COPIES = 3;

interface Automaton {
  /** Where a state leads without a character. */
  free: number[][];
  characters: { from: number; set: bigint; to: number }[];
  /** Where a round of a repetition begins: none is without a character. */
  rounds: Set<number>;
}

export const isExponential = (source: string, flags: string): boolean => treesOf(source, flags).some(isAmbiguous);

function isAmbiguous(tree: Tree): boolean {
  const automaton: Automaton = { free: [[]], characters: [], rounds: new Set() };
  compile(tree, 0, automaton);
  const next = successors(automaton);
  const before = next.map(() => new Set<number>());
  for (const [at, ways] of next.entries()) for (const to of ways.keys()) before[to]?.add(at);
  const sets = automaton.characters.map(({ set }) => set);
  return loopsOf(next, before).some((loop) => {
    const inside = new Set(loop);
    const twice = loop.some((at) => [...(next[at] ?? [])].some(([to, ways]) => ways > 1 && inside.has(to)));
    return twice || loop.some((at) => meetsItself(at, { inside, next, before, sets }));
  });
}

const state = ({ free }: Automaton): number => free.push([]) - 1;

/** Adds a tree behind a state; answers the state in which it ends. */
function compile(tree: Tree, from: number, automaton: Automaton): number {
  if (tree.kind === "set") {
    const to = state(automaton);
    automaton.characters.push({ from, set: tree.set, to });
    return to;
  }
  if (tree.kind === "all") return tree.parts.reduce((at, part) => compile(part, at, automaton), from);
  const end = state(automaton);
  const free = (at: number, to: number) => automaton.free[at]?.push(to);
  if (tree.kind === "one of") {
    for (const part of tree.parts) {
      const start = state(automaton);
      free(from, start);
      free(compile(part, start, automaton), end);
    }
    return end;
  }
  let at = from;
  for (let copy = 0; copy < Math.min(tree.least, COPIES); copy += 1) at = compile(tree.part, at, automaton);
  if (tree.most === Number.POSITIVE_INFINITY) {
    const loop = state(automaton);
    const round = state(automaton);
    automaton.rounds.add(round);
    free(at, loop);
    free(loop, round);
    free(compile(tree.part, round, automaton), loop);
    at = loop;
  } else
    for (let copy = Math.min(tree.least, COPIES); copy < Math.min(tree.most, COPIES); copy += 1) {
      free(at, end);
      at = compile(tree.part, at, automaton);
    }
  free(at, end);
  return end;
}

/** From each character to those that may follow, with the number of ways: one, or more. */
function successors({ free, characters, rounds }: Automaton): Map<number, number>[] {
  const leaving = Map.groupBy(characters.keys(), (at) => characters[at]?.from ?? -1);
  return characters.map(({ to }) => {
    const found = new Map<number, number>();
    const walk = (at: number, trail: Set<number>): void => {
      for (const character of leaving.get(at) ?? []) found.set(character, (found.get(character) ?? 0) + 1);
      for (const target of free[at] ?? [])
        if (!rounds.has(target)) walk(target, trail);
        else if (!trail.has(target)) walk(target, new Set([...trail, target]));
    };
    walk(to, new Set());
    return found;
  });
}

type Graph = { keys(): IterableIterator<number> }[];

function reached(start: number, graph: Graph): Set<number> {
  const seen = new Set<number>();
  const open = [start];
  for (let at = open.pop(); at !== undefined; at = open.pop())
    for (const to of graph[at]?.keys() ?? [])
      if (!seen.has(to)) {
        seen.add(to);
        open.push(to);
      }
  return seen;
}

/** Characters that lead to one another. */
function loopsOf(next: Graph, before: Graph): number[][] {
  const done = new Set<number>();
  return next.flatMap((_, at) => {
    if (done.has(at)) return [];
    const back = reached(at, before);
    const loop = [...reached(at, next)].filter((one) => back.has(one));
    for (const one of loop) done.add(one);
    return loop.includes(at) ? [loop] : [];
  });
}

interface Loop {
  inside: Set<number>;
  next: Map<number, number>[];
  before: Set<number>[];
  sets: bigint[];
}

/** Two ways from a character to itself that part in between. */
function meetsItself(at: number, { inside, next, before, sets }: Loop): boolean {
  const walk = (graph: Graph): Set<number> => {
    const seen = new Set<number>();
    const open: [number, number][] = [[at, at]];
    for (let pair = open.pop(); pair; pair = open.pop())
      for (const one of graph[pair[0]]?.keys() ?? [])
        for (const other of graph[pair[1]]?.keys() ?? []) {
          const key = one * sets.length + other;
          if (seen.has(key) || !inside.has(one) || !inside.has(other)) continue;
          if (((sets[one] ?? 0n) & (sets[other] ?? 0n)) === 0n) continue;
          seen.add(key);
          open.push([one, other]);
        }
    return seen;
  };
  const back = walk(before);
  return [...walk(next)].some((key) => Math.floor(key / sets.length) !== key % sets.length && back.has(key));
}
