/** What a Python project says of itself, in the manner of any of the usual tools. It is read, and never run. */
import { posix } from "node:path";
import { parse } from "smol-toml";
import { readManifestText } from "../../packages/manifest-text.ts";
import { nameKey } from "../../packages/manifests.ts";
import { type Ini, linesIn, pairsIn, parseIni } from "./ini.ts";
import { type NoxSession, noxSession } from "./nox.ts";
import { poetryPackages } from "./poetry.ts";
import { requirementLines } from "./python-requirements.ts";
import { type Literal, setupArguments } from "./setup-script.ts";
import { listAt, listsAt, tableAt, textAt } from "./toml-values.ts";

export interface PythonMetadata {
  name?: string;
  version?: string;
  /** By group, each name with its object: `console_scripts`, `pytest11`. */
  entryPoints: Record<string, Record<string, string>>;
  dependencies: string[];
  extras: Record<string, string[]>;
  groups: Record<string, string[]>;
  /** What is not read, each with the reason. */
  refused: string[];
}

/** The manifests of one folder, as they were read. */
export interface PythonManifests {
  pyproject: unknown;
  setupCfg: Ini | undefined;
  setupPy: Record<string, Literal> | undefined;
  pkgInfo: string | undefined;
  tox: Ini | undefined;
  toxToml: unknown;
  nox: NoxSession | undefined;
  refused: string[];
  /** A text of the project, "" if there is none. */
  read(path: string): Promise<string>;
}

const FILES = ["pyproject.toml", "setup.cfg", "setup.py", "PKG-INFO", "tox.ini", "tox.toml", "noxfile.py"];
export async function readPythonManifests(folder: string): Promise<PythonManifests> {
  const found = await Promise.all(FILES.map((name) => readManifestText(folder, name)));
  const [pyproject, setupCfg, setupPy, pkgInfo, tox, toxToml, noxfile] = found.map(({ text }) => text);
  const refused = found.flatMap((one) => one.refused);
  const table = (text: string | undefined, name: string): unknown => {
    try {
      return text === undefined ? undefined : parse(text);
    } catch {
      refused.push(`${name}: not read, it is no TOML`);
      return undefined;
    }
  };
  const nox = noxSession(noxfile ?? "");
  if (nox?.isUnread) refused.push("noxfile.py: its test session installs more than literals");
  return {
    pyproject: table(pyproject, "pyproject.toml"),
    toxToml: table(toxToml, "tox.toml"),
    nox,
    setupCfg: setupCfg === undefined ? undefined : parseIni(setupCfg),
    setupPy: setupPy === undefined ? undefined : setupArguments(setupPy),
    pkgInfo: pkgInfo?.split(/\r?\n\r?\n/)[0],
    tox: tox === undefined ? undefined : parseIni(tox),
    refused,
    read: async (at) => (at.startsWith("..") ? "" : ((await readManifestText(folder, posix.normalize(at))).text ?? "")),
  };
}

export async function metadataOf(manifests: PythonManifests): Promise<PythonMetadata> {
  const { pyproject, setupCfg, setupPy, pkgInfo } = manifests;
  const project = tableAt(pyproject, "project");
  const poetry = poetryPackages(tableAt(pyproject, "tool", "poetry"));
  const name =
    textAt(project, "name") ??
    textAt(pyproject, "tool", "poetry", "name") ??
    linesIn(setupCfg, "metadata", "name")[0] ??
    text(setupPy?.name) ??
    fieldsIn(pkgInfo, "Name")[0];
  const isOwnInfo = name !== undefined && nameKey(fieldsIn(pkgInfo, "Name")[0] ?? "") === nameKey(name);
  const version = await versionOf(manifests, isOwnInfo);
  return {
    ...(name === undefined ? {} : { name }),
    ...(version === undefined ? {} : { version }),
    entryPoints: entryPointsOf(manifests),
    ...withPackagesOf(
      [poetry, await dynamicPackages(manifests), isOwnInfo ? infoPackages(pkgInfo) : nothing],
      manifests,
    ),
    groups: { ...poetry.groups, ...groupsIn(listsAt(pyproject, "dependency-groups")) },
    refused: manifests.refused,
  };
}

type Packages = Pick<PythonMetadata, "dependencies" | "extras">;
const nothing: Packages = { dependencies: [], extras: {} };

