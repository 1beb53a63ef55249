/** Puts items of `for_each`, and parameters of `call`, into the texts of the body: data into data, never into code that runs. Pure. */
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

const MARK = /\{\{([a-z][A-Za-z0-9_]{0,39})\}\}/g;

/** The names of `{{name}}` in its own texts. */
export function namesIn(node: ProgramNode): Set<string> {
  const lists = new Set(listsIn(node).map(([path]) => path[0]));
  const own = Object.entries(node).filter(([field]) => !lists.has(field));
  const names = new Set<string>();
  for (const [, value] of own) addNames(value, names);
  return names;
}

function addNames(value: unknown, names: Set<string>): void {
  if (typeof value === "string") for (const [, name = ""] of value.matchAll(MARK)) names.add(name);
  else if (typeof value === "object" && value !== null) for (const each of Object.values(value)) addNames(each, names);
}

/** In one pass: what an item says is never read as a name. */
const fillText = (text: string, values: Values): string =>
  text.replace(MARK, (mark, name: string) => {
    const value = values.get(name);
    return value === undefined ? mark : typeof value === "string" ? value : JSON.stringify(value);
  });

/** The loops and calls that run at these frames, outermost first: what gives names a value. */
export function scopesAt(program: Program, frames: Frames): Scope[] {
  const scopes: Scope[] = [];
  let list = program.instructions;
  for (const { at, round = 1, list: stored } of frames.slice(0, -1)) {
    const node = list[at];
    if (!node) return scopes;
    if (node.kind === "for_each") scopes.push({ node, round, ...(stored === undefined ? {} : { list: stored }) });
    if (node.kind === "call") scopes.push({ node });
    list = listsIn(node)[node.kind === "if" ? round - 1 : 0]?.[1] ?? [];
  }
  return scopes;
}

export type Scope = Round | Call;

export interface Round {
  node: Extract<ProgramNode, { kind: "for_each" }>;
  /** From 1. */
  round: number;
  /** Where its items are stored. Absent: they are in the program. */
  list?: string;
}

export interface Call {
  node: Extract<ProgramNode, { kind: "call" }>;
}

export const isCall = (scope: Scope): scope is Call => scope.node.kind === "call";

/** In the body of a call: only its parameters have a value there. */
export const parametersIn = ({ node }: Call, values: Values): Values =>
  new Map(Object.entries(fill(node.with ?? {}, values)));
