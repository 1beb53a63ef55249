/** How far a change reaches: the files that may depend on it, over however many others. Pure. Undefined: anything may. */
import { STANDARD_MODULES } from "./standard-modules.ts";
import { isModule, namesOf, wordsOf } from "./words.ts";

export interface Links {
  /** Manifests first: what they call a package is a name that others say. */
  add(path: string, text: string): void;
  /** What changed, and every file that may depend on it. Undefined where that cannot be decided. */
  reachedFrom(changes: TreeChanges): Set<string> | undefined;
}

export interface TreeChanges {
  added: string[];
  modified: string[];
  deleted: string[];
  /** Every file as it was. */
  before: Iterable<string>;
}

/** Once every file of the tree was added, it can be asked. */
export function createLinks(tree: string[]): Links {
  const names = new Map(tree.map((path) => [path, namesOf(path)]));
  const folders = tree.flatMap((path) => path.split("/").slice(0, -1));
  /** By each word that names a file, the files that say it. */
  const saying = new Map<string, string[]>();
  for (const word of [...[...names.values()].flatMap((some) => some ?? []), ...folders]) saying.set(word, []);
  const open: string[] = [];
  const decisive = new Set<string>();
  const name = (path: string, more: string[]): void => {
    names.set(path, [...(names.get(path) ?? []), ...more]);
    for (const word of more) if (!saying.has(word)) saying.set(word, []);
  };
  return {
    add(path, text) {
      const { words, open: isOpen } = wordsOf(path, text);
      if (isManifest(path)) name(path, ownNames(text));
      for (const word of words) saying.get(word)?.push(path);
      if (isOpen) open.push(path);
      if (isDecisive(path, text)) decisive.add(path);
    },
    reachedFrom(changes) {
      const changed = [...changes.added, ...changes.modified];
      if (changes.deleted.length > 0 || !changed.every(isModule)) return undefined;
      if (changed.some((path) => isStandard(path, tree))) return undefined;
      const first = newFolders(changes.before, changes.added).flatMap((folder) => saying.get(folder) ?? []);
      const reached = follow([...changed, ...open, ...first], { names, saying });
      return reached && ![...reached].some((path) => decisive.has(path)) ? reached : undefined;
    },
  };
}

function follow(
  from: string[],
  { names, saying }: { names: Map<string, string[] | undefined>; saying: Map<string, string[]> },
): Set<string> | undefined {
  const reached = new Set(from);
  for (const path of reached) {
    const called = names.get(path);
    if (!called) return undefined;
    for (const name of called) for (const other of saying.get(name) ?? []) reached.add(other);
  }
  return reached;
}

/** Folders that hold code now and held none: imports of them mean something else than before. */
function newFolders(before: Iterable<string>, added: string[]): string[] {
  const had = new Set([...before].filter(isModule).flatMap(above));
  return added.flatMap(above).flatMap((folder) => (had.has(folder) ? [] : [folder.slice(folder.lastIndexOf("/") + 1)]));
}

function above(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join("/"));
}

/** Outside of a package, it replaces Python's own module for every importer. */
function isStandard(path: string, tree: string[]): boolean {
  if (!path.endsWith(".py")) return false;
  const parts = path.replace(/\/__init__\.py$/, ".py").split("/");
  const name = parts.pop()?.replace(/\.py$/, "") ?? "";
  return STANDARD_MODULES.has(name) && !tree.includes([...parts, "__init__.py"].join("/"));
}

export const isManifest = (path: string): boolean => /(?:^|\/)package\.json$/.test(path);

/** A package may be imported by its own name. */
const ownNames = (text: string): string[] =>
  (/"name"\s*:\s*"([^"]*)"/.exec(text)?.[1] ?? "").match(/[\w$]+(?:-[\w$]+)*/g) ?? [];

/** What it says holds for files that say nothing of it. */
const isDecisive = (path: string, text: string): boolean =>
  /(?:^|\/)(?:conftest|sitecustomize|usercustomize)\.py$/.test(path) ||
  /(?:^|\/)(?:[tj]sconfig[\w.-]*\.json|\.babelrc\w*|[\w.-]+\.config\.(?:json|[cm]?[jt]s)|import-?map[\w.-]*)$/.test(
    path,
  ) ||
  (isManifest(path) && /"(?:imports|workspaces)"\s*:/.test(text)) ||
  (/(?:^|\/)(?:\.?pytest\.ini|tox\.ini|setup\.cfg|setup\.py|pyproject\.toml)$/.test(path) &&
    /pytest11|plugins|(?:^|[\s"'])-p[\s"']/.test(text));
