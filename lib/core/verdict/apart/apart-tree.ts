/** The tree in which given tests run apart: without what the run wrote to run tests, with plain settings. Pure. */
import { byWeight, isAround, isConfig } from "./around-tests.ts";
import { pythonCanary, scriptCanary } from "./canary.ts";
import { type CompiledPart, compiledPart } from "./compiled-canary.ts";
import { isCompiled, type NamedTest } from "./compiled-names.ts";
import { isPlainConfig } from "./plain-config.ts";
import { plainConftest } from "./plain-conftest.ts";
import { plainManifest } from "./plain-manifest.ts";
import { plainPythonSettings } from "./plain-settings.ts";
import { runnerOf, type ScriptFile } from "./script-runner.ts";

export interface ApartTree {
  /** Left out. */
  without: string[];
  /** In place of what the tree has, or beside it. */
  laid: ScriptFile[];
  /** The given tests, and those of ours. */
  paths: string[];
  /** Each of them is asked for by its path; else whatever the runner finds. */
  isChosen: boolean;
  /** Tests of ours that must fail: their files, or their names where they are within given files. */
  canaries: string[];
  /** Those within given files. */
  within: NamedTest[];
  /** Tests that given files of compiled languages surely have. */
  named: NamedTest[];
  /** What the run wrote around the tests, the files that decide most first. */
  removed: string[];
}

export interface ApartInput {
  /** Files of the tree that the run wrote, with the texts of those that `decides` names. */
  own: ReadonlyMap<string, string>;
  /** Every package.json that the run did not write. */
  others: ScriptFile[];
  /** Given files that hold tests. */
  tests: ScriptFile[];
  /** Part of the names of our own tests. */
  id: string;
}

/** Files whose texts are needed. */
export const decides = (path: string): boolean =>
  nameOf(path) === "package.json" ||
  isConfig(path) ||
  nameOf(path) === "__init__.py" ||
  nameOf(path) === "conftest.py" ||
  plainPythonSettings(nameOf(path), "") !== undefined;

/** A text: why they cannot be run apart. */
export function apartTree({ own, others, tests, id }: ApartInput): ApartTree | string {
  const python = tests.filter(({ path }) => path.endsWith(".py"));
  const scripts = tests.filter(({ path }) => SCRIPT.test(path));
  const compiled = tests.filter(isCompiled);
  if (python.length + scripts.length + compiled.length < tests.length)
    return "only tests in Python, JavaScript, TypeScript, Go, Rust and Java can be run so";
  const within = compiledPart(compiled, id);
  if (typeof within === "string") return within;
  if (compiled.length === tests.length) return compiledTree(tests, within);
  const parts = [python.length > 0 ? pythonPart(own, python) : NOTHING, scriptPart(own, others, scripts)];
  const [problem] = parts.flatMap((part) => (typeof part === "string" ? [part] : []));
  if (problem !== undefined) return problem;
  const { without, laid, isChosen } = together(parts.filter((part) => typeof part !== "string"));
  const around = [...own.keys()].filter((path) => isAround(path, own.get(path) ?? ""));
  const runner = runnerOf(scripts, manifestTexts(own, others)) ?? "node";
  const canaries = [pythonCanary(python, id), scriptCanary(scripts, runner, id)].filter((one) => one !== undefined);
  return {
    without: [...new Set([...without, ...around])],
    laid: [...laid, ...canaries, ...within.laid],
    paths: [...new Set([...tests, ...canaries, ...within.laid].map(({ path }) => path))],
    isChosen,
    canaries: [...canaries.map(({ path }) => path), ...within.within.map(({ name }) => name)],
    within: within.within,
    named: within.named,
    removed: [...new Set([...around, ...without, ...laid.map(({ path }) => path)])].sort(byWeight),
  };
}

/** Nothing is taken out: what compiled tests need is not plain from their text. */
const compiledTree = (tests: ScriptFile[], { laid, within, named }: CompiledPart): ApartTree => ({
  without: [],
  laid,
  within,
  named,
  removed: [],
  isChosen: true,
  paths: [...new Set([...tests, ...laid].map(({ path }) => path))],
  canaries: within.map(({ name }) => name),
});

interface Part {
  without: string[];
  laid: ScriptFile[];
  isChosen: boolean;
}

const NOTHING: Part = { without: [], laid: [], isChosen: true };
const SCRIPT = /\.(?:[cm]?[jt]s|[jt]sx)$/;

function pythonPart(own: ReadonlyMap<string, string>, tests: ScriptFile[]): Part {
  const laid = [...own].flatMap(([path, text]) => {
    const plain = plainPythonSettings(nameOf(path), text);
    return plain === undefined || sameLines(plain, text) ? [] : [{ path, text: plain }];
  });
  return { without: [], laid: [...laid, ...plainConftest(own, tests)], isChosen: true };
}

const sameLines = (one: string, other: string): boolean => one.trim() === other.replaceAll("\r", "").trim();

function scriptPart(own: ReadonlyMap<string, string>, others: ScriptFile[], tests: ScriptFile[]): Part | string {
  if (tests.length === 0) return NOTHING;
  const runner = runnerOf(tests, manifestTexts(own, others));
  if (!runner) return "which runner they are for is not plain";
  const paths = tests.map(({ path }) => path);
  const configured = [...own].find(([path, text]) => isConfig(path) && !isPlainConfig(text));
  if (configured && runner !== "node") return `${configured[0]}, which the run wrote, sets up their runner`;
  const laid: ScriptFile[] = [];
  let isChosen = true;
  for (const [path, text] of own) {
    if (nameOf(path) !== "package.json") continue;
    const plain = plainManifest(text, runner, paths);
    if (!plain) return `${path} cannot be read`;
    if (plain.isConfigured) return `${path}, which the run wrote, sets up their runner`;
    isChosen &&= plain.script === undefined || runner === "vitest" || runner === "jest";
    laid.push({ path, text: plain.text });
  }
  return { without: [], laid, isChosen };
}

const manifestTexts = (own: ReadonlyMap<string, string>, others: ScriptFile[]): string[] => [
  ...[...own].flatMap(([path, text]) => (nameOf(path) === "package.json" ? [text] : [])),
  ...others.map(({ text }) => text),
];

const together = (parts: Part[]): Part => ({
  without: parts.flatMap(({ without }) => without),
  laid: parts.flatMap(({ laid }) => laid),
  isChosen: parts.every(({ isChosen }) => isChosen),
});

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
