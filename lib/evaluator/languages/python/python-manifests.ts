/** What a Python project asks to have installed for its tests: its own packages, its test environment, its lists. */
import { readdir } from "node:fs/promises";
import { join, posix } from "node:path";
import { parse } from "smol-toml";
import { readManifestText, shown } from "../../packages/manifest-text.ts";
import { nameKey, type WantedPackages } from "../../packages/manifests.ts";
import { poetryLines } from "./poetry.ts";
import { lockIn } from "./python-locks.ts";
import { metadataOf, type PythonMetadata, readPythonManifests } from "./python-metadata.ts";
import { pythonRequirements, requirementLines, withoutComment } from "./python-requirements.ts";
import { listAt, tableAt } from "./toml-values.ts";
import { toxEnvironment } from "./tox.ts";

export type PythonWanted = WantedPackages & {
  /** The names of the projects in the tree: none of them comes from an index. */
  own: string[];
  /** Versions that a lock file or a list of constraints names. */
  pins: string[];
  locks: string[];
};

/** Lists that name lists that name lists. */
const FILES = 40;

export async function pythonWanted(folder: string): Promise<PythonWanted> {
  const wanted: PythonWanted = { requirements: new Map(), refused: [], own: [], pins: [], locks: [] };
  for (const below of await manifestFolders(folder)) await takeFolder(folder, below, wanted);
  for (const name of wanted.own) wanted.requirements.delete(nameKey(name));
  return wanted;
}

const MARKS =
  /^(?:pyproject\.toml|setup\.(?:py|cfg)|Pipfile|[\w.-]*requirements[\w.-]*\.(?:txt|in)|manage\.py|tox\.(?:ini|toml)|noxfile\.py|pytest\.ini)$/;
const BESIDE =
  /^(?:\..*|node_modules|tests?|testing|docs?|examples?|samples?|fixtures|templates?|vendor|dist|build|s?bin|venv|env|__pycache__|site-packages)$/;
/** A folder of the tree with packages of its own is at most so deep, and they are at most so many. */
const DEEPEST = 2;
const MOST = 12;

/** The root, or, if it declares nothing for Python, the folders below it that do. */
export async function manifestFolders(folder: string): Promise<string[]> {
  const found: string[] = [];
  const look = async (below: string, depth: number): Promise<void> => {
    const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(() => []);
    if (entries.some((entry) => entry.isFile() && MARKS.test(entry.name)) || entries.some(isListFolder)) {
      found.push(below);
      return;
    }
    if (depth === DEEPEST) return;
    for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1)))
      if (entry.isDirectory() && !BESIDE.test(entry.name)) await look(posix.join(below, entry.name), depth + 1);
  };
  await look("", 0);
  return found.slice(0, MOST);
}

const isListFolder = (entry: { name: string; isDirectory(): boolean }): boolean =>
  entry.isDirectory() && entry.name === "requirements";

async function takeFolder(root: string, below: string, wanted: PythonWanted): Promise<void> {
  const folder = join(root, below);
  const manifests = await readPythonManifests(folder);
  const metadata = await metadataOf(manifests);
  if (metadata.name !== undefined) wanted.own.push(metadata.name);
  wanted.refused.push(...metadata.refused);
  const tox = toxEnvironment(manifests);
  const hasTox = tox.deps.length + tox.extras.length + tox.groups.length > 0;
  const reader: ListReader = { root, below, metadata, wanted, seen: new Set() };
  const own = pyprojectName(below);
  const named = hasTox ? TESTS : /^(?:dev|develop|development|ci|checks?)$|tests?|testing/i;
  const chosen = (all: Record<string, string[]>, more: string[]): string[] =>
    Object.entries(all).flatMap(([name, lines]) =>
      named.test(name) || more.some((one) => nameKey(one) === nameKey(name)) ? lines : [],
    );
  const lines = [
    ...metadata.dependencies,
    ...chosen(metadata.extras, tox.extras),
    ...chosen(metadata.groups, tox.groups),
    ...(hasTox ? [] : toolLines(manifests.pyproject)),
  ];
  await takeLines(lines, own, reader);
  if (hasTox) await takeLines(tox.deps.map(inFolder), "tox.ini", reader);
  for (const name of await listNames(folder, hasTox)) await takeList(posix.join(below, name), reader);
  await takePipfile(reader);
  const lock = await lockIn(folder);
  wanted.pins.push(...(lock?.versions ?? []));
  if (lock) wanted.locks.push(posix.join(below, lock.file));
}

