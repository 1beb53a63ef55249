/** The command by which a project says that it is tested, as far as it is one of those that are understood. Pure. */
import type { PythonManifests } from "./python-metadata.ts";
import { tableAt, textAt } from "./toml-values.ts";
import { toxEnvironment } from "./tox.ts";

export interface TestCommand {
  runner: "pytest" | "unittest";
  /** Of pytest its arguments; else what Python is to run: `-m unittest discover tests`, `manage.py test`. */
  arguments: string[];
  /** Where it runs, if not in the folder of the project. */
  folder?: string;
}

export function declaredCommand(manifests: PythonManifests): TestCommand | undefined {
  const { pyproject } = manifests;
  const tables = [
    ...["hatch-test", "test", "tests", "default", "dev"].map((name) =>
      tableAt(pyproject, "tool", "hatch", "envs", name, "scripts"),
    ),
    tableAt(pyproject, "tool", "pdm", "scripts"),
    tableAt(pyproject, "tool", "poe", "tasks"),
    tableAt(pyproject, "tool", "taskipy", "tasks"),
    tableAt(pyproject, "tool", "rye", "scripts"),
  ];
  const scripts = tables.flatMap((table) => ["test", "tests"].flatMap((name) => commandsIn(table, name)));
  const environment = toxEnvironment(manifests);
  const [folder] = environment.folder;
  const tox = environment.commands.filter((line) => commandIn(line) || FOREIGN.test(line));
  const found = tox.map((line) => commandIn(line, folder));
  // Several test a part each: all of the tests are more than the first of them.
  if (new Set(found.map((one) => JSON.stringify(one))).size > 1) return undefined;
  return [...found, ...scripts.map((line) => commandIn(line))].find((one) => one !== undefined);
}

/** Runners that are not understood. */
const FOREIGN = /\b(?:testtools\.run|stestr|testr|nosetests|nose2|trial|ward|behave|zope-testrunner)\b/;

function commandsIn(table: Record<string, unknown> | undefined, name: string): string[] {
  const value = table?.[name];
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.filter((one) => typeof one === "string");
  const command = textAt(value, "cmd") ?? textAt(value, "shell");
  return command === undefined ? [] : [command];
}

/** The words before the runner: coverage tools, environment managers. */
const BEFORE = [
  /^(?:[-!@]\s+|[!@]|-(?=\w{2}))/,
  /^(?:env\s+)?(?:[A-Z_]\w*=\S*\s+)+/,
  /^(?:uv|poetry|pdm|hatch|pipenv|rye) run (?:-[\w-]+(?:=\S+)? )*/,
  /^xvfb-run (?:-\S+ )*/,
  /^(?:\{envpython\}|\{envbindir\}\/|python[\d.]*)(?: -(?:b+|[BEIOSsuv]+|X ?\S+|W ?\S+))* (?=-m|\S+\.py)/,
  /^(?:-m )?coverage run(?:\s(?!-m\s)-\S+(?:\s[\w.,/*]+(?=\s-))?)*\s+/,
];

function commandIn(line: string, folder?: string): TestCommand | undefined {
  const found = runnerIn(withoutPlaceholders(line, folder === undefined ? "./" : upFrom(folder)));
  return found && folder !== undefined ? { ...found, folder } : found;
}

/** The way back from a folder. */
export const upFrom = (folder: string): string => "../".repeat(folder.split("/").length);

function runnerIn(line: string): TestCommand | undefined {
  let left = line.trim();
  for (let before = ""; before !== left; ) {
    before = left;
    for (const pattern of BEFORE) left = left.replace(pattern, "");
  }
  if (/[|;&<>$`{}]/.test(left)) return undefined;
  const words = wordsOf(left);
  const [first = "", second = ""] = words;
  if (/^(?:py\.test|pytest)$/.test(first)) return { runner: "pytest", arguments: words.slice(1) };
  if (first === "-m" && second === "pytest") return { runner: "pytest", arguments: words.slice(2) };
  if (first === "-m" && second === "unittest") return { runner: "unittest", arguments: words };
  if (/(?:^|\/)manage\.py$/.test(first) && second === "test") return { runner: "unittest", arguments: words };
  if (/^django-admin(?:\.py)?$/.test(first) && second === "test")
    return { runner: "unittest", arguments: ["-m", "django", ...words.slice(1)] };
  if (/^[\w./-]+\.py$/.test(first) && /test[^./]*$/.test(first.slice(-NAME_CHARS, -".py".length)))
    return { runner: "unittest", arguments: words };
  return undefined;
}

/** Longer than a file system lets a name be. */
const NAME_CHARS = 300;

/** `{posargs:tests}`, `{args:tests}` with nothing given, `{toxinidir}`. */
const withoutPlaceholders = (line: string, top: string): string =>
  line
    .replace(/\{(?:posargs|args)(?::([^{}]*(?:\{[^{}]*\}[^{}]*)*))?\}/g, "$1")
    .replace(/\{(?:toxinidir|tox_root)\}\/?/g, top)
    .replace(/\{(?:envtmpdir|env_tmp_dir)\}/g, "/tmp/tox")
    .replace(/\{env:\w+:([^{}]*)\}/g, "$1")
    .replace(/\{(?:tty:[^{}]*|\/)\}/g, "");

const wordsOf = (text: string): string[] =>
  [...text.matchAll(/"((?:\\[\s\S]|[^"\\])*)"|'([^']*)'|(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(
    ([word, double, single]) => double ?? single ?? word.replaceAll(/["']/g, ""),
  );
