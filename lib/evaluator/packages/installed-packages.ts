/** Which packages are there, by name and version: what a project may turn to where another cannot be had. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";

export type InstalledPackages = Map<string, string>;

/**
 * As Python's own installers note what they put into a folder: `name-version.dist-info`. What lies in the folders that
 * come first hides what lies in the others.
 */
export async function pythonPackagesIn(folders: string[]): Promise<InstalledPackages> {
  const names: string[] = [];
  for (const folder of folders.toReversed()) names.push(...(await namesIn(folder)));
  const found = names.flatMap((name) => {
    const [, package_ = "", version = ""] = /^([A-Za-z0-9][\w.]*)-([\w.!+]+)\.(?:dist|egg)-info$/.exec(name) ?? [];
    return package_ === "" ? [] : [[package_.replaceAll("_", "-").toLowerCase(), version] as const];
  });
  return new Map([...new Map(found)].toSorted());
}

const Manifest = z.object({ version: z.string().max(100) });

export async function nodePackagesIn(nodeModules: string): Promise<InstalledPackages> {
  const found: [string, string][] = [];
  for (const name of await namesIn(nodeModules)) {
    if (name.startsWith(".")) continue;
    const names = name.startsWith("@")
      ? (await namesIn(join(nodeModules, name))).map((one) => `${name}/${one}`)
      : [name];
    for (const one of names) {
      const version = await versionOf(join(nodeModules, one, "package.json"));
      if (version !== undefined) found.push([one, version]);
    }
  }
  return new Map(found);
}

async function versionOf(manifest: string): Promise<string | undefined> {
  try {
    return Manifest.parse(JSON.parse(await readFile(manifest, "utf8"))).version;
  } catch {
    return undefined;
  }
}

const namesIn = async (folder: string): Promise<string[]> => {
  try {
    return (await readdir(folder)).sort();
  } catch {
    return [];
  }
};

/** Packages read at most. */
const AVAILABLE = 40;

/** In words, a bounded list; `first` are the ones that somebody asked for. */
export function availableWords(all: InstalledPackages[], first: string[] = []): string[] {
  const wanted = new Set(first);
  const entries = all.flatMap((installed) => [...installed]);
  const ordered = [...entries.filter(([name]) => wanted.has(name)), ...entries.filter(([name]) => !wanted.has(name))];
  const words = [...new Set(ordered.map(([name, version]) => `${name} ${version}`))];
  const more = words.length - AVAILABLE;
  return more > 0 ? [...words.slice(0, AVAILABLE), `and ${more} more`] : words;
}
