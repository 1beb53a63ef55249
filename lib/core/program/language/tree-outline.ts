/** A program in a few lines, as its writer reviews it: titles, ids of requirements, and what decides the way. Pure. */
import { conditionText } from "./condition-text.ts";
import { visitNodes } from "./nodes.ts";
import type { Program, ProgramNode } from "./schema.ts";

export const outlineOf = (program: Program): string =>
  [...visitNodes(program)]
    .map(({ node, path, parents }) => `${indent(parents.length)}${lineOf(node, path)}`)
    .join("\n");

const indent = (depth: number): string => "   ".repeat(depth);

function lineOf(node: ProgramNode, path: readonly (string | number)[]): string {
  const number = `${Number(path.at(-1)) + 1}. ${path.at(-2) === "else" ? "else: " : ""}`;
  if (node.kind !== "do") return `${number}${[node.title, wayOf(node)].filter(Boolean).join(": ")}`;
  return `${number}${node.title}${node.requirements.length > 0 ? ` (${node.requirements.join(", ")})` : ""}`;
}

function wayOf(node: Exclude<ProgramNode, { kind: "do" }>): string {
  switch (node.kind) {
    case "if":
      return `if ${conditionText(node.condition)}`;
    case "for_each":
      return `for each ${node.as}, at most ${node.atMost}`;
    case "repeat":
      return `repeat until ${conditionText(node.until)}, at most ${node.atMost} times`;
    case "assert":
      return `assert that ${conditionText(node.check)}, else ${node.otherwise}`;
    case "ask":
      return `ask the user, into ${node.saveTo}`;
    default:
      return node.kind;
  }
}
