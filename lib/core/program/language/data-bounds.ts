/** Bounds of a program's data, checked before anything else looks at it: untrusted files are refused quickly. Pure. */
import { PROGRAM_INSTRUCTIONS } from "../../limits.ts";
import { ITEM_LIMIT } from "./condition.ts";
import { errorAt, type Finding, type Path } from "./finding.ts";
import { NESTED_DEPTH } from "./schema.ts";

/** Room for the deepest blocks, and for data in the innermost. */
const DATA_DEPTH = NESTED_DEPTH * 2 + 16;
const DATA_VALUES = 500_000;

interface Pending {
  value: unknown;
  /** As a list from the inside out: paths are only made of those that are refused. */
  at: Trail | undefined;
  depth: number;
}

interface Trail {
  key: string | number;
  outer: Trail | undefined;
}

/** What makes the data unreadable. YAML's references can make it larger than its file, or endless. */
export function boundsProblem(data: unknown): Finding | undefined {
  const pending: Pending[] = [{ value: data, at: undefined, depth: 0 }];
  let values = 0;
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, at, depth } = next;
    values += 1;
    if (values > DATA_VALUES) return errorAt([], `it holds more than ${DATA_VALUES} values.`);
    if (typeof value !== "object" || value === null) continue;
    if (depth > DATA_DEPTH) return errorAt(pathOf(at).slice(0, 2), "it is nested too deeply.", "Use `call`.");
    const problem = Array.isArray(value) ? listProblem(value, at) : keyProblem(value, at);
    if (problem) return problem;
    const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
    for (const [key, inner] of entries) pending.push({ value: inner, at: { key, outer: at }, depth: depth + 1 });
  }
  return undefined;
}

function listProblem(list: unknown[], at: Trail | undefined): Finding | undefined {
  if (list.length <= ITEM_LIMIT) return undefined;
  const isProgram = at?.key === "instructions" && at.outer === undefined;
  return isProgram
    ? errorAt(pathOf(at), tooMany(list.length))
    : errorAt(pathOf(at), `the list has ${list.length} entries; at most ${ITEM_LIMIT} fit.`);
}

const tooMany = (count: number): string =>
  `The program has ${count} instructions; at most ${PROGRAM_INSTRUCTIONS} fit.`;

const keyProblem = (value: object, at: Trail | undefined): Finding | undefined =>
  Object.hasOwn(value, "__proto__") ? errorAt([...pathOf(at), "__proto__"], "`__proto__` is no field.") : undefined;

function pathOf(trail: Trail | undefined): Path {
  const path: (string | number)[] = [];
  for (let at = trail; at; at = at.outer) path.unshift(at.key);
  return path;
}
