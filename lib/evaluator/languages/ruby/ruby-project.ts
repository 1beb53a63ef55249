/** The Ruby projects of a tree: their folders, tests, and what their manifests ask for. */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Tree } from "../../tree.ts";
import { type WantedGems, wantedGems } from "./gems.ts";

export interface RubyProject {
  folder: string;
  /** The paths of its tests, from its own folder. */
  specs: string[];
  units: string[];
  wanted: WantedGems;
  hasGemfile: boolean;
  rakefile: string;
  /** The text of a file of it, from its own folder; "" where it has none. */
  read(path: string): Promise<string>;
}

const MANIFEST = /(?:^|\/)(?:Gemfile|Rakefile|[^/]+\.gemspec)$/;
const isSpec = (path: string): boolean => /(?:^|\/)spec\//.test(path) && /[^/]_spec\.rb$/.test(path);
const UNIT = /(?:^|\/)tests?\/(?:.*\/)?(?:[^/]+_test|test_[^/]+|tests?_[^/]+)\.rb$|^(?:test_[^/]+|[^/]+_test)\.rb$/;
/** Loaded by tests, and none themselves. */
const SUPPORT = /(?:^|\/)(?:test_helpers?|spec_helper|rails_helper)\.rb$/;
const FOREIGN = /(?:^|\/)(?:vendor|fixtures|node_modules|\.[^/]+)\//;
const TEXT_BYTES = 256 * 1024;

export async function rubyProjects(tree: Tree): Promise<RubyProject[]> {
  const files = tree.files.filter((path) => !FOREIGN.test(path));
  const manifests = files.filter((path) => MANIFEST.test(path)).map((path) => path.slice(0, path.lastIndexOf("/") + 1));
  const folders = [...new Set(manifests)];
  const roots = folders.filter((folder) => !folders.some((one) => one !== folder && folder.startsWith(one)));
  return Promise.all((roots.length > 0 ? roots : [""]).map((root) => projectIn(root, files, tree)));
}

async function projectIn(root: string, files: string[], tree: Tree): Promise<RubyProject> {
  const own = files.flatMap((path) => (path.startsWith(root) ? [path.slice(root.length)] : []));
  const read = async (path: string): Promise<string> => {
    if (!own.includes(path)) return "";
    const full = join(tree.folder, root, path);
    return (await stat(full)).size <= TEXT_BYTES ? readFile(full, "utf8") : "";
  };
  const gemspecs = own.filter((path) => /^[^/]+\.gemspec$/.test(path));
  const wanted = wantedGems({
    gemfile: await read("Gemfile"),
    gemspecs: await Promise.all(gemspecs.map(read)),
    lock: await read("Gemfile.lock"),
    version: await read(".ruby-version"),
  });
  return {
    folder: root.slice(0, -1),
    specs: own.filter((path) => isSpec(path) && !SUPPORT.test(path)),
    units: own.filter((path) => UNIT.test(path) && !SUPPORT.test(path)),
    wanted,
    hasGemfile: own.includes("Gemfile"),
    rakefile: await read("Rakefile"),
    read,
  };
}
