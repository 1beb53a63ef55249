/** What a planner sees of an existing repository: its folders, what most files import, and where to begin to read. Pure. */
import { decodeText } from "../text/file-text.ts";
import { folderTree } from "./folder-tree.ts";
import { indexImports, resolveImport } from "./imports.ts";
import { outlineOf, type SourceOutline } from "./source-outline.ts";
import { baseName, folderOf } from "./tree-path.ts";

export interface MapSettings {
  paths: string[];
  /** Of source files and go.mod; those that are missing are not read. */
  contents: ReadonlyMap<string, Uint8Array>;
  tokens: number;
}

/** As for every text before its first answer: see `likelyTokens`. */
const CHARS_PER_TOKEN = 3;
const FOLDER_SHARE = 0.45;
/** Of what the folders leave. */
const EXPORT_SHARE = 0.7;
/** Files whose exports are shown first. */
const MOST_IMPORTED = 20;

/** Empty where there are no files. */
export function repositoryMap({ paths, contents, tokens }: MapSettings): string {
  if (paths.length === 0) return "";
  const chars = tokens * CHARS_PER_TOKEN;
  const { lines, folded } = folderTree(paths, chars * FOLDER_SHARE);
  const outlines = outlinesOf(contents);
  const ranked = rankedByUse(paths, outlines, goModuleOf(contents));
  const folders = [
    `${paths.length} files. Folders, with the number of files directly in each:`,
    ...lines,
    ...(folded > 0 ? [`(${folded} folders are not named; list_files shows all.)`] : []),
  ];
  const exported = exportLines(ranked, outlines, (chars - sizeOf(folders)) * EXPORT_SHARE);
  const left = chars - sizeOf(folders) - sizeOf(exported);
  return [
    ...(lines.length > 0 ? folders : [`${paths.length} files.`]),
    ...exported,
    ...fileLines(paths, ranked, left),
  ].join("\n");
}

const sizeOf = (lines: string[]): number => lines.reduce((sum, line) => sum + line.length + 1, 0);

function outlinesOf(contents: ReadonlyMap<string, Uint8Array>): Map<string, SourceOutline> {
  const found = new Map<string, SourceOutline>();
  for (const [path, bytes] of contents) {
    const text = decodeText(bytes);
    const outline = text === undefined ? undefined : outlineOf(path, text);
    if (outline) found.set(path, outline);
  }
  return found;
}

function goModuleOf(contents: ReadonlyMap<string, Uint8Array>): string | undefined {
  const manifest = contents.get("go.mod");
  const text = manifest && decodeText(manifest);
  return text === undefined ? undefined : /^module +(\S+)/m.exec(text)?.[1];
}

interface Used {
  path: string;
  /** How many files import it. */
  by: number;
}

/** Most imported first. */
function rankedByUse(paths: string[], outlines: Map<string, SourceOutline>, goModule: string | undefined): Used[] {
  const index = indexImports(paths, goModule);
  const users = new Map<string, number>();
  for (const [from, { imports }] of outlines) {
    const used = new Set(imports.flatMap((name) => resolveImport(from, name, index)));
    used.delete(from);
    for (const path of used) users.set(path, (users.get(path) ?? 0) + 1);
  }
  const ranked = [...outlines.keys()].map((path) => ({ path, by: users.get(path) ?? 0 }));
  return ranked.sort((a, b) => b.by - a.by || depthOf(a.path) - depthOf(b.path) || (a.path < b.path ? -1 : 1));
}

const depthOf = (path: string): number => path.split("/").length;

function exportLines(ranked: Used[], outlines: Map<string, SourceOutline>, chars: number): string[] {
  const lines: string[] = [];
  let size = 0;
  for (const { path, by } of ranked) {
    const exported = outlines.get(path)?.exports ?? [];
    if (exported.length === 0) continue;
    const line = `${path}${by > 0 ? ` (imported by ${by})` : ""}: ${exported.join(", ")}`;
    size += line.length + 1;
    if (size > chars && (lines.length >= MOST_IMPORTED || size > 2 * chars)) break;
    lines.push(line);
  }
  return lines.length > 0 ? ["", "Source files and what they export, most imported first:", ...lines] : [];
}

const ROOT = /^[^/]+$/;
const FIRST_READ =
  /(?:^|\/)(?:readme[^/]*|contributing[^/]*|package\.json|pyproject\.toml|setup\.(?:py|cfg)|go\.mod|cargo\.toml|pom\.xml|gemfile|composer\.json|makefile|cmakelists\.txt|dockerfile|(?:main|index|app|cli|server|__main__)\.\w+)$/i;

/** What tells most about the repository comes first. */
function fileLines(paths: string[], ranked: Used[], chars: number): string[] {
  const rank = new Map(ranked.map(({ path }, at) => [path, at]));
  const order = (path: string): number => (FIRST_READ.test(path) ? 0 : ROOT.test(path) ? 1 : 2);
  const ordered = [...paths].sort(
    (a, b) =>
      order(a) - order(b) ||
      (order(a) < 2 ? depthOf(a) - depthOf(b) : (rank.get(a) ?? rank.size) - (rank.get(b) ?? rank.size)) ||
      (a < b ? -1 : 1),
  );
  const chosen: string[] = [];
  const folders = new Set<string>();
  let size = 80;
  for (const path of ordered) {
    const folder = folderOf(path);
    size += baseName(path).length + 2 + (folders.has(folder) ? 0 : folder.length + 3);
    folders.add(folder);
    if (size > chars && chosen.length > 0) break;
    chosen.push(path);
  }
  const rest = paths.length - chosen.length;
  return ["", "Files:", ...grouped(chosen), ...(rest > 0 ? [`and ${rest} more; list_files shows all.`] : [])];
}

function grouped(paths: string[]): string[] {
  const byFolder = new Map<string, string[]>();
  for (const path of paths) {
    const folder = ROOT.test(path) ? "" : `${folderOf(path)}/`;
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), baseName(path)]);
  }
  return [...byFolder].map(([folder, names]) => `${folder === "" ? "" : `${folder}: `}${names.join(", ")}`);
}
