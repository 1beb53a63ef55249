/** How much a program takes at most. A step is what a model executes: a `do`, a repair. Pure. */
import { listsIn } from "../nodes.ts";
import type { Program, ProgramNode } from "../schema.ts";

export interface MostOf {
  steps: number;
  /** Conditions, and lists of loops that are read from files. */
  checks: number;
  questions: number;
}

export const worstCase = ({ instructions }: Program): MostOf => ofList(instructions);

export const worstCaseSteps = (program: Program): number => worstCase(program).steps;

const NOTHING: MostOf = { steps: 0, checks: 0, questions: 0 };

const combined = (one: MostOf, other: MostOf, how: (one: number, other: number) => number): MostOf => ({
  steps: how(one.steps, other.steps),
  checks: how(one.checks, other.checks),
  questions: how(one.questions, other.questions),
});
const sum = (one: MostOf, other: MostOf): MostOf => combined(one, other, (a, b) => a + b);
const most = (one: MostOf, other: MostOf): MostOf => combined(one, other, Math.max);
const times = (one: MostOf, rounds: number): MostOf => combined(one, NOTHING, (each) => each * rounds);
const checking = (one: MostOf, checks: number): MostOf => ({ ...one, checks: one.checks + checks });

const ofList = (nodes: ProgramNode[]): MostOf => nodes.map(ofNode).reduce(sum, NOTHING);

function ofNode(node: ProgramNode): MostOf {
  const lists = listsIn(node).map(([, nodes]) => ofList(nodes));
  const all = lists.reduce(sum, NOTHING);
  switch (node.kind) {
    case "do":
      return { ...NOTHING, steps: 1 };
    case "call":
      // Not counted where its program is not known.
      return node.body ? all : { ...NOTHING, steps: 1 };
    case "ask":
      return { ...NOTHING, questions: 1 };
    case "assert":
      return node.otherwise === "repair" ? { ...NOTHING, steps: 1, checks: 2 } : { ...NOTHING, checks: 1 };
    case "if":
      return checking(lists.reduce(most, NOTHING), 1);
    case "for_each":
      return checking(times(all, roundsOf(node)), Array.isArray(node.items) ? 0 : 1);
    case "repeat":
      return times(checking(all, 1), node.atMost);
    case "group":
      return all;
  }
}

/** Of a `for_each`: as many as there are items, where they are known. */
export const roundsOf = ({ items, atMost }: Extract<ProgramNode, { kind: "for_each" }>): number =>
  Array.isArray(items) ? Math.min(items.length, atMost) : atMost;
