/** How a project declares that it is tested: the first of tox's environments that tests, else what nox does. Pure. */
import { type Ini, linesIn, parseIni } from "./ini.ts";
import type { PythonManifests } from "./python-metadata.ts";
import { listAt, tableAt, textAt } from "./toml-values.ts";

export interface ToxEnvironment {
  deps: string[];
  extras: string[];
  groups: string[];
  commands: string[];
  /** Variables, each as `NAME=value`. */
  variables: string[];
  /** The folder that its commands run in, from that of the project: one, or none. */
  folder: string[];
}

const SECTIONS = [
  "testenv",
  "testenv:py",
  "testenv:py3",
  "testenv:test",
  "testenv:tests",
  "testenv:unit",
  "testenv:pytest",
];
const TABLES = ["env_run_base", "env.py", "env.test", "env.tests"];

export function toxEnvironment({ tox, toxToml, nox, setupCfg, pyproject }: PythonManifests): ToxEnvironment {
  const legacy = textAt(pyproject, "tool", "tox", "legacy_tox_ini");
  const ini = tox ?? (legacy === undefined ? setupCfg : parseIni(legacy));
  const found = [
    ...SECTIONS.map((section) => fromIni(ini, section)),
    ...TABLES.map((path) => fromTable(tableAt(toxToml, ...path.split(".")))),
    ...TABLES.map((path) => fromTable(tableAt(pyproject, "tool", "tox", ...path.split(".")))),
    ...(nox ? [{ deps: nox.deps, extras: [], groups: [], commands: nox.commands, variables: [], folder: [] }] : []),
  ];
  const named = <Key extends keyof ToxEnvironment>(key: Key): ToxEnvironment[Key] =>
    found.find((one) => one[key].length > 0)?.[key] ?? [];
  return {
    deps: named("deps"),
    extras: named("extras"),
    groups: named("groups"),
    commands: named("commands"),
    variables: named("variables"),
    folder: (found.find(({ commands }) => commands.length > 0)?.folder ?? [])
      .concat(found[0]?.folder ?? [])
      .slice(0, 1),
  };
}

function fromIni(ini: Ini | undefined, section: string): ToxEnvironment {
  const all = (key: string): string[] => linesIn(ini, section, key).flatMap((line) => expanded(line, ini));
  const envlist = ["envlist", "env_list"].flatMap((key) => linesIn(ini, "tox", key));
  const newest = Math.max(
    0,
    ...[...envlist, ...all("deps").filter((line) => OF_PYTHONS.test(line))].flatMap(pythonsIn),
  );
  const lines = (key: string): string[] => forPython(all(key), newest);
  const words = (key: string): string[] =>
    plainLines(lines(key))
      .flatMap((line) => line.split(/[\s,]+/))
      .filter((word) => word !== "");
  return {
    deps: withVersioned(lines("deps")),
    // `crypto: crypto`: some of its occasions have it, and what is skipped without it is tested then.
    extras: [...words("extras"), ...lines("extras").flatMap((line) => /^([\w-]+): \1$/.exec(line)?.[1] ?? [])],
    groups: words("dependency_groups"),
    commands: plainLines(joinedLines(lines("commands"))),
    variables: plainLines([...lines("setenv"), ...lines("set_env")]),
    folder: [...lines("changedir"), ...lines("change_dir")].flatMap(folderOf),
  };
}

/** `{[section]key}` stands for the lines of that key. */
function expanded(line: string, ini: Ini | undefined): string[] {
  const [, section = "", key = ""] = /^\{\[([^\]]+)\]([\w-]+)\}$/.exec(line) ?? [];
  return key === "" ? [line] : linesIn(ini, section, key);
}

const joinedLines = (lines: string[]): string[] =>
  lines.length === 0 ? [] : lines.join("\n").replace(/\\\n/g, " ").split("\n");

