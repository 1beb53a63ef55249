/** Puts items of `for_each` into the texts of its body: data into data, never into code that runs. Pure. */
import type { Json } from "../../text/json.ts";
import type { Frames } from "./frames.ts";
import { listsIn } from "./nodes.ts";
import type { Program, ProgramNode } from "./schema.ts";

export type Values = ReadonlyMap<string, Json>;

/** `{{name}}` in every text of it; a name without a value stays as it is. An instruction inside is not changed. */
export function fillNode<Node extends ProgramNode>(node: Node, values: Values): Node {
  if (values.size === 0) return node;
  const lists = new Set(listsIn(node).map(([path]) => path[0]));
  const filled = Object.entries(node).map(([field, value]) => [field, lists.has(field) ? value : fill(value, values)]);
  return Object.fromEntries(filled) as Node;
}

export function fill<Value>(value: Value, values: Values): Value {
  if (typeof value === "string") return fillText(value, values) as Value;
  if (Array.isArray(value)) return value.map((each) => fill(each, values)) as Value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(each, values)])) as Value;
}

/** In one pass: what an item says is never read as a name. */
const fillText = (text: string, values: Values): string =>
  text.replace(/\{\{([a-z][A-Za-z0-9_]{0,39})\}\}/g, (mark, name: string) => {
    const value = values.get(name);
    return value === undefined ? mark : typeof value === "string" ? value : JSON.stringify(value);
  });

/** The `for_each` blocks that run at these frames, outermost first, each with its round, and where its items are. */
export function roundsAt(program: Program, frames: Frames): Round[] {
  const rounds: Round[] = [];
  let list = program.instructions;
  for (const { at, round = 1, list: stored } of frames.slice(0, -1)) {
    const node = list[at];
    if (!node) return rounds;
    if (node.kind === "for_each") rounds.push({ node, round, ...(stored === undefined ? {} : { list: stored }) });
    list = listsIn(node)[node.kind === "if" ? round - 1 : 0]?.[1] ?? [];
  }
  return rounds;
}

export interface Round {
  node: Extract<ProgramNode, { kind: "for_each" }>;
  /** From 1. */
  round: number;
  /** Where its items are stored. Absent: they are in the program. */
  list?: string;
}