/** What the standard table leaves to its tool is found there, or in what a build noted. */
function withPackagesOf([poetry, dynamic, info]: [Packages, Packages, Packages], manifests: PythonManifests): Packages {
  const { pyproject, setupCfg, setupPy } = manifests;
  const project = tableAt(pyproject, "project");
  const own: Packages = {
    dependencies: listAt(project, "dependencies"),
    extras: textsOf(listsAt(project, "optional-dependencies")),
  };
  const cfg: Packages = {
    dependencies: linesIn(setupCfg, "options", "install_requires"),
    extras: Object.fromEntries(setupCfg?.get("options.extras_require") ?? []),
  };
  const tests = [...linesIn(setupCfg, "options", "tests_require"), ...textsIn(setupPy?.tests_require)];
  const script: Packages = {
    dependencies: textsIn(setupPy?.install_requires),
    extras: tableOfTexts(setupPy?.extras_require),
  };
  const all = [own, poetry, dynamic, cfg, script];
  const found = {
    dependencies: all.flatMap(({ dependencies }) => dependencies),
    extras: joinedExtras([...all.map(({ extras }) => extras), tests.length > 0 ? { test: tests } : {}]),
  };
  return {
    dependencies: found.dependencies.length > 0 ? found.dependencies : info.dependencies,
    extras: Object.keys(found.extras).length > 0 ? found.extras : info.extras,
  };
}

function joinedExtras(all: Record<string, string[]>[]): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const extras of all)
    for (const [name, lines] of Object.entries(extras)) {
      const [key = "", marker] = name.split(/:(.*)/s);
      found[key] = [...(found[key] ?? []), ...lines.map((line) => (marker ? `${line}; ${marker}` : line))];
    }
  return found;
}

/** `[tool.setuptools.dynamic]`: lists of the project. */
async function dynamicPackages({ pyproject, read }: PythonManifests): Promise<Packages> {
  const dynamic = tableAt(pyproject, "tool", "setuptools", "dynamic");
  const linesOf = async (value: unknown): Promise<string[]> => {
    const file = textAt(value, "file");
    const files = file === undefined ? listAt(value, "file") : [file];
    return (await Promise.all(files.map(read))).flatMap(requirementLines);
  };
  const extras: [string, string[]][] = [];
  for (const [name, value] of Object.entries(tableAt(dynamic, "optional-dependencies") ?? {}))
    extras.push([name, await linesOf(value)]);
  return { dependencies: await linesOf(tableAt(dynamic, "dependencies")), extras: Object.fromEntries(extras) };
}

/** What a build noted in a source distribution. */
function infoPackages(info: string | undefined): Packages {
  const found: Packages = { dependencies: [], extras: {} };
  for (const line of fieldsIn(info, "Requires-Dist")) {
    const extra = /^[^;]*;.*\bextra\s*==\s*['"]([^'"]+)['"]/.exec(line)?.[1];
    const plain = line.replace(/(?<!\s)\s*(?:\band\b|;)\s*extra\s*==\s*['"][^'"]+['"]/, "").replace(/[()]/g, "");
    if (extra === undefined) found.dependencies.push(line.replace(/\s\(([^()]*)\)/, "$1"));
    else found.extras[extra] = [...(found.extras[extra] ?? []), plain];
  }
  return found;
}

export const fieldsIn = (info: string | undefined, field: string): string[] =>
  [...(info ?? "").matchAll(new RegExp(`^${field}: *(.+)$`, "gm"))].map(([, value = ""]) => value.trim());

/** A group may include others. */
function groupsIn(groups: Record<string, unknown[]>): Record<string, string[]> {
  const keys = new Map(Object.keys(groups).map((name) => [nameKey(name), name]));
  const linesOf = (name: string, above: string[]): string[] =>
    (groups[name] ?? []).flatMap((line) => {
      if (typeof line === "string") return [line];
      const included = keys.get(nameKey(textAt(line, "include-group") ?? ""));
      return included === undefined || above.includes(included) ? [] : linesOf(included, [...above, included]);
    });
  return Object.fromEntries(Object.keys(groups).map((name) => [name, linesOf(name, [name])]));
}

