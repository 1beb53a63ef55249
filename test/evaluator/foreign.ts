/** Code of other projects: how often the stub detector gives a false alarm, and whether one bad token is found in it. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { findStubs, mayHoldStubs, type SourceFile } from "../../lib/evaluator/stubs/stubs.ts";
import { toolchain } from "../doubles/evaluation.ts";
import { dataAlarms } from "./foreign-data.ts";
import { tokenFigure } from "./foreign-tokens.ts";
import { shuffled } from "./shuffled.ts";

export interface Figure {
  what: string;
  figure: string;
  aim: string;
  reached: boolean;
  details: string[];
}

/** Files of each source that are looked at. */
const LOOKED_AT = 1_200;
const FALSE_SHARE = 0.005;

export async function foreignFigures(seed: number): Promise<Figure[]> {
  const sources = [
    { name: "Python's standard library", files: standardLibrary() },
    { name: "node_modules", files: nodeModules() },
  ].filter(({ files }) => files.length > 0);
  console.log(`Foreign code, with seed ${seed}:`);
  const alarms = sources.map(({ name, files }) => ({ name, ...falseAlarms(files, seed) }));
  const looked = alarms.reduce((sum, each) => sum + each.looked, 0);
  const found = alarms.flatMap((each) => each.found);
  const share = found.length / Math.max(1, looked);
  const parts = alarms.map(({ name, looked, found }) => `${name} ${found.length} of ${looked}`);
  return [
    {
      what: "files of foreign code with a false alarm of the stub detector",
      figure: `${found.length} of ${looked}, ${(share * 100).toFixed(2)} % (${parts.join(", ")})`,
      aim: "0.5 % at most",
      reached: share <= FALSE_SHARE,
      details: found,
    },
    await dataFigure(seed),
    ...(await Promise.all(sources.map((source) => tokenFigure({ ...source, seed })))),
  ];
}

async function dataFigure(seed: number): Promise<Figure> {
  const library = libraryFolder();
  const { looked, found } = await dataAlarms([nodeModulesFolder, ...(library ? [library] : [])], seed);
  const share = found.length / Math.max(1, looked);
  return {
    what: "files of foreign data that are reported as broken",
    figure: `${found.length} of ${looked}, ${(share * 100).toFixed(2)} %`,
    aim: "0.5 % at most",
    reached: share <= FALSE_SHARE,
    details: found,
  };
}

function falseAlarms(paths: string[], seed: number): { looked: number; found: string[] } {
  const all = paths.map((path): SourceFile => ({ path, text: readFileSync(path, "utf8") }));
  const sample = shuffled(all, seed).slice(0, LOOKED_AT);
  const found = sample.flatMap((file) => {
    const [first] = findStubs([file], () => all).errors;
    return first ? [`${shown(file.path)}:${first.line} ${first.message.slice(0, 60)}`] : [];
  });
  return { looked: sample.length, found };
}

const shown = (path: string): string => relative(process.cwd(), path).replace(/^(?:\.\.\/)+.*\/lib\//, "");

function standardLibrary(): string[] {
  const folder = libraryFolder();
  return folder ? filesBelow(folder, /\.py$/) : [];
}

function libraryFolder(): string | undefined {
  if (!toolchain.python) return undefined;
  const request = spawnSync(toolchain.python, ["-I", "-c", "import sysconfig; print(sysconfig.get_path('stdlib'))"]);
  return request.stdout.toString().trim();
}

const nodeModulesFolder = join(import.meta.dirname, "../../node_modules");
const nodeModules = (): string[] => filesBelow(nodeModulesFolder, /\.(?:[cm]?js|[cm]?ts)$/);

/** Packages beside the standard library, and what tools keep in `node_modules` for themselves, differ from computer to computer. */
function filesBelow(folder: string, name: RegExp): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && name.test(entry.name) && mayHoldStubs(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/\/(?:site-packages|\.[^/]+)\//.test(path.slice(folder.length)))
    .sort();
}
