/** The figures of the source itself: arrows, rooms, folders, cycles, size, and what a new feature has to touch. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Graph,
  importGraph,
  listFiles,
  mutualRooms,
  offendingImports,
  projectRoot,
  ROOTS,
  readSources,
  type Source,
  widestFolder,
} from "../test/house-rules.ts";
import type { Row } from "./table.ts";

export async function house(): Promise<Row[]> {
  const sources = readSources();
  const graph = importGraph(sources);
  const widest = widestFolder(sources);
  return [
    atMost("imports against the arrows", sources.flatMap(offendingImports).length, 0),
    atMost("pairs of rooms that import each other", mutualRooms(graph).length, 0),
    atMost(`source files in the widest folder (${widest.folder})`, widest.files, 30),
    atMost("files that may import everything", sources.filter(({ path }) => ROOTS.test(path)).length, 30),
    atMost("files in the largest cycle, types included", largestCycle(graph), 6),
    atMost("lines of source", linesOfSource(), 48_500),
    atMost(
      "files that name a tool: its own, the toolbox, the generated table",
      naming(sources, /\bdelete_?files\b/i),
      3,
    ),
    atMost("files that name an option: the table and its uses", naming(sources, /\bon(Stuck|Trap)\b/), 6),
    atMost("files that import a language's folder", importersOf(graph, "lib/evaluator/languages/go"), 1),
  ];
}

const atMost = (what: string, figure: number, aim: number): Row => ({
  ...{ what, figure: figure.toLocaleString("en"), aim: `≤ ${aim.toLocaleString("en")}`, reached: figure <= aim },
});

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

/** Without tests, rehearsals and the emulated cloud. */
const SOURCE = /^(bin|lib|lambdas)\/.*\.(tsx?|mjs|py|sh|css)$/;
const TEST = /\.test\.\w+$/;

function linesOfSource(): number {
  const paths = listFiles().filter((path) => SOURCE.test(path) && !TEST.test(path));
  const lines = paths.map((path) => readFileSync(join(projectRoot, path), "utf8").split("\n").length - 1);
  return lines.reduce((sum, count) => sum + count, 0);
}

/** Comments count too: what names a thing must follow when it changes. */
const naming = (sources: Source[], name: RegExp): number => sources.filter(({ text }) => name.test(text)).length;

function importersOf(graph: Graph, folder: string): number {
  const isInside = (path: string): boolean => path === `${folder}.ts` || path.startsWith(`${folder}/`);
  return [...graph].filter(([path, targets]) => !isInside(path) && targets.some(isInside)).length;
}
