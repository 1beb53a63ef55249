/** The PHP projects of a tree: their folders, tests and manifests. */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Tree } from "../../tree.ts";
import { type ComposerManifest, composerManifest } from "./composer-manifest.ts";

export interface PhpProject {
  folder: string;
  /** The paths of its files, from its own folder. */
  files: string[];
  tests: string[];
  manifest?: ComposerManifest;
  /** PHPUnit's settings, where it has them. */
  settings?: string;
}

const MANIFEST = /(?:^|\/)(?:composer\.json|phpunit\.xml(?:\.dist)?)$/;
const TEST = /(?:^|\/)[^/]*Test\.php$/;
const FOREIGN = /(?:^|\/)(?:vendor|fixtures|node_modules|\.[^/]+)\//i;
const MANIFEST_BYTES = 256 * 1024;

export async function phpProjects(tree: Tree): Promise<PhpProject[]> {
  const manifests = tree.files.filter((path) => MANIFEST.test(path) && !FOREIGN.test(path));
  const folders = [...new Set(manifests.map((path) => path.slice(0, path.lastIndexOf("/") + 1)))];
  const roots = folders.filter((folder) => !folders.some((one) => one !== folder && folder.startsWith(one)));
  return Promise.all((roots.length > 0 ? roots : [""]).map((root) => projectIn(root, tree)));
}

async function projectIn(root: string, tree: Tree): Promise<PhpProject> {
  const files = tree.files.flatMap((path) => (path.startsWith(root) ? [path.slice(root.length)] : []));
  const full = join(tree.folder, root, "composer.json");
  const isReadable = files.includes("composer.json") && (await stat(full)).size <= MANIFEST_BYTES;
  const manifest = isReadable ? composerManifest(await readFile(full, "utf8")) : undefined;
  const settings = ["phpunit.xml", "phpunit.xml.dist"].find((path) => files.includes(path));
  return {
    folder: root.slice(0, -1),
    files,
    tests: files.filter((path) => TEST.test(path) && !FOREIGN.test(path)),
    ...(manifest ? { manifest } : {}),
    ...(settings ? { settings } : {}),
  };
}