/** `py{38,39}: line`, `py38,py39: line` */
const OF_PYTHONS = /^(py(?:[A-Za-z_.]*\d[\w.]*|[\w.]*\{[\w,.]+\})(?:,(?:py|\{)[\w.{,}]*)?):\s+(\S.*)$/;

/** Versions of Python in the names of environments, each as a number: `py27` is 207, `py{39,310}` are 309 and 310. */
function pythonsIn(text: string): number[] {
  const names = [...text.matchAll(/\bpy(\d?)\{([\w,. ]+)\}/g)].flatMap(([, major = "", list = ""]) =>
    list.split(",").map((one) => major + one.trim()),
  );
  const plain = [...text.matchAll(/\bpy(\d[\d.]*)/g)].map(([, name = ""]) => name);
  return [...names, ...plain].flatMap((name) => {
    const [, major = "", minor = ""] = /^(\d)\.?(\d+)$/.exec(name) ?? [];
    return minor === "" ? [] : [Number(major) * 100 + Number(minor)];
  });
}

/** What has a version for each Python: those of the newest that the project names count. */
const forPython = (lines: string[], newest: number): string[] =>
  lines.flatMap((line) => {
    const [, pythons, rest = ""] = OF_PYTHONS.exec(line) ?? [];
    const versions = pythonsIn(pythons ?? "");
    if (versions.length === 0 || newest < OLDEST) return [line];
    return versions.includes(newest) ? [rest] : [];
  });
const OLDEST = 300;

/** `py38: line`, `!cov: line`: those of this Python and of no other occasion. */
const FACTORS = /^((?:[\w.!-](?:[\w.!]*-[\w.!{}-]+|[\w.!-]*)|\{[\w,.-]+\}(?:-[\w.!{}-]+)?)(?:,[\w.!{}-]+)*):\s+(\S.*)$/;

const plainLines = (lines: string[]): string[] =>
  lines.flatMap((line) => {
    const [, factors, rest = ""] = FACTORS.exec(line) ?? [];
    return factors === undefined ? [line] : /^!|^py3?$|^tests?$/.test(factors) ? [rest] : [];
  });

/** Of what has a version for each occasion (`django50: Django~=5.0`) the last. */
function withVersioned(lines: string[]): string[] {
  const versioned = new Map<string, string>();
  for (const line of lines) {
    const [, factors = "", rest = ""] = FACTORS.exec(line) ?? [];
    if (/^\{?[a-z]+\d/.test(factors) && !/^py/.test(factors)) versioned.set(rest.split(/[^\w.-]/)[0] ?? "", rest);
  }
  return [...plainLines(lines), ...versioned.values()];
}

function fromTable(table: Record<string, unknown> | undefined): ToxEnvironment {
  const commands = Array.isArray(table?.commands) ? table.commands : [];
  return {
    deps: listAt(table, "deps"),
    extras: listAt(table, "extras"),
    groups: listAt(table, "dependency_groups"),
    commands: commands.map((words) => (Array.isArray(words) ? words.flatMap(wordsOf).join(" ") : "")),
    folder: [textAt(table, "change_dir") ?? textAt(table, "changedir") ?? ""].flatMap(folderOf),
    variables: Object.entries(tableAt(table, "set_env") ?? {}).flatMap(([name, value]) =>
      typeof value === "string" ? [`${name}=${value}`] : [],
    ),
  };
}

/** One of the project's own: what tox makes for its environments is empty. */
const folderOf = (value: string): string[] => {
  const path = value.replace(/^\{(?:toxinidir|tox_root)\}\/?|^\.\//, "").replace(/\/$/, "");
  return /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/.test(path) ? [path] : [];
};

/** `{ replace = "posargs", default = ["tests"] }` stands for its default. */
function wordsOf(word: unknown): string[] {
  if (typeof word === "string") return [word];
  return textAt(word, "replace") === "posargs" ? listAt(word, "default") : [];
}

/**
 * Those that tests may be given. What decides about Python, its runner or the way to programs is left out: it would
 * work on the evaluator's own part of the run.
 */
export function toxVariables(manifests: PythonManifests, folder: string): Record<string, string> {
  const found = toxEnvironment(manifests).variables.flatMap((line): [string, string][] => {
    const [, name = "", value = ""] = /^([A-Za-z_]\w*)\s*=\s*([\s\S]*)$/.exec(line) ?? [];
    const plain = value
      .replace(/\{(?:toxinidir|tox_root)\}/g, folder)
      .replace(/\{env:\w+:([^{}]*)\}/g, "$1")
      .replace(/^(["'])(.*)\1$/, "$2");
    return name === "" || KEPT_OUT.test(name) || /[{}\0]/.test(plain) ? [] : [[name, plain]];
  });
  return Object.fromEntries(found.slice(0, VARIABLES));
}

const KEPT_OUT =
  /^(?:PYTHON(?!HASHSEED$|UTF8$|IOENCODING$)|PYTEST|UNITTEST|COV|LD_|DYLD_|GCONV_|MALLOC_|GLIBC_|BASH|NODE|NPM|L2MAC|EDITABLE|VIRTUAL_ENV|PIP|UV|XDG_|(?:PATH|HOME|TMPDIR|TEMP|TMP|SHELL|ENV|IFS|USER|LOGNAME|PWD|OLDPWD)$)/i;
const VARIABLES = 50;
