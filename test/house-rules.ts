/** The plan of the house as data: its rooms, what each may import, and who is exempt. The house test and `bench house` read it. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { importsOf } from "./house-source.ts";

export interface Source {
  path: string;
  text: string;
}

export const projectRoot = fileURLToPath(new URL("..", import.meta.url));

/** Every file of the project, also before it is committed. */
export function listFiles(): string[] {
  const listed = ["ls-files", "--cached", "--others", "--exclude-standard"];
  const paths = execFileSync("git", listed, { cwd: projectRoot, encoding: "utf8" }).split("\n");
  return [...new Set(paths)].filter((path) => path !== "");
}

/** Packages for tests only, and what the others are tested with. */
export const isTest = (path: string): boolean =>
  /\.test\.\w+$|^test\/|^packages\/(aws-rehearsal|evaluator-lab|[a-z-]+\/test)\//.test(path);

export const isSource = (path: string): boolean =>
  /^(bin|lib|lambdas|packages)\/.*\.(tsx?|mjs)$/.test(path) && !isTest(path);

/** What the program is made of, without its tests. */
export const readSources = (): Source[] =>
  listFiles()
    .filter(isSource)
    .map((path) => ({ path, text: readFileSync(join(projectRoot, path), "utf8") }));

/** Composition roots: the only files that may import from every room. */
export const ROOTS =
  /^(bin\/.*|lib\/client\/in-process\.ts|lib\/local\/(open|compute|webhook-loop|server\/(page-files|serve))\.ts|lib\/(index|generate[a-z-]*)\.ts|lambdas\/(entry(-api)?|evaluate\/entry)\.ts)$/;

/** What each part may import: other parts, and packages. */
export const ARROWS: Record<string, { parts: string[]; packages: RegExp }> = {
  "lib/core": { parts: ["lib/core"], packages: /^zod$/ },
  "lib/pack": { parts: ["lib/pack", "lib/core"], packages: /^fflate$/ },
  "packages/book": {
    parts: ["packages/book", "lib/pack", "lib/core"],
    packages: /^(marked|fflate|pdfkit|node:(path|zlib))$/,
  },
  "packages/page": {
    parts: ["packages/page", "packages/page/charts", "lib/api", "packages/book", "lib/pack", "lib/core"],
    packages: /^(zod|preact(\/hooks)?|diff|highlight\.js\/.*|esbuild|node:.*)$/,
  },
  "packages/page/charts": { parts: ["packages/page/charts", "lib/core"], packages: /^d3-scale$/ },
  "lib/registry": { parts: ["lib/registry", "lib/core"], packages: /^$/ },
  "lib/tools": { parts: ["lib/tools", "lib/core"], packages: /^(zod|re2js)$/ },
  "lib/model": {
    parts: ["lib/model", "lib/core"],
    packages: /^(openai(\/.*)?|@smithy\/core\/event-streams|zod|node:(http|https|net|fs|path))$/,
  },
  "lib/engine": { parts: ["lib/engine", "lib/core"], packages: /^(jsonata|zod)$/ },
  "lib/host": { parts: ["lib/host", "lib/core"], packages: /^(node:.*|zod)$/ },
  "lib/files": { parts: ["lib/files", "lib/host", "lib/pack", "lib/core"], packages: /^(node:.*|yaml|zod)$/ },
  "packages/git": {
    parts: ["packages/git", "lib/webhook", "lib/files", "lib/pack", "lib/core"],
    packages: /^(zod|node:(crypto|http|https|net|zlib))$/,
  },
  "lib/evaluator": {
    parts: ["lib/evaluator", "lib/core"],
    packages: /^(node:.*|zod|parse5|postcss|smol-toml|yaml)$/,
  },
  "lib/sandbox": {
    parts: ["lib/sandbox", "lib/evaluator", "lib/files", "lib/host", "lib/pack", "lib/core"],
    packages: /^(node:.*|zod)$/,
  },
  "lib/local": {
    parts: [
      ...["lib/local", "lib/api", "lib/engine", "lib/files", "lib/host", "lib/pack"],
      ...["lib/control", "lib/registry", "packages/telemetry", "lib/core"],
    ],
    packages: /^(node:.*|zod|@hono\/node-server)$/,
  },
  "lib/aws": {
    parts: ["lib/aws", "lib/core"],
    packages: /^(@aws-sdk\/.*|@smithy\/(signature-v4|core\/serde)|zod|node:.*)$/,
  },
  "lib/webhook": { parts: ["lib/webhook", "lib/core"], packages: /^node:(crypto|dns|http|https|net)$/ },
  "packages/telemetry": { parts: ["packages/telemetry", "lib/core"], packages: /^node:(crypto|zlib)$/ },
  "lib/cloud": {
    parts: ["lib/cloud", "lib/files", "lib/core"],
    packages: /^(aws-cdk-lib(\/.*)?|constructs|cdk-nag|zod|yaml|esbuild|node:.*)$/,
  },
  "packages/eval": {
    parts: ["packages/eval", "packages/book", "lib/files", "lib/pack", "lib/core"],
    packages: /^(node:.*|zod|fflate|yaml)$/,
  },
  "lib/control": {
    parts: ["lib/control", "lib/registry", "lib/tools", "lib/pack", "packages/book", "lib/core"],
    packages: /^(zod|diff|node:crypto|node:zlib)$/,
  },
  "lib/api": {
    parts: ["lib/api", "lib/core", "lib/control", "lib/registry", "lib/pack"],
    packages: /^(hono(\/.*)?|zod)$/,
  },
  "lib/client": {
    parts: ["lib/client", "lib/core", "lib/api", "lib/pack"],
    packages: /^(@aws-sdk\/credential-provider-node|@smithy\/(signature-v4|core\/serde)|zod|node:.*)$/,
  },
  "lib/cli": {
    parts: [
      ...[
        "lib/cli",
        "lib/client",
        "lib/local",
        "lib/api",
        "lib/control",
        "lib/files",
        "lib/host",
        "lib/pack",
        "lib/core",
      ],
      ...["lib/model", "lib/sandbox", "lib/webhook", "lib/deployment", "lib/cloud"],
      ...["packages/git", "packages/page", "packages/eval", "packages/telemetry"],
    ],
    packages: /^(node:.*|zod|diff|@aws-sdk\/client-sts)$/,
  },
  "lib/library": {
    parts: [
      ...["lib/library", "lib/client", "lib/api", "lib/files", "lib/host", "lib/model", "lib/pack", "lib/sandbox"],
      "lib/core",
    ],
    packages: /^$/,
  },
  "lib/deployment": {
    parts: ["lib/deployment", "lib/core"],
    packages: /^(@aws-sdk\/client-[a-z0-9-]+|zod|node:.*)$/,
  },
  lambdas: { parts: ["lambdas", "lib/api", "lib/control", "lib/registry", "lib/tools", "lib/core"], packages: /^$/ },
  "lambdas/build-image": {
    parts: ["lambdas/build-image", "lib/aws", "lib/host", "lib/core"],
    packages: /^(zod|aws-lambda)$/,
  },
  "lambdas/evaluate": { parts: ["lambdas/evaluate", "lib/evaluator", "lib/core"], packages: /^node:.*$/ },
};

