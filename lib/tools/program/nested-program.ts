/** The flat list as the language has it: bodies inside blocks, and the words of a finding for the list. Pure. */
import type { Finding, Path } from "../../core/program/language/finding.ts";
import { NESTED_DEPTH } from "../../core/program/language/schema.ts";
import { isOwnId } from "./flat-instructions.ts";
import type { PlannedInstruction } from "./instruction-shape.ts";

type Node = Record<string, unknown>;

export interface NestedProgram {
  instructions: Node[];
  /** A finding about it, with its place in the flat list. */
  inWords: (finding: Finding) => string;
}

/** Whether it is more than a list of texts. A name alone changes nothing. */
export const hasKinds = (instructions: PlannedInstruction[]): boolean =>
  instructions.some(({ title: _title, text: _text, requirements: _served, words: _words, id: _id, kind, ...more }) => {
    return (kind ?? "do") !== "do" || Object.values(more).some(isThere);
  });

/** Weak models fill what they do not need with nothing. */
function isThere(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return false;
  if (Array.isArray(value)) return value.length > 0;
  return typeof value === "object" ? Object.values(value).some(isThere) : true;
}

export function nestedProgram(flat: PlannedInstruction[]): NestedProgram | { problems: string[] } {
  const blocks = blocksIn(flat);
  const problems = [
    ...flat.flatMap((one, index) => placeProblem(one, index, blocks)),
    ...depthProblem(flat.map(({ inside }) => blocks.get(inside ?? ""))),
  ];
  if (problems.length > 0) return { problems };
  const inside = Map.groupBy(flat.keys(), (index) => blocks.get(flat[index]?.inside ?? ""));
  const places = new Map<string, number>();
  const reached = new Set<number>();

  function listAt(indexes: number[], path: Path, served: string[]): Node[] {
    return indexes.map((index, position) => {
      const one = flat[index];
      if (!one) return {};
      reached.add(index);
      const here = [...path, position];
      places.set(keyOf(here), index);
      const all = [...new Set([...served, ...one.requirements])];
      return nodeOf({ ...one, requirements: all }, bodiesOf(one, index, { here, all }));
    });
  }

  function bodiesOf({ kind }: PlannedInstruction, index: number, { here, all }: { here: Path; all: string[] }): Node {
    const own = inside.get(index) ?? [];
    if (kind !== "if") return own.length > 0 ? { body: listAt(own, [...here, "body"], all) } : {};
    const ofBranch = (name: string): number[] => own.filter((at) => (flat[at]?.branch ?? "then") === name);
    const branches = (["then", "else"] as const).filter((name) => ofBranch(name).length > 0);
    return Object.fromEntries(branches.map((name) => [name, listAt(ofBranch(name), [...here, name], all)]));
  }

  const instructions = listAt(inside.get(undefined) ?? [], ["instructions"], []);
  const circle = flat.findIndex((_, index) => !reached.has(index));
  if (circle >= 0) return { problems: [`instructions[${circle}] is inside itself: \`inside\` goes in a circle.`] };
  return { instructions, inWords: (finding) => wordsOf(finding, places) };
}

const keyOf = (path: Path): string => path.join("/");

/** By id: the first of each. */
function blocksIn(flat: PlannedInstruction[]): Map<string, number> {
  const blocks = new Map<string, number>();
  for (const [index, { id }] of flat.entries()) if (id && !blocks.has(id)) blocks.set(id, index);
  return blocks;
}

const HOLDING: readonly string[] = ["group", "if", "for_each", "repeat"];

function placeProblem(one: PlannedInstruction, index: number, blocks: Map<string, number>): string[] {
  const { kind = "do", id, inside } = one;
  const at = `instructions[${index}]`;
  const target = inside ? blocks.get(inside) : undefined;
  if (inside && target === undefined) {
    const ids = [...blocks.keys()].filter((known) => !isOwnId(known)).slice(0, IDS_NAMED);
    const known = ids.length > 0 ? `there are ${ids.join(", ")}` : "no instruction has an id";
    return [`${at}.inside names "${inside.slice(0, 64)}", and no instruction has this id: ${known}.`];
  }
  return HOLDING.includes(kind) && !id
    ? [`${at} is a ${kind} without an id: give it one, and name it in \`inside\` of the instructions that it holds.`]
    : [];
}

