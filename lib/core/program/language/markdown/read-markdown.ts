/** A program in Markdown as data: a list with one item per instruction, and lists inside the items of blocks. Pure. */
import { type Block, REQUIREMENT, readBlocks } from "../../program-blocks.ts";
import { oneLine, readBold, readItem, splitIds } from "../../program-item.ts";
import { createPlaces, errorAt, type Finding, type Path, type Position, type ProgramSource } from "../finding.ts";
import { NESTED_DEPTH } from "../schema.ts";
import { MARKS, type Marks, readMarks } from "./marks.ts";

/** Blocks whose parts are items that are marked so. */
const BLOCKS = new Set(["group", "if", "for_each", "repeat"]);

class Refusal extends Error {
  readonly finding: Finding;
  constructor(path: Path, place: Position, message: string) {
    super(message);
    this.finding = { ...errorAt(path, message), place };
  }
}

export function readMarkdown(text: string): ProgramSource | { findings: Finding[] } {
  const { set, placeOf } = createPlaces();
  try {
    return { data: dataFrom(text, set), placeOf };
  } catch (error) {
    if (error instanceof Refusal) return { findings: [error.finding] };
    throw error;
  }
}

type SetPlace = (path: Path, place: Position) => void;

function dataFrom(text: string, set: SetPlace): object {
  const blocks = blocksIn(text, { path: [], line: 0, column: 0 });
  const items = blocks.filter(({ section }) => section === "program");
  const requirements = blocks.filter(({ section }) => section === "requirements");
  if (items.length === 0) {
    throw new Refusal(
      [],
      { line: 1, column: 1 },
      "there is no list; a program is a list with one item per instruction.",
    );
  }
  set([], { line: 1, column: 1 });
  const reader = createReader(set);
  return {
    instructions: items.map((block, index) =>
      reader.node(block, { path: ["instructions", index], line: 0, column: 0 }),
    ),
    requirements: requirements.map(({ text: own, line, column }, index) => {
      const path = ["requirements", index];
      set(path, { line, column });
      return readRequirement(own) ?? refuse(path, { line, column }, "a requirement reads `R1: what is asked`.");
    }),
  };
}

function refuse(path: Path, place: Position, message: string): never {
  throw new Refusal(path, place, message);
}

function readRequirement(text: string): { id: string; text: string } | undefined {
  const [, labelled, numbered, asked] = REQUIREMENT.exec(text) ?? [];
  return asked ? { id: `R${labelled ?? numbered}`, text: oneLine(asked) } : undefined;
}

/** Where a list is: what comes before its first line and column. */
interface Origin {
  path: Path;
  line: number;
  column: number;
}

function blocksIn(text: string, { path, line, column }: Origin): Block[] {
  const blocks = readBlocks(text, { inside: path.length > 0 });
  if (!("problem" in blocks)) return blocks;
  return refuse(path, { line: line + blocks.line, column: column + blocks.column }, blocks.problem);
}

/** The line with the marks of an item, and what is below it. */
interface Head {
  /** Where its braces begin. */
  at: Position;
  /** Without its braces. */
  line: string;
  title: string | undefined;
  marks: Marks;
  below: string;
  /** Of `below`, from the first line of the item. */
  belowFrom: number;
}

function createReader(set: SetPlace) {
  function node(block: Block, origin: Origin): unknown {
    const place = { line: origin.line + block.line, column: origin.column + block.column };
    set(origin.path, place);
    const head = readHead(block, origin);
    if (!head) return block.text;
    const { id, kind, fields, offsets } = head.marks;
    for (const [field, offset] of Object.entries(offsets)) {
      set([...origin.path, field], { line: head.at.line, column: head.at.column + offset });
    }
    const own = { ...(id === undefined ? {} : { id }), ...fields };
    if (kind === undefined || kind === "do") return { ...own, ...readItem(`${head.line}\n${head.below}`) };
    const titled = { kind, ...(head.title === undefined ? {} : { title: head.title }), ...own };
    if (!hasList(kind, head)) return { ...titled, ...textBelow(kind, head) };
    const inner = {
      path: origin.path,
      line: place.line + head.belowFrom - 1,
      column: origin.column + block.width,
    };
    if (origin.path.filter((part) => typeof part === "number").length > NESTED_DEPTH) {
      return refuse(origin.path, place, `it is inside ${NESTED_DEPTH} blocks; one less fits.`);
    }
    return { ...titled, ...parts(kind, head.below, inner) };
  }

  /** The lists of a block: its body, its branches. */
  function parts(kind: string, below: string, origin: Origin): object {
    const blocks = blocksIn(below, origin);
    const list = (items: Block[], path: Path): unknown[] =>
      items.map((item, index) => node(item, { ...origin, path: [...origin.path, ...path, index] }));
    if (kind !== "if") return blocks.length > 0 ? { body: list(blocks, ["body"]) } : {};
    const last = blocks.at(-1);
    const hasElse = last !== undefined && /^\{\.else\}/.test(last.text.trimStart());
    const then = hasElse ? blocks.slice(0, -1) : blocks;
    return {
      // biome-ignore lint/suspicious/noThenProperty: it is a list, and the language calls it so
      ...(then.length > 0 ? { then: list(then, ["then"]) } : {}),
      ...(hasElse ? { else: branch(last, { ...origin, path: [...origin.path, "else"] }) } : {}),
    };
  }

  /** The item `{.else}`, which only holds a list. */
  function branch(block: Block, origin: Origin): unknown[] {
    const place = { line: origin.line + block.line, column: origin.column + block.column };
    set(origin.path, place);
    const head = readHead(block, origin);
    if (!head) return refuse(origin.path, place, "write {.else} here, and its list below.");
    const inner = { ...origin, line: place.line + head.belowFrom - 1, column: origin.column + block.width };
    return blocksIn(head.below, inner).map((item, index) => node(item, { ...inner, path: [...origin.path, index] }));
  }
  return { node };
}

/** Undefined: the item is a text. */
function readHead(block: Block, origin: Origin): Head | undefined {
  const lines = block.text.split("\n");
  const first = lines.findIndex((line) => line.trim() !== "");
  const line = (lines[first] ?? "").trim();
  const bold = readBold(line);
  const beside = bold ? bold.after : line;
  const from = beside.endsWith("}") ? beside.search(MARKS) : -1;
  if (from < 0) return undefined;
  const before = beside.slice(0, from).trim();
  if (before !== "" && (!bold || splitIds(before).text !== "")) return undefined;
  const braces = beside.slice(from);
  const shift = line.length - braces.length;
  const indent = (lines[first] ?? "").search(/\S/);
  const column = origin.column + indent + (first === 0 ? block.textColumn : block.width + 1) + shift;
  const at = { line: origin.line + block.line + first, column };
  const marks = readMarks(braces);
  if ("problem" in marks) return refuse(origin.path, { ...at, column: column + marks.offset }, marks.problem);
  return {
    at,
    line: line.slice(0, shift).trimEnd(),
    title: bold?.title,
    marks,
    below: lines.slice(first + 1).join("\n"),
    belowFrom: first + 1,
  };
}

/** Below a `call` is what it calls, once its file was read. */
const hasList = (kind: string, { below }: Head): boolean =>
  BLOCKS.has(kind) || (kind === "call" && /^\s*(?:[-*+]|\d{1,9}[.)])\s/.test(below));

/** Only a question has a text. */
function textBelow(kind: string, { below }: Head): object {
  if (kind === "ask") return { question: below };
  return below.trim() === "" ? {} : { text: below };
}
