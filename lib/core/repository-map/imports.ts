/** Which files of a tree a file imports. Pure. */
import { baseName, folderOf, joinPath, withoutExtension } from "./tree-path.ts";

/** The paths of a tree, as imports find them. */
export interface ImportIndex {
  has(path: string): boolean;
  /** Files by the end of their path without extension: `app/store` for `src/app/store.py`. */
  endingWith(name: string): string[];
  /** The Go module of the tree, and the files of its folders. */
  inFolder(folder: string): string[];
  goModule: string | undefined;
}

export function indexImports(paths: string[], goModule?: string): ImportIndex {
  const all = new Set(paths);
  const byName = new Map<string, string[]>();
  const byFolder = new Map<string, string[]>();
  for (const path of paths) {
    push(byName, baseName(withoutExtension(path)), path);
    push(byFolder, folderOf(path), path);
  }
  return {
    has: (path) => all.has(path),
    endingWith(name) {
      const found = byName.get(baseName(name)) ?? [];
      return found.filter((path) => `/${withoutExtension(path)}`.endsWith(`/${name}`));
    },
    inFolder: (folder) => byFolder.get(folder) ?? [],
    goModule,
  };
}

const push = (map: Map<string, string[]>, key: string, path: string): void => {
  const list = map.get(key);
  if (list) list.push(path);
  else map.set(key, [path]);
};

/** A name that belongs to a package outside of the tree finds nothing. */
export function resolveImport(from: string, name: string, index: ImportIndex): string[] {
  if (/\.py[i]?$/.test(from)) return pythonModule(from, name, index);
  if (from.endsWith(".go")) return goPackage(name, index);
  if (from.endsWith(".rs")) return rustModule(from, name, index);
  if (/\.(?:java|kt)$/.test(from)) return index.endingWith(name.replaceAll(".", "/"));
  return name.startsWith(".") ? relativeFile(joinPath(folderOf(from), name), index) : [];
}

const ENDINGS = ["", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".vue", "/index.ts", "/index.tsx", "/index.js"];

function relativeFile(path: string, index: ImportIndex): string[] {
  // A TypeScript file may be imported by the name of what it is compiled to.
  const tried = [...ENDINGS.map((ending) => path + ending), path.replace(/\.([cm]?)js(x?)$/, ".$1ts$2")];
  return tried.filter((each) => index.has(each)).slice(0, 1);
}

function pythonModule(from: string, name: string, index: ImportIndex): string[] {
  const rest = name.replace(/^\.+/, "");
  const dots = name.slice(0, name.length - rest.length);
  const below = rest.replaceAll(".", "/");
  if (dots === "")
    return below === "" ? [] : shortest([...index.endingWith(below), ...index.endingWith(`${below}/__init__`)]);
  const folder = joinPath(folderOf(from), ...Array.from(dots.slice(1), () => ".."));
  const base = joinPath(folder, below);
  return [`${base}.py`, `${base}/__init__.py`].filter((path) => index.has(path));
}

const shortest = (paths: string[]): string[] => paths.sort((a, b) => a.length - b.length).slice(0, 1);

function goPackage(name: string, { goModule, inFolder }: ImportIndex): string[] {
  if (goModule === undefined || !(name === goModule || name.startsWith(`${goModule}/`))) return [];
  const folder = name.slice(goModule.length + 1) || ".";
  return inFolder(folder).filter((path) => path.endsWith(".go") && !path.endsWith("_test.go"));
}

/** `crate::store::Store` may be an item of `store.rs`, or of a module below it. */
function rustModule(from: string, name: string, index: ImportIndex): string[] {
  const [root, ...parts] = name.split("::");
  const folder = folderOf(from);
  const base =
    root === "self" ? (/(?:^|\/)(?:mod|lib|main)\.rs$/.test(from) ? folder : withoutExtension(from)) : crateOf(from);
  for (let most = parts.length; most > 0; most -= 1) {
    const path = joinPath(base, ...parts.slice(0, most));
    const found = [`${path}.rs`, `${path}/mod.rs`].filter((each) => index.has(each));
    if (found.length > 0) return found;
  }
  return [];
}

const crateOf = (from: string): string =>
  from.includes("src/") ? from.slice(0, from.indexOf("src/") + 3) : folderOf(from);
