/** How a project declares that it is tested: the first of tox's environments that tests. Pure. */
import { type Ini, linesIn, parseIni } from "./ini.ts";
import type { PythonManifests } from "./python-metadata.ts";
import { listAt, tableAt, textAt } from "./toml-values.ts";

export interface ToxEnvironment {
  deps: string[];
  extras: string[];
  groups: string[];
  commands: string[];
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

export function toxEnvironment({ tox, setupCfg, pyproject }: PythonManifests): ToxEnvironment {
  const legacy = textAt(pyproject, "tool", "tox", "legacy_tox_ini");
  const ini = tox ?? (legacy === undefined ? setupCfg : parseIni(legacy));
  const found = [
    ...SECTIONS.map((section) => fromIni(ini, section)),
    ...TABLES.map((path) => fromTable(tableAt(pyproject, "tool", "tox", ...path.split(".")))),
  ];
  const named = <Key extends keyof ToxEnvironment>(key: Key): ToxEnvironment[Key] =>
    found.find((one) => one[key].length > 0)?.[key] ?? [];
  return { deps: named("deps"), extras: named("extras"), groups: named("groups"), commands: named("commands") };
}

function fromIni(ini: Ini | undefined, section: string): ToxEnvironment {
  const lines = (key: string): string[] => linesIn(ini, section, key).flatMap((line) => expanded(line, ini));
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
  };
}

/** `{[section]key}` stands for the lines of that key. */
function expanded(line: string, ini: Ini | undefined): string[] {
  const [, section = "", key = ""] = /^\{\[([^\]]+)\]([\w-]+)\}$/.exec(line) ?? [];
  return key === "" ? [line] : linesIn(ini, section, key);
}

const joinedLines = (lines: string[]): string[] => lines.join("\n").replace(/\\\n/g, " ").split("\n");

/** `py38: line`, `!cov: line`: those of this Python and of no other occasion. */
const FACTORS = /^((?:[\w.!-]+|\{[\w,.-]+\})(?:[,-][\w.!{}-]+)*):\s+(.+)$/;

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
    commands: commands.map((words) =>
      Array.isArray(words) ? words.filter((word) => typeof word === "string").join(" ") : "",
    ),
  };
}
