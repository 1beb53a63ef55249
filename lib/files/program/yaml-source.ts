/** YAML and JSON as data with the place of each part. The time that YAML takes is bounded: files are untrusted. */
import {
  Composer,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  Parser,
  stringify,
} from "yaml";
import {
  errorAt,
  type Finding,
  type Path,
  type Position,
  type ProgramSource,
} from "../../core/program/language/finding.ts";
import { placeInJson } from "./json-places.ts";

/** The parser looks through a longer line again and again. */
const LINE_CHARS = 200_000;
const MOST_MS = 15_000;
/** More open brackets would be followed too deeply. */
const OPEN_BRACKETS = 1_000;
const LINES_BETWEEN = 256;
/** References that a file may have; what they make of it is bounded with the data. */
const ALIASES = 100;

export type ReadSource = ProgramSource | { findings: Finding[] };

export function readYaml(text: string, now: () => number = () => performance.now()): ReadSource {
  const composed = compose(text, now);
  if ("findings" in composed) return composed;
  const { document, lines } = composed;
  const [error] = document.errors;
  if (error) return refused(error.message, placeAt(lines, error.pos[0]));
  const twice = duplicateKey(document.contents);
  if (twice) return refused(`\`${twice.name}\` is there twice.`, placeAt(lines, twice.at));
  try {
    const data: unknown = document.toJS({ maxAliasCount: ALIASES });
    const placeOf = placesIn(document, lines);
    return { data, placeOf: (path) => placeOf(inFile(data, path)) };
  } catch (error) {
    return refused(messageOf(error), { line: 1, column: 1 });
  }
}

export function readJson(text: string): ReadSource {
  try {
    const data: unknown = JSON.parse(text);
    return { data, placeOf: (path) => placeInJson(text, inFile(data, path)) };
  } catch (error) {
    const message = messageOf(error);
    const at = /\(?line (\d+) column (\d+)\)?/.exec(message);
    const place = at ? { line: Number(at[1]), column: Number(at[2]) } : undefined;
    return refused(`it is no JSON: ${message.replace(/ (?:in JSON )?at position .*$/, "")}`, place);
  }
}

/** A file that is a list has no field `instructions`. */
const inFile = (data: unknown, path: Path): Path =>
  Array.isArray(data) && path[0] === "instructions" ? path.slice(1) : path;

export const writeYaml = (data: unknown): string => stringify(data, { lineWidth: 0, aliasDuplicateObjects: false });

type Composed = { document: Document.Parsed; lines: LineCounter } | { findings: Finding[] };

function compose(text: string, now: () => number): Composed {
  const long = text.split("\n").findIndex(({ length }) => length > LINE_CHARS);
  if (long >= 0) return refused(`the line is longer than ${LINE_CHARS} characters.`, { line: long + 1, column: 1 });
  const deep = nestedLine(text);
  if (deep !== undefined) return refused("it is nested too deeply.", { line: deep, column: 1 });
  const latest = now() + MOST_MS;
  const lines = new LineCounter();
  let count = 0;
  const parser = new Parser((offset) => {
    lines.addNewLine(offset);
    count += 1;
    if (count % LINES_BETWEEN === 0 && now() > latest) throw new RangeError("It takes too long to read.");
  });
  try {
    const composer = new Composer({ uniqueKeys: false, prettyErrors: false, logLevel: "silent" });
    const [document, another] = composer.compose(parser.parse(text), false, text.length);
    if (another) return refused("it holds more than one document.", placeAt(lines, another.range[0]));
    return document ? { document, lines } : refused("the file is empty.", { line: 1, column: 1 });
  } catch (error) {
    return refused(messageOf(error), { line: Math.max(1, count), column: 1 });
  }
}

/** The line at which too many brackets are open, whatever they are in. */
function nestedLine(text: string): number | undefined {
  let open = 0;
  let line = 1;
  for (const [sign] of text.matchAll(/[[\]{}\n]/g)) {
    if (sign === "\n") line += 1;
    else open = Math.max(0, open + ("[{".includes(sign) ? 1 : -1));
    if (open > OPEN_BRACKETS) return line;
  }
  return undefined;
}

/** Own work: the library compares every key with every other. */
function duplicateKey(root: unknown): { name: string; at: number } | undefined {
  const pending = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (isSeq(node)) pending.push(...node.items);
    if (!isMap(node)) continue;
    const names = new Set<unknown>();
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? key.value : key;
      if (names.has(name)) return { name: String(name).slice(0, 80), at: isNode(key) ? (key.range?.[0] ?? 0) : 0 };
      names.add(name);
      pending.push(value);
    }
  }
  return undefined;
}

const placesIn =
  (document: Document.Parsed, lines: LineCounter) =>
  (path: Path): Position | undefined => {
    let node: unknown = document.contents;
    let offset = startOf(node);
    for (const part of path) {
      if (isAlias(node)) node = node.resolve(document);
      const inner = childOf(node, part);
      if (!inner) break;
      node = inner.value;
      offset = inner.at ?? startOf(node) ?? offset;
    }
    return offset === undefined ? undefined : placeAt(lines, offset);
  };

const startOf = (node: unknown): number | undefined => (isNode(node) ? (node as Node).range?.[0] : undefined);

/** A field begins at its name. */
function childOf(node: unknown, part: string | number): { value: unknown; at?: number | undefined } | undefined {
  if (isSeq(node))
    return typeof part === "number" && part < node.items.length ? { value: node.items[part] } : undefined;
  if (!isMap(node)) return undefined;
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
  return pair && { value: pair.value, at: startOf(pair.key) };
}

function placeAt(lines: LineCounter, offset: number): Position {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
}

function refused(message: string, place: Position | undefined): { findings: Finding[] } {
  const finding = errorAt([], message.endsWith(".") ? message : `${message}.`);
  return { findings: [place ? { ...finding, place } : finding] };
}

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split("\n", 1)[0]?.slice(0, 300) ?? "";
