/** Packages that Composer and Bundler declare. Pure. */
import { type DeclaredPackage, exactVersion, listIn, manifestLines, recordIn, textIn } from "./declared-package.ts";

/** PHP itself and its extensions are no packages. */
const isPackage = (name: string): boolean => name.includes("/");

export function readComposerJson(text: string): DeclaredPackage[] {
  const manifest: unknown = JSON.parse(text);
  return ["require", "require-dev"].flatMap((field) =>
    Object.entries(recordIn(manifest, field)).flatMap(([name, range]) => {
      if (!isPackage(name) || typeof range !== "string") return [];
      const isForDevelopment = field === "require-dev";
      return [{ ecosystem: "composer" as const, name, version: exactVersion(range), range, isForDevelopment }];
    }),
  );
}

export function readComposerLock(text: string): DeclaredPackage[] {
  const lock: unknown = JSON.parse(text);
  return ["packages", "packages-dev"].flatMap((field) =>
    listIn(lock, field).map((each) => ({
      ecosystem: "composer" as const,
      name: textIn(each, "name") ?? "",
      version: textIn(each, "version"),
      isForDevelopment: field === "packages-dev",
    })),
  );
}

/** `gem "rack", "~> 3.0"`. */
export const readGemfile = (text: string): DeclaredPackage[] =>
  manifestLines(text).flatMap((line) => {
    const found = /^\s*gem[\s(]+["']([^"']+)["'](?:\s*,\s*["']([^"']+)["'])?/.exec(line);
    if (!found) return [];
    const [, name = "", range] = found;
    return [{ ecosystem: "gem" as const, name, version: range && exactVersion(range), range }];
  });

/** What the section of a gem server lists: its own lines have four spaces, what they need has more. */
export function readGemfileLock(text: string): DeclaredPackage[] {
  const found: DeclaredPackage[] = [];
  let isInGems = false;
  for (const line of manifestLines(text)) {
    if (/^\S/.test(line)) isInGems = line === "GEM";
    const [, name = "", version] = /^ {4}(\S+) \(([^)\s]+)\)$/.exec(line) ?? [];
    if (isInGems && version !== undefined) found.push({ ecosystem: "gem", name, version });
  }
  return found;
}