const TESTS = /^(?:tests?|testing)$/i;
const pyprojectName = (below: string): string => posix.join(below, "pyproject.toml");

/** `{toxinidir}/requirements.txt` */
const inFolder = (line: string): string =>
  line.replace(/\{(?:toxinidir|tox_root)\}\/?/g, "./").replace(/^(-[rc])(?=\S)/, "$1 ");

/** Where tools that manage environments keep what tests need. */
function toolLines(pyproject: unknown): string[] {
  const hatch = Object.entries(tableAt(pyproject, "tool", "hatch", "envs") ?? {});
  const pdm = tableAt(pyproject, "tool", "pdm", "dev-dependencies") ?? {};
  return [
    ...listAt(pyproject, "tool", "uv", "dev-dependencies"),
    ...listAt(pyproject, "tool", "rye", "dev-dependencies"),
    ...Object.keys(pdm).flatMap((name) => listAt(pdm, name)),
    ...hatch.flatMap(([name, one]) =>
      /^(?:default|dev|hatch-test)$|test/.test(name)
        ? [
            ...listAt(one, "dependencies"),
            ...listAt(one, "extra-dependencies"),
            ...listAt(one, "features").map((extra) => `.[${extra}]`),
          ]
        : [],
    ),
  ];
}

const PLAIN_LIST = /^requirements\.(?:txt|in|pip)$/i;
const TEST_LIST =
  /^(?:(?:tests?|testing|ci)(?:[-_.]?(?:requirements|deps))?|(?:requirements[-_.]?)?(?:tests?|testing|ci|pytest))\.(?:txt|in|pip)$/i;
const DEV_LIST =
  /^(?:(?:dev|devel|develop|development|local)(?:[-_.]?requirements)?|requirements[-_.]?(?:dev|devel|develop|development|all))\.(?:txt|in|pip)$/i;
const BASE_LIST = /^(?:base|common|main|default|core|prod|production|install|requirements)\.(?:txt|in|pip)$/i;

/** Those for tests if there are some, else those for developers. What is compiled from another (`.txt`) goes first. */
async function listNames(folder: string, hasTox: boolean): Promise<string[]> {
  const names = async (below: string): Promise<string[]> =>
    (await readdir(join(folder, below)).catch(() => [] as string[])).toSorted();
  const [top, inner, tests] = [await names(""), await names("requirements"), await names("tests")];
  const choose = (all: string[], base: RegExp): string[] => {
    const test = all.filter((name) => TEST_LIST.test(name) && /txt|in|pip$/.test(name));
    const more = hasTox ? [] : test.length > 0 ? test : all.filter((name) => DEV_LIST.test(name));
    return [...all.filter((name) => base.test(name)), ...more];
  };
  const isText = (name: string): boolean => !/^(?:tests?|testing|ci|dev|local)\.txt$/i.test(name);
  const found = [
    ...choose(top.filter(isText), PLAIN_LIST),
    ...choose(inner, BASE_LIST).map((name) => `requirements/${name}`),
    ...(hasTox ? [] : tests.filter((name) => PLAIN_LIST.test(name)).map((name) => `tests/${name}`)),
  ];
  return found.filter((name) => !(name.endsWith(".in") && found.includes(name.replace(/in$/, "txt"))));
}

interface ListReader {
  root: string;
  /** The folder of the project. */
  below: string;
  metadata: PythonMetadata;
  wanted: PythonWanted;
  seen: Set<string>;
}

async function takeList(path: string, reader: ListReader): Promise<void> {
  if (reader.seen.has(path) || reader.seen.size >= FILES) return;
  reader.seen.add(path);
  const { text, refused } = await readManifestText(reader.root, path);
  reader.wanted.refused.push(...refused);
  if (text !== undefined) await takeLines(requirementLines(text), path, reader);
}