export const partOf = (path: string): string =>
  Object.keys(ARROWS)
    .filter((part) => path.startsWith(`${part}/`))
    .toSorted((a, b) => b.length - a.length)[0] ?? dirname(path);

/** Relative to the top folder; undefined: a package. */
export const importedPath = (path: string, from: string): string | undefined =>
  from.startsWith(".") ? normalize(join(dirname(path), from)) : undefined;

/** Imports that no arrow allows. */
export function offendingImports({ path, text }: Source): string[] {
  const arrow = ARROWS[partOf(path)];
  if (!arrow || ROOTS.test(path)) return [];
  const isAllowed = (from: string): boolean => {
    const target = importedPath(path, from);
    return target === undefined ? arrow.packages.test(from) : arrow.parts.includes(partOf(target));
  };
  return importsOf(text).flatMap(({ from }) => (isAllowed(from) ? [] : [`${path} imports ${from}`]));
}

/** From each source to the files that it imports, types included. */
export type Graph = Map<string, string[]>;

export const importGraph = (sources: Source[]): Graph =>
  new Map(
    sources.map(({ path, text }) => [path, importsOf(text).flatMap(({ from }) => importedPath(path, from) ?? [])]),
  );

const packageOf = (path: string): string | undefined => path.match(/^packages\/[a-z-]+(?=\/)/)?.[0];

/** Imports of what is inside a package from outside of it: each has one door. */
export const aroundDoors = (graph: Graph): string[] =>
  [...graph].flatMap(([path, targets]) =>
    targets.flatMap((target) => {
      const entered = packageOf(target);
      const isIn = entered === undefined || entered === packageOf(path) || target === `${entered}/index.ts`;
      return isIn ? [] : [`${path} imports ${target}`];
    }),
  );

/** What is loaded with a file, before any of it is called; or `ever`. */
export function loadedWith(entry: string, sources: Source[], ever = false): Set<string> {
  const texts = new Map(sources.map(({ path, text }) => [path, text]));
  const loaded = new Set<string>();
  const load = (path: string): void => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const { from, typeOnly, late } of importsOf(texts.get(path) ?? "")) {
      const target = importedPath(path, from);
      if (target !== undefined && !typeOnly && (ever || !late)) load(target);
    }
  };
  load(entry);
  return loaded;
}

/** Pairs of rooms that import each other, composition roots aside. */
export function mutualRooms(graph: Graph): string[] {
  const arrows = new Set<string>();
  for (const [path, targets] of graph) {
    if (ROOTS.test(path)) continue;
    for (const target of targets) arrows.add(`${partOf(path)} ${partOf(target)}`);
  }
  return [...arrows].filter((arrow) => {
    const [from = "", to = ""] = arrow.split(" ");
    return from < to && arrows.has(`${to} ${from}`);
  });
}

export function widestFolder(sources: Source[]): { folder: string; files: number } {
  const counts = new Map<string, number>();
  for (const { path } of sources) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  const [folder, files] = [...counts].reduce((most, each) => (each[1] > most[1] ? each : most), ["", 0]);
  return { folder, files };
}
