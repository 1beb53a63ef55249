/** The packages of a tree: every folder with a package.json that is the project's own and no example or fixture. */
import { dirname } from "node:path";
import * as z from "zod";
import { readManifestText } from "../../packages/manifest-text.ts";
import type { Tree } from "../../tree.ts";
import { type Manifest, readManifest } from "./manifest.ts";
import { readYaml } from "./yaml-manifest.ts";

export interface ProjectPackage {
  /** Its folder; "" is the tree's own. */
  below: string;
  manifest: Manifest;
  /** The folder of the package whose workspace it belongs to. */
  workspace?: string;
  /** Its own files, those of packages inside it left out; relative to its folder. */
  files: string[];
}

/** Of one tree at most. */
const PACKAGES = 40;

/** The outermost first. Where the tree has no package.json at its top, its first package is one that says nothing. */
export async function packagesIn(tree: Tree): Promise<ProjectPackage[]> {
  const folders = tree.files
    .filter((path) => path === "package.json" || path.endsWith("/package.json"))
    .map(folderOf)
    .sort((one, other) => depthOf(one) - depthOf(other) || (one < other ? -1 : 1));
  const found: ProjectPackage[] = [];
  const workspaces: { below: string; patterns: string[] }[] = [];
  for (const below of new Set(["", ...folders])) {
    if (found.length >= PACKAGES) break;
    const workspace = workspaces.find((one) => isMember(below, one))?.below;
    if (workspace === undefined && BESIDE.test(`${below}/`)) continue;
    const manifest = await readManifest(tree, below);
    const patterns = manifest.workspaces ?? (await pnpmPatterns(tree, below));
    if (patterns) workspaces.push({ below, patterns });
    found.push({ below, manifest, files: [], ...(workspace === undefined ? {} : { workspace }) });
  }
  return withFiles(found, tree);
}

/** What is kept beside a project: its package.json files are somebody else's or examples. */
const BESIDE =
  /(?:^|\/)(?:tests?|__tests__|specs?|(?:__)?fixtures?(?:__)?|__mocks__|examples?|samples?|demos?|docs?|bench\w*|templates?|playgrounds?|e2e|vendor|third_party|dist|build|out|coverage)\//;

const depthOf = (folder: string): number => (folder === "" ? 0 : folder.split("/").length);
const folderOf = (path: string): string => (path.includes("/") ? dirname(path) : "");

function withFiles(found: ProjectPackage[], { files }: Tree): ProjectPackage[] {
  const innerFirst = found.toSorted((one, other) => other.below.length - one.below.length);
  for (const path of files) {
    const owner = innerFirst.find(({ below }) => below === "" || path.startsWith(`${below}/`));
    owner?.files.push(owner.below === "" ? path : path.slice(owner.below.length + 1));
  }
  return found;
}

const PnpmWorkspace = z.object({ packages: z.array(z.string().max(500)).max(100) });

async function pnpmPatterns({ folder, files }: Tree, below: string): Promise<string[] | undefined> {
  const path = below === "" ? "pnpm-workspace.yaml" : `${below}/pnpm-workspace.yaml`;
  if (!files.includes(path)) return undefined;
  return PnpmWorkspace.safeParse(readYaml((await readManifestText(folder, path)).text ?? "")).data?.packages;
}

function isMember(folder: string, { below, patterns }: { below: string; patterns: string[] }): boolean {
  if (folder === below || (below !== "" && !folder.startsWith(`${below}/`))) return false;
  const relative = below === "" ? folder : folder.slice(below.length + 1);
  const matches = (pattern: string): boolean => patternOf(pattern).test(relative);
  return (
    patterns.some((pattern) => !pattern.startsWith("!") && matches(pattern)) &&
    !patterns.some((pattern) => pattern.startsWith("!") && matches(pattern.slice(1)))
  );
}

/** Folders by name, `*` within a name and `**` across names, `{a,b}` for either. */
function patternOf(pattern: string): RegExp {
  const plain = pattern.replace(/^\.\//, "").replace(/(?<!\/)\/+$/, "");
  const source = plain.replace(/\*\*\/|\*\*|[*{},]|[^*{},\w/-]/g, (sign) => WILD[sign] ?? `\\${sign}`);
  try {
    return new RegExp(`^${source}$`);
  } catch {
    return /^$/;
  }
}

const WILD: Record<string, string> = { "**/": "(?:.+/)?", "**": ".+", "*": "[^/]+", "{": "(?:", "}": ")", ",": "|" };
