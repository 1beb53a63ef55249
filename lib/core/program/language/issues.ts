/** What the schema finds wrong, in plain words: what is wrong, and what to write. Pure. */
import type * as z from "zod";
import { errorAt, type Finding, type Path } from "./finding.ts";

type Issue = z.core.$ZodIssue;

/** `data`: what was read, for words about the value that is wrong. */
export const findingsOf = (error: z.ZodError, data: unknown): Finding[] =>
  error.issues.flatMap((issue) => findingsOfIssue(issue, [], data));

function findingsOfIssue(issue: Issue, outer: Path, data: unknown): Finding[] {
  const path = [...outer, ...issue.path.filter((part) => typeof part !== "symbol")];
  if (issue.code === "invalid_union") return ofUnion(issue, path, data);
  const value = valueAt(data, path);
  if (issue.code === "invalid_key") {
    return issue.issues.map((inner) => errorAt(path, messageIn(inner, path.at(-1))));
  }
  if (issue.code === "invalid_type" && path.length === 0) return [errorAt(path, WHOLE)];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => {
      const gone = REMOVED.get(key);
      return errorAt([...path, key], `${thing(value)} has no field \`${key.slice(0, 80)}\`.`, gone);
    });
  }
  const field = path.at(-1);
  if (/^invalid_(?:type|value)$/.test(issue.code) && value === undefined && typeof field === "string") {
    const owner = valueAt(data, path.slice(0, -1));
    return [errorAt(path, `${thing(owner)} needs \`${field}\`.`, EXAMPLES[field])];
  }
  return [errorAt(path, messageIn(issue, value), typeof field === "string" ? EXAMPLES[field] : undefined)];
}

function messageIn(issue: Issue, value: unknown): string {
  if (issue.code === "invalid_format" && issue.pattern === REQUIREMENT_ID) {
    return `"${String(value).slice(0, 40)}" is no requirement's id; ids look like R1 or R2.3.`;
  }
  if (issue.code === "invalid_type") return `it is ${typeOf(value)}; write ${TYPES[issue.expected] ?? issue.expected}.`;
  if (issue.code === "too_small" && issue.origin === "array")
    return `it has ${lengthOf(value)}; at least ${issue.minimum}.`;
  if (issue.code === "too_small") return `it is ${JSON.stringify(value)}; the least is ${issue.minimum}.`;
  if (issue.code === "too_big" && issue.origin === "number") return `it is ${value}; the most is ${issue.maximum}.`;
  return sentence(issue.message);
}

const REQUIREMENT_ID = String(/^R\d+(\.\d+)*$/);
const TYPES: Record<string, string> = {
  string: "a text, in quotes",
  array: "a list",
  int: "a whole number",
  number: "a number",
  object: "fields",
  record: "fields",
  boolean: "true or false",
};

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (value === null) return "empty";
  return typeof value === "object"
    ? "fields"
    : typeof value === "string"
      ? "a text"
      : `the ${typeof value} ${String(value)}`;
}

const lengthOf = (value: unknown): string => (Array.isArray(value) ? `${value.length} entries` : typeOf(value));

/** The branch that was meant: the one that the value's type or its kind chooses. */
function ofUnion(issue: z.core.$ZodIssueInvalidUnion, path: Path, data: unknown): Finding[] {
  const value = valueAt(data, path);
  if (issue.discriminator === "kind")
    return [errorAt(path, unknownKind(value), REMOVED.get(String(value)) ?? `The kinds are ${KINDS}.`)];
  if (!issue.message.startsWith("Invalid input")) {
    if (value !== undefined) return [errorAt(path, sentence(issue.message))];
    const owner = thing(valueAt(data, path.slice(0, -1)));
    return [errorAt(path, `${owner} needs \`${String(path.at(-1))}\`; ${sentence(issue.message)}`)];
  }
  const branches = issue.errors.filter((branch) => !branch.some(isOfAnotherType));
  const [first] = branches;
  if (first) return first.flatMap((inner) => findingsOfIssue(inner, path, data));
  return [errorAt(path, ITEM)];
}

const isOfAnotherType = ({ code, path }: Issue): boolean => code === "invalid_type" && path.length === 0;

export const KINDS = "do, group, if, for_each, repeat, assert, ask and call";
/** What earlier versions reserved and never executed, and what to use in its place. */
const REMOVED = new Map([
  ["budget", "The language has no budgets; a run has ceilings: set its budget."],
  ["effort", "Set the effort of the run."],
  ["model", "Set the model of the run."],
  ["parallel", "Set the number of lanes of the run (parallel), and give the instructions `needs`."],
  ["output", "Say in the text which file the result goes into."],
  ["gather", "Say in the text of a later instruction which files to put together."],
  ["effects", "Leave it out: what an instruction may do is decided by the sandbox."],
  ["scratch", "Leave it out, and let a later instruction delete the files."],
  ["race", "Leave it out: begin several runs, and take the one that is proven."],
  ["on", "Leave it out: begin a run when the event happens."],
]);
const WHOLE = "A program is a list of instructions, or {requirements, instructions}.";
/** Two ways to write a list, or an instruction. */
const ITEM = "it is a text, or {title, text, requirements}, or has a `kind`.";

const unknownKind = (value: unknown): string =>
  typeof value === "string" ? `there is no kind \`${value.slice(0, 80)}\`.` : "a kind is a name.";

/** The field that is missing or wrong, as it can be written. */
const EXAMPLES: Record<string, string> = {
  instructions: "A program is a list of instructions, or {requirements, instructions}.",
  atMost: "Write the largest number of rounds, such as atMost: 5.",
  as: "Write a name, such as as: file; {{file}} in the body stands for the item.",
  saveTo: "Write the file that keeps the answer, such as saveTo: answers/database.txt.",
  otherwise: "Write otherwise: repair or otherwise: stop.",
  body: "Write a list of instructions.",
  program: "Write the file of the program, such as program: programs/tests.yaml.",
};

function thing(value: unknown): string {
  const kind = typeof value === "object" && value !== null && "kind" in value ? value.kind : undefined;
  if (typeof kind === "string") return `\`${kind.slice(0, 40)}\``;
  return "it";
}

function valueAt(data: unknown, path: Path): unknown {
  let value = data;
  for (const part of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string | number, unknown>)[part];
  }
  return value;
}

const sentence = (text: string): string => (text.endsWith(".") ? text : `${text}.`);