/** `source`: the file that they come from. */
async function takeLines(lines: string[], source: string, reader: ListReader): Promise<void> {
  const plain: string[] = [];
  for (const line of lines.map(withoutComment)) {
    const own = ownExtras(line, reader);
    const list = listNamed(line, source);
    if (own)
      await takeLines(
        own.flatMap((extra) => extraLines(reader.metadata, extra)),
        source,
        { ...reader, seen: new Set([...reader.seen, line]) },
      );
    else if (list === undefined) plain.push(line);
    else if (!(await exists(reader.root, list.path)))
      reader.wanted.refused.push(`-${list.kind} ${shown(list.path)}: refused, the project has no such list`);
    else if (list.kind === "r") await takeList(list.path, reader);
    else reader.wanted.pins.push(...pinsIn((await readManifestText(reader.root, list.path)).text ?? ""));
  }
  const { requirements, refused } = pythonRequirements(
    plain.filter((line) => !isHarmless(line)),
    shown(source),
  );
  for (const [name, requirement] of requirements) {
    const before = reader.wanted.requirements.get(name);
    const both =
      before === undefined || before.split("\n").includes(requirement)
        ? (before ?? requirement)
        : `${before}\n${requirement}`;
    reader.wanted.requirements.set(name, both);
  }
  reader.wanted.refused.push(...refused);
}

/** Options that fetch from nowhere else. */
const isHarmless = (line: string): boolean =>
  /^--?(?:pre|prefer-binary|no-cache-dir|require-hashes|index-url[ =]https:\/\/pypi\.org\/simple\/?)$/.test(line);

/** The extras of the project itself that a line asks for: `-e .[test]`, `.[test]`, `name[test]`, `name @ file:.`. */
function ownExtras(line: string, { metadata, seen }: ListReader): string[] | undefined {
  const plain = line.replace(/^([^@]*[^@\s])\s*@\s*file:\S*$/, "$1").replace(/#egg=[\w.-]+$/, "");
  const [, place = "", extras = ""] =
    /^(?:(?:-e|--editable)[ =]?\s*)?["']?([\w.-]+|\.\/?|file:\.\/?)(?:\[([\w ,.-]*)\])?["']?$/.exec(plain) ?? [];
  const isOwn =
    /^(?:file:)?\.\/?$/.test(place) || (metadata.name !== undefined && nameKey(place) === nameKey(metadata.name));
  if (!isOwn) return undefined;
  return seen.has(line)
    ? []
    : extras
        .split(",")
        .map((extra) => extra.trim())
        .filter((extra) => extra !== "");
}

const extraLines = ({ extras }: PythonMetadata, wanted: string): string[] =>
  Object.entries(extras).flatMap(([name, lines]) => (nameKey(name) === nameKey(wanted) ? lines : []));

function listNamed(line: string, from: string): { kind: "r" | "c"; path: string } | undefined {
  const [, option = "", named = ""] = /^(-r|-c|--requirement|--constraint)[ \t=]*([\w./-]+)$/.exec(line) ?? [];
  if (named === "" || named.startsWith("/")) return undefined;
  const path = posix.join(posix.dirname(from), named);
  return path.startsWith("..") ? undefined : { kind: /^-{1,2}r/.test(option) ? "r" : "c", path };
}

const exists = async (root: string, path: string): Promise<boolean> => {
  const { text, refused } = await readManifestText(root, path);
  return text !== undefined || refused.length > 0;
};

/** A constraint is a version, and asks for nothing. */
const pinsIn = (text: string): string[] => [
  ...pythonRequirements(
    requirementLines(text).filter((line) => !line.startsWith("-")),
    "",
  ).requirements.values(),
];

async function takePipfile(reader: ListReader): Promise<void> {
  const { text } = await readManifestText(reader.root, posix.join(reader.below, "Pipfile"));
  if (text === undefined) return;
  try {
    const parsed = parse(text);
    const all = [tableAt(parsed, "packages") ?? {}, tableAt(parsed, "dev-packages") ?? {}];
    await takeLines(
      all.flatMap((packages) => Object.entries(packages).flatMap(([name, value]) => poetryLines(name, value))),
      "Pipfile",
      reader,
    );
  } catch {
    reader.wanted.refused.push("Pipfile: not read, it is no TOML");
  }
}