const IDS_NAMED = 10;

/** Before anything goes through the blocks. `around`: the block that each is in. */
function depthProblem(around: (number | undefined)[]): string[] {
  const depths: number[] = [];
  for (const start of around.keys()) {
    const trail: number[] = [];
    // One in a circle is met again before its depth is known.
    for (let at: number | undefined = start; at !== undefined && depths[at] === undefined; at = around[at]) {
      depths[at] = 0;
      trail.push(at);
    }
    for (const at of trail.toReversed()) {
      const block = around[at];
      depths[at] = block === undefined ? 0 : (depths[block] ?? 0) + 1;
    }
  }
  const deep = depths.findIndex((depth) => depth > NESTED_DEPTH);
  if (deep < 0) return [];
  return [`instructions[${deep}] is inside more than ${NESTED_DEPTH} blocks, or inside itself. Use fewer blocks.`];
}

function nodeOf(one: PlannedInstruction, bodies: Node): Node {
  const { kind = "do", title, text, requirements, words, id, inside: _inside, branch: _branch, ...fields } = one;
  const { condition, items, ...same } = fields;
  const isNamed = id !== undefined && id !== "" && !isOwnId(id);
  const node: Node = {
    ...(kind === "do" ? {} : { kind }),
    ...(isNamed ? { id } : {}),
    ...(kind === "do" || title !== kind ? { title } : {}),
    ...(kind === "do" ? { text, requirements, ...(words ? { words } : {}) } : {}),
    ...(kind === "ask" ? { question: text } : {}),
    ...Object.fromEntries(Object.entries(same).filter(([, value]) => isThere(value))),
    ...(condition && holdsFact(condition) ? { [CONDITIONS[kind] ?? "condition"]: conditionOf(condition) } : {}),
    ...(items && isThere(items) ? { items: itemsOf(items) } : {}),
  };
  return { ...node, ...bodies };
}

const CONDITIONS: Record<string, string> = { repeat: "until", assert: "check" };

type Condition = NonNullable<PlannedInstruction["condition"]>;

/** An empty list of tests names all of them, unless another fact is there. */
function holdsFact({ tests, ...others }: Condition): boolean {
  return tests !== undefined || isThere(others);
}

function conditionOf({ tests, ...others }: Condition): Node {
  const facts = Object.entries(others).filter(([, value]) => isThere(value));
  if (!tests || (tests.length === 0 && facts.length > 0)) return Object.fromEntries(facts);
  return { tests: tests.length === 0 ? true : tests, ...Object.fromEntries(facts) };
}

function itemsOf({ list, ...from }: NonNullable<PlannedInstruction["items"]>): unknown {
  const given = Object.entries(from).filter(([, value]) => isThere(value));
  return list && given.length === 0 ? list : Object.fromEntries(given);
}

/** The names of the list for those of the language. */
const FIELDS: Record<string, string> = { until: "condition", check: "condition", question: "text" };

function wordsOf({ path, message, remedy }: Finding, places: Map<string, number>): string {
  const [place, rest] = placeOf(path, places);
  if (place === undefined) return [message, remedy].filter(Boolean).join(" ");
  const where = [`instructions[${place}]`, ...rest.map((part) => FIELDS[part] ?? part)].join(".");
  const isBody = rest.length === 1 && (rest[0] === "body" || rest[0] === "then");
  const advice = isBody ? "Give the instructions that it holds `inside` with its id." : remedy;
  return [`${where}:`, message, advice].filter(Boolean).join(" ");
}

/** The instruction of the list that a path leads to, and what of the path is inside it. */
function placeOf(path: Path, places: Map<string, number>): [number | undefined, Path] {
  for (let length = path.length; length > 0; length -= 1) {
    const place = places.get(keyOf(path.slice(0, length)));
    if (place !== undefined) return [place, path.slice(length)];
  }
  return [undefined, path];
}
