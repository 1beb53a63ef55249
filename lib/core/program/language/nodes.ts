/** Goes through the tree of a program. Pure. */
import type { Path } from "./finding.ts";
import type { Program, ProgramNode } from "./schema.ts";

/** The lists of instructions inside an instruction, each with its path from there. */
export function listsIn(node: ProgramNode): [path: Path, nodes: ProgramNode[]][] {
  switch (node.kind) {
    case "if":
      return [[["then"], node.then], ...(node.else ? [[["else"], node.else] as [Path, ProgramNode[]]] : [])];
    case "call":
      return node.body ? [[["body"], node.body]] : [];
    case "group":
    case "for_each":
    case "repeat":
      return [[["body"], node.body]];
    default:
      return [];
  }
}

export interface Visit {
  node: ProgramNode;
  path: Path;
  /** The blocks around it, outermost first. */
  parents: readonly Visit[];
}

/** In the order of the file. */
export function* visitNodes(program: Program): Generator<Visit> {
  yield* visitList(program.instructions, ["instructions"], []);
}

function* visitList(nodes: ProgramNode[], path: Path, parents: readonly Visit[]): Generator<Visit> {
  for (const [index, node] of nodes.entries()) {
    const visit = { node, path: [...path, index], parents };
    yield visit;
    for (const [list, inner] of listsIn(node)) yield* visitList(inner, [...visit.path, ...list], [...parents, visit]);
  }
}

/** The conditions of an instruction, each under its field. */
export function conditionIn(node: ProgramNode) {
  switch (node.kind) {
    case "if":
      return { field: "condition", condition: node.condition };
    case "repeat":
      return { field: "until", condition: node.until };
    case "assert":
      return { field: "check", condition: node.check };
    default:
      return undefined;
  }
}
