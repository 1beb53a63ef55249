/** How many steps a program takes at most. A step is what a model executes: a `do`, a repair. Pure. */
import { listsIn } from "../nodes.ts";
import type { Program, ProgramNode } from "../schema.ts";

export const worstCaseSteps = ({ instructions }: Program): number => ofList(instructions);

const ofList = (nodes: ProgramNode[]): number => nodes.reduce((steps, node) => steps + ofNode(node), 0);

function ofNode(node: ProgramNode): number {
  const lists = listsIn(node).map(([, nodes]) => ofList(nodes));
  const all = lists.reduce((sum, steps) => sum + steps, 0);
  switch (node.kind) {
    case "do":
      return 1;
    case "call":
      // Not counted where its program is not known.
      return node.body ? all : 1;
    case "ask":
      return 0;
    case "assert":
      return node.otherwise === "repair" ? 1 : 0;
    case "if":
      return Math.max(0, ...lists);
    case "for_each":
      return all * roundsOf(node);
    case "repeat":
    case "on":
      return all * node.atMost;
    case "group":
    case "race":
      return all;
  }
}

/** Of a `for_each`: as many as there are items, where they are known. */
export const roundsOf = ({ items, atMost }: Extract<ProgramNode, { kind: "for_each" }>): number =>
  Array.isArray(items) ? Math.min(items.length, atMost) : atMost;
