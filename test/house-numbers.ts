/** The size of the house in numbers that only fall: the house test holds them, and `npm run bench house` prints them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Evidence } from "../lib/core/evidence/evidence.ts";
import { LaneStep } from "../lib/core/program/ahead.ts";
import { Instruction, Requirement } from "../lib/core/program/program.ts";
import { Run } from "../lib/core/run/run.ts";
import { FileEntry, Turn } from "../lib/core/turn/turn.ts";
import {
  type Graph,
  importGraph,
  isSource,
  isTest,
  listFiles,
  mutualRooms,
  offendingImports,
  projectRoot,
  ROOTS,
  readSources,
  type Source,
  widestFolder,
} from "./house-rules.ts";
import { importsOf } from "./house-source.ts";

export interface HouseNumber {
  what: string;
  figure: number;
  limit: number;
  /** So much lower than its limit may the figure be before the limit is lowered, too. Absent: none. */
  slack?: number;
}

const LINES_SLACK = 300;

export function houseNumbers(): HouseNumber[] {
  const sources = readSources();
  const graph = importGraph(sources);
  const widest = widestFolder(sources);
  const lines = readLines();
  const ofTests = lines.filter(({ path }) => isTest(path));
  const ofSource = lines.filter(({ path }) => isSource(path));
  const ofRoot = ofSource.filter(({ path }) => !path.startsWith("packages/"));
  const others = lines.filter(({ path }) => OTHER_SOURCE.test(path) && !isTest(path));
  return [
    { what: "imports against the arrows", figure: sources.flatMap(offendingImports).length, limit: 0 },
    { what: "pairs of rooms that import each other", figure: mutualRooms(graph).length, limit: 0 },
    { what: `source files in the widest folder (${widest.folder})`, figure: widest.files, limit: 30 },
    {
      what: "files that may import everything",
      figure: sources.filter(({ path }) => ROOTS.test(path)).length,
      limit: 13,
    },
    { what: "files in the largest cycle, types included", figure: largestCycle(graph), limit: 6 },
    { what: "lines of source in bin, lib and lambdas", figure: sumOf(ofRoot), limit: 96_300, slack: LINES_SLACK },
    { what: "lines of source", figure: sumOf(ofSource), limit: 114_300, slack: LINES_SLACK },
    { what: "lines of source in Python, Java and CSS", figure: sumOf(others), limit: 5_620, slack: LINES_SLACK },
    { what: "lines of tests", figure: sumOf(ofTests), limit: 114_700, slack: LINES_SLACK },
    { what: "files with more than 15 imports", figure: manyImports(sources), limit: 94 },
    { what: "fields of stored records", figure: storedFields(), limit: 199 },
    {
      what: "files that name a tool: its own, the toolbox, the generated table",
      figure: naming(sources, /\bdelete_?files\b/i),
      limit: 3,
    },
    {
      what: "files that name an option: the table and its uses",
      figure: naming(sources, /\bon(Stuck|Trap)\b/),
      limit: 13,
    },
    {
      what: "files that import a language's folder",
      figure: importersOf(graph, "lib/evaluator/languages/go"),
      limit: 1,
    },
  ];
}

const MANY_IMPORTS = 15;

/** Composition roots know everyone. */
const manyImports = (sources: Source[]): number =>
  sources.filter(({ path, text }) => !ROOTS.test(path) && importsOf(text).length > MANY_IMPORTS).length;

const storedFields = (): number =>
  [Run, Instruction, Requirement, LaneStep, Turn, Evidence, FileEntry]
    .map(({ shape }) => Object.keys(shape).length)
    .reduce((sum, fields) => sum + fields, 0);

const OTHER_SOURCE = /^(bin|lib|lambdas|packages)\/.*\.(py|java|css)$/;
const TEXT = /\.(tsx?|mjs|py|java|css)$/;

const readLines = (): { path: string; lines: number }[] =>
  listFiles()
    .filter((path) => TEXT.test(path))
    .map((path) => ({ path, lines: readFileSync(join(projectRoot, path), "utf8").split("\n").length - 1 }));

const sumOf = (files: { lines: number }[]): number => files.reduce((sum, { lines }) => sum + lines, 0);

/** Comments count too: what names a thing must follow when it changes. */
const naming = (sources: Source[], name: RegExp): number => sources.filter(({ text }) => name.test(text)).length;

function importersOf(graph: Graph, folder: string): number {
  const isInside = (path: string): boolean => path === `${folder}.ts` || path.startsWith(`${folder}/`);
  return [...graph].filter(([path, targets]) => !isInside(path) && targets.some(isInside)).length;
}

/** Tarjan's strongly connected components; 1: no file imports itself by a detour. */
function largestCycle(graph: Graph): number {
  const order = new Map<string, number>();
  const stack: string[] = [];
  let largest = 0;
  const visit = (path: string): number => {
    const number = order.size;
    order.set(path, number);
    stack.push(path);
    let low = number;
    for (const target of graph.get(path) ?? []) {
      if (!graph.has(target)) continue;
      if (!order.has(target)) low = Math.min(low, visit(target));
      else if (stack.includes(target)) low = Math.min(low, order.get(target) ?? low);
    }
    if (low === number) largest = Math.max(largest, stack.splice(stack.indexOf(path)).length);
    return low;
  };
  for (const path of graph.keys()) if (!order.has(path)) visit(path);
  return largest;
}