function entryPointsOf({ pyproject, setupCfg, setupPy }: PythonManifests): PythonMetadata["entryPoints"] {
  const project = tableAt(pyproject, "project");
  const poetry = tableAt(pyproject, "tool", "poetry");
  const points: PythonMetadata["entryPoints"] = {};
  const add = (group: string, pairs: [string, unknown][]): void => {
    const own = pairs.map(([name, value]) => [name, typeof value === "string" ? value : textAt(value, "reference")]);
    const named = own.filter(([name, value]) => /^[\w.@ +-]+$/.test(name ?? "") && /^[\w.: [\],-]+$/.test(value ?? ""));
    if (named.length > 0) points[group] = { ...points[group], ...Object.fromEntries(named) };
  };
  add("console_scripts", Object.entries(tableAt(project, "scripts") ?? tableAt(poetry, "scripts") ?? {}));
  add("gui_scripts", Object.entries(tableAt(project, "gui-scripts") ?? {}));
  for (const table of [tableAt(project, "entry-points"), tableAt(poetry, "plugins")])
    for (const [group, pairs] of Object.entries(table ?? {})) add(group, Object.entries(tableAt(pairs) ?? {}));
  for (const [group, lines] of setupCfg?.get("options.entry_points") ?? []) add(group, pairsIn(lines));
  const script = setupPy?.entry_points;
  if (typeof script === "string")
    for (const [group, pairs] of parseIni(script))
      add(group, pairsIn([...pairs].map(([name, [value = ""]]) => `${name}=${value}`)));
  else for (const [group, lines] of Object.entries(tableOfTexts(script))) add(group, pairsIn(lines));
  return points;
}

async function versionOf(manifests: PythonManifests, isOwnInfo: boolean): Promise<string | undefined> {
  const { pyproject, setupCfg, setupPy, pkgInfo, read } = manifests;
  const written =
    textAt(pyproject, "project", "version") ??
    textAt(pyproject, "tool", "poetry", "version") ??
    (await versionBy(linesIn(setupCfg, "metadata", "version")[0], read)) ??
    text(setupPy?.version);
  if (written !== undefined) return written;
  if (isOwnInfo) return fieldsIn(pkgInfo, "Version")[0];
  const dynamic = tableAt(pyproject, "tool", "setuptools", "dynamic", "version");
  const attribute = textAt(dynamic, "attr");
  const file = textAt(dynamic, "file") ?? listAt(dynamic, "file")[0];
  const path =
    textAt(pyproject, "tool", "hatch", "version", "path") ?? textAt(pyproject, "tool", "pdm", "version", "path");
  if (path !== undefined) return versionIn(await read(path));
  return versionBy(attribute ? `attr: ${attribute}` : file ? `file: ${file}` : undefined, read);
}

/** `attr: package.__version__`, `file: VERSION`, or the version itself. */
async function versionBy(value: string | undefined, read: PythonManifests["read"]): Promise<string | undefined> {
  const [, kind, where = ""] = /^(attr|file):\s*([\w./-]+)/.exec(value ?? "") ?? [];
  if (kind === "file") return (await read(where)).trim().split(/\s/)[0] || undefined;
  if (kind !== "attr") return value;
  const module = where.split(".").slice(0, -1).join("/");
  for (const root of ["", "src/", "lib/"])
    for (const path of [`${root}${module}.py`, `${root}${module}/__init__.py`]) {
      const found = versionIn(await read(path));
      if (found !== undefined) return found;
    }
  return undefined;
}

/** Of a module, or of a file that holds nothing else. */
export const versionIn = (source: string): string | undefined =>
  /^ *(?:__version__|VERSION|version)(?: *: *[\w.[\]]+)? *= *["']([\w.+!-]+)["']/m.exec(source)?.[1] ??
  /^\s*(\d+\.[\w.+-]+)\s*$/.exec(source)?.[1];

const textsOf = (lists: Record<string, unknown[]>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(lists).map(([name]) => [name, listAt(lists, name)]));

const text = (value: Literal): string | undefined => (typeof value === "string" ? value : undefined);

function textsIn(value: Literal): string[] {
  if (typeof value === "string")
    return value
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

const tableOfTexts = (value: Literal): Record<string, string[]> =>
  typeof value === "object" && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, textsIn(one)]))
    : {};
