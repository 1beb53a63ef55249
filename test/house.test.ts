/** The rules of the house, held by a test: where things are, what may import what, how large things may be. */
import { readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { houseNumbers } from "./house-numbers.ts";
import {
  aroundDoors,
  importGraph,
  listFiles,
  loadedWith,
  offendingImports,
  projectRoot,
  readSources,
} from "./house-rules.ts";
import { functionsOf, importsOf } from "./house-source.ts";

const files = listFiles();
const sources = readSources();

const quantile = (values: number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

describe("the top level", () => {
  it("holds what the house plan names and nothing else", () => {
    const top = [...new Set(files.map((path) => path.split("/")[0] ?? ""))].filter((name) => !name.startsWith("."));
    const data = "docs examples fonts packages prompts rehearsals statemachine test";
    const settings = "action.yml biome.json cdk.json package-lock.json package.json tsconfig.json vitest.config.ts";
    const named = `Dockerfile LICENSE README.md SECURITY.md bench bin lambdas lib ${data} ${settings}`;
    expect(top.toSorted()).toEqual(named.split(" ").toSorted());
  });

  it("has a handler file for each state that calls one", () => {
    const definition = JSON.parse(readFileSync(join(projectRoot, "statemachine/control-unit.asl.json"), "utf8"));
    const tasks = Object.entries(definition.States as Record<string, { Resource?: string }>)
      .filter(([, state]) => state.Resource?.includes("lambda"))
      .map(([name]) => name.replace(/(?<=.)[A-Z]/g, (letter) => `-${letter}`).toLowerCase());
    expect(tasks.toSorted()).toEqual(["deliver", "execute", "plan", "record-failure"]);
    for (const name of tasks) expect(files).toContain(`lambdas/${name}.ts`);
  });
});

describe("arrows", () => {
  it("point from the doing parts to the deciding ones, and adapters do not know each other", () => {
    expect(sources.flatMap(offendingImports)).toEqual([]);
  });

  it("lead into a package by its door alone, and nothing loads one before it is needed", () => {
    expect(aroundDoors(importGraph(sources))).toEqual([]);
    const entries = ["lib/cli/main.ts", "lib/cli/runs/local-connection.ts", "lib/client/in-process.ts", "lib/index.ts"];
    for (const entry of [...entries, "lambdas/entry.ts", "lambdas/handlers.ts"]) {
      const loaded = [...loadedWith(entry, sources)];
      expect(loaded.length).toBeGreaterThan(5);
      expect(loaded.filter((path) => path.startsWith("packages/"))).toEqual([]);
    }
  });

  it("make no run-time cycle", () => {
    const graph = new Map(
      sources.map(({ path, text }) => [
        path,
        importsOf(text)
          .filter(({ from, typeOnly, late }) => !typeOnly && !late && from.startsWith("."))
          .map(({ from }) => normalize(join(dirname(path), from))),
      ]),
    );
    const cycles: string[] = [];
    const done = new Set<string>();
    const walk = (path: string, trail: string[]): void => {
      if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(" → "));
      if (done.has(path) || trail.includes(path)) return;
      for (const next of graph.get(path) ?? []) walk(next, [...trail, path]);
      done.add(path);
    };
    for (const path of graph.keys()) walk(path, []);
    expect(cycles).toEqual([]);
  });

  it("lead from the handlers to nothing of the command, the stack or the page", () => {
    const reached = loadedWith("lambdas/handlers.ts", sources, true);
    expect(reached.size).toBeGreaterThan(50);
    expect(
      [...reached].filter((path) =>
        /^(lib\/(cli|cloud|local|aws|model|host|sandbox|evaluator)|packages\/(page|eval|git|telemetry))\//.test(path),
      ),
    ).toEqual([]);
  });

  it("keep the environment and the SDKs out of handlers and core", () => {
    const inside = sources.filter(({ path }) =>
      /^(lib\/(core|registry|control|tools)|lambdas\/(?!entry\.)[a-z-]+\.ts)/.test(path),
    );
    expect(inside.filter(({ text }) => text.includes("process.env")).map(({ path }) => path)).toEqual([]);
  });
});

describe("numbers that only fall", () => {
  it.each(houseNumbers())("$what: at most $limit", ({ figure, limit, slack = 0 }) => {
    expect(figure).toBeLessThanOrEqual(limit);
    expect(figure, "Lower the limit in test/house-numbers.ts.").toBeGreaterThanOrEqual(limit - slack);
  });
});

describe("sizes", () => {
  const lines = sources.map(({ path, text }) => ({ path, lines: text.split("\n").length - 1 }));
  it("of files: median at most 60 lines, nine of ten at most 150, none above 300", () => {
    const counts = lines.map((file) => file.lines);
    expect(lines.filter((file) => file.lines > 300)).toEqual([]);
    expect(quantile(counts, 0.9)).toBeLessThanOrEqual(150);
    expect(quantile(counts, 0.5)).toBeLessThanOrEqual(60);
  });

  const functions = sources.flatMap(({ path, text }) => functionsOf(text, path).map((each) => ({ ...each, path })));
  it("of functions: nine of ten at most 25 lines, none above 72", () => {
    const long = functions
      .filter((each) => each.lines > 72)
      .map((each) => `${each.path}:${each.line} ${each.lines} lines`);
    expect(long).toEqual([]);
    const counts = functions.map((each) => each.lines);
    expect(quantile(counts, 0.9)).toBeLessThanOrEqual(25);
  });
  it("of parameter lists: at most three, or one named object", () => {
    const many = functions.filter((each) => each.parameters > 3).map((each) => `${each.path}:${each.line}`);
    expect(many).toEqual([]);
  });
});

describe("folders", () => {
  it("hold at most 30 source files", () => {
    const folders = [...Map.groupBy(sources, ({ path }) => dirname(path))];
    const wide = folders.filter(([, { length }]) => length > 30).map(([folder, { length }]) => `${folder}: ${length}`);
    expect(wide).toEqual([]);
  });
});

describe("names and manners", () => {
  const offenders = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

  it("no file is called after nothing in particular", () => {
    const vague = /^(utils?|helpers?|common|misc|types?|managers?|services?)\.(ts|mjs)$/;
    expect(sources.map(({ path }) => path).filter((path) => vague.test(basename(path)))).toEqual([]);
  });
  it("no any, no enum, no default export, no export of everything, no switched-off types", () => {
    expect(offenders(/[\w)]\??: any\b|<any\b|\bas any\b/)).toEqual([]);
    expect(offenders(/^(export )?(const )?enum /m)).toEqual([]);
    expect(offenders(/^export default/m)).toEqual([]);
    expect(offenders(/^export \* from/m)).toEqual([]);
    expect(offenders(/@ts-(ignore|expect-error|nocheck)/)).toEqual([]);
  });
  it("no command line in what decides: remedies are data there, and worded where they are shown", () => {
    const deciding = offenders(/["'`]l2mac /).filter((path) => /^lib\/(core|control|registry)\//.test(path));
    expect(deciding).toEqual([]);
  });
  it("no object packs several fields into one line to stay short", () => {
    expect(offenders(/^\s*\.\.\.\{ .* \},$/m)).toEqual([]);
  });
  it("no exported type is a bare participle, which could mean anything", () => {
    const bare =
      /^export (?:interface|type) (?:Asked|Told|Said|Given|Found|Known|Place|Standing|Kept|Taken|Wanted|Chosen|Shown|Answered|Delivered|Described|Located|Expected|Following|Preparing|Judging|Placing|Looking)\b/m;
    expect(offenders(bare)).toEqual([]);
  });
  it("every file begins with its purpose", () => {
    expect(sources.filter(({ text }) => !/^(#!.*\n)?\s*(\/\*\*?|\/\/)/.test(text)).map(({ path }) => path)).toEqual([]);
  });
});
