/** Which Go modules a tree has, and what their files import. A tree without any is taken for one. */
import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import type { Tree } from "../../tree.ts";
import { type GoMod, isFetchable, parseGoMod, writtenGoMod } from "./go-mod.ts";

export interface GoModule {
  /** Relative to the tree; "" is the tree itself. */
  folder: string;
  /** What other packages import it as. */
  name: string;
  /** Modules that its go.mod asks for. */
  required: string[];
  mod: GoMod;
  /** The text of a go.mod that the tree lacks. */
  made?: string;
  files: string[];
  /** Packages come with the tree. */
  vendored: boolean;
  /** Of a go.work at or above it: whether it is one of the modules that are worked on together. */
  work?: "joined" | "apart";
}

export interface GoCode {
  modules: GoModule[];
  /** What each file imports. */
  imports: Map<string, string[]>;
}

export async function readCode(tree: Tree): Promise<GoCode> {
  const files = tree.files.filter(isGoCode);
  const read = (path: string): Promise<string> => readFile(join(tree.folder, path), "utf8");
  const imports = new Map<string, string[]>();
  for (const path of files) imports.set(path, importsIn(await read(path)));
  const folders = tree.files.filter(isModuleFile).map((path) => folderOf(path));
  const home = (path: string): string | undefined => homeOf(path, folders);
  const works = new Map<string, string[]>();
  for (const path of tree.files.filter(isWorkFile)) works.set(folderOf(path), usedIn(await read(path), folderOf(path)));
  const modules = await Promise.all(
    folders.map(async (folder): Promise<GoModule> => {
      const own = files.filter((path) => home(path) === folder);
      const vendored = tree.files.includes(posix.join(folder, "vendor/modules.txt"));
      const parts = partsOf(parseGoMod(await read(posix.join(folder, "go.mod"))));
      return { folder, ...parts, files: own, vendored, ...workOf(folder, works) };
    }),
  );
  const homeless = files.filter((path) => home(path) === undefined);
  if (homeless.length > 0) modules.unshift(await madeFor(homeless, imports, read));
  return { modules: modules.filter((module) => module.files.length > 0), imports };
}

/** As Go itself passes over them: what it brings along, what its tests need, what is put aside. */
export const isGoCode = (path: string): boolean => path.endsWith(".go") && !PASSED_OVER.test(path);
const PASSED_OVER = /(?:^|\/)(?:vendor|testdata|[._][^/]*)\//;

const isModuleFile = (path: string): boolean => /(?:^|\/)go\.mod$/.test(path) && !PASSED_OVER.test(path);

const isWorkFile = (path: string): boolean => /(?:^|\/)go\.work$/.test(path) && !PASSED_OVER.test(path);

/** The folders of the modules that a go.work joins. */
function usedIn(text: string, folder: string): string[] {
  const lines = text.split("\n").map((line) => line.replace(/\/\/.*/, "").trim());
  const found: string[] = [];
  let inBlock = false;
  for (const line of lines) {
    const path = inBlock ? line : /^use\s+([^\s(].*)$/.exec(line)?.[1];
    if (inBlock && line === ")") inBlock = false;
    else if (path) found.push(posix.join(folder, path.replaceAll(/^["`]|["`]$/g, "")));
    if (/^use\s*\($/.test(line)) inBlock = true;
  }
  return found.map((path) => path.replace(/^\.$|\/$/g, ""));
}

/** Go takes the nearest go.work, and refuses a module that it leaves out. */
function workOf(folder: string, works: Map<string, string[]>): Pick<GoModule, "work"> {
  const above = homeOf(posix.join(folder, "go.mod"), [...works.keys()]);
  if (above === undefined) return {};
  return { work: works.get(above)?.includes(folder) ? "joined" : "apart" };
}

const folderOf = (path: string): string => (path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "");

/** The innermost module whose folder holds the file. */
const homeOf = (path: string, folders: string[]): string | undefined =>
  folders
    .filter((folder) => folder === "" || path.startsWith(`${folder}/`))
    .toSorted((one, other) => other.length - one.length)[0];

const partsOf = (mod: GoMod): Pick<GoModule, "name" | "required" | "mod"> => ({
  name: mod.name,
  required: mod.required.map(({ path }) => path),
  mod,
});

/** What the files call each other, or their package, shows what they take the module to be called. */
async function madeFor(
  files: string[],
  imports: GoCode["imports"],
  read: (path: string) => Promise<string>,
): Promise<GoModule> {
  const folders = new Set(files.map(folderOf).filter((folder) => folder !== ""));
  const wanted = files.flatMap((path) => imports.get(path) ?? []);
  const prefixes = wanted.flatMap((path) =>
    [...folders].filter((folder) => path.endsWith(`/${folder}`)).map((folder) => path.slice(0, -folder.length - 1)),
  );
  const tops = await Promise.all(files.filter((path) => !path.includes("/")).map(read));
  const packages = new Set(tops.flatMap((text) => /^package (\w+)/m.exec(text)?.[1] ?? []));
  const itself = wanted.filter((path) => isFetchable(path) && packages.has(posix.basename(path)));
  const [name = "project"] = [...prefixes, ...itself].filter((one) => /^[\w.~-]+(?:\/[\w.~-]+)*$/.test(one));
  const made = writtenGoMod({ name, required: [], replaced: [] });
  return { folder: "", ...partsOf(parseGoMod(made)), made, files, vendored: false };
}

/** Line by line, as Go's formatter writes them; comments among them may look like one, which costs nothing. */
function importsIn(text: string): string[] {
  const found = new Set<string>();
  let inBlock = false;
  for (const line of text.split("\n")) {
    if (/^(?:func|type|var|const)\b/.test(line)) break;
    const begins = /^import\b/.test(line);
    if (begins || inBlock) for (const path of quotedIn(line)) found.add(path);
    if (begins) inBlock = line.includes("(");
    if (line.includes(")")) inBlock = inBlock && line.trimStart().startsWith("//");
  }
  return [...found];
}

const quotedIn = (line: string): string[] => line.split(/["`]/).filter((_, at) => at % 2 === 1);
