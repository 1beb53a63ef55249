/** Packages that are of no use without their install script, which does not run: each is taken away and named once. */
import { existsSync, globSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { objectIn, objectOf } from "./node-requirements.ts";

/** What does the same and comes ready. */
const INSTEAD: Record<string, string> = {
  "better-sqlite3": "node:sqlite, which Node brings",
  sqlite3: "node:sqlite, which Node brings",
  bcrypt: "bcryptjs, or bcrypt 6, which brings its programs",
  argon2: "@node-rs/argon2",
  canvas: "@napi-rs/canvas",
  "node-sass": "sass",
  sharp: "sharp 0.33 or later",
  "@prisma/client": "node:sqlite, which Node brings, or drizzle-orm",
  prisma: "node:sqlite, which Node brings, or drizzle-orm",
};
/** They fetch or make the greater part of themselves in their install script. */
const MADE_LATER = new Set(["@prisma/client", "prisma", "@prisma/engines", "cypress", "electron"]);

/** Of one installation, whose folder this is. Answers each with the reason. */
export function takeUnbuilt(folder: string, wanted: ReadonlyMap<string, string>): string[] {
  const found: string[] = [];
  for (const [path, entry] of lockedIn(folder)) {
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    if (entry.optional === true || entry.link === true || !isUnbuilt(name, join(folder, path))) continue;
    rmSync(join(folder, path), { recursive: true, force: true });
    const asked = wanted.get(name) ?? String(entry.version ?? "");
    const instead = Object.hasOwn(INSTEAD, name) ? INSTEAD[name] : undefined;
    found.push(
      `${name}@${asked}: it has to be built by its install script, and none runs here${instead ? `: use ${instead}` : ""}`,
    );
  }
  return [...new Set(found)];
}

function lockedIn(folder: string): [string, Record<string, unknown>][] {
  const lock = join(folder, "node_modules/.package-lock.json");
  const packages = existsSync(lock) ? objectOf(objectIn(readFileSync(lock, "utf8"))?.packages) : {};
  return Object.entries(packages ?? {}).flatMap(([path, entry]) =>
    path.includes("node_modules/") ? [[path, objectOf(entry) ?? {}]] : [],
  );
}

/** It has the sources of a program and not the program. */
function isUnbuilt(name: string, folder: string): boolean {
  if (MADE_LATER.has(name)) return true;
  return existsSync(join(folder, "binding.gyp")) && !brings(folder) && !broughtByAnother(folder);
}

const brings = (folder: string): boolean => globSync("{*,*/*,*/*/*,*/*/*/*}.node", { cwd: folder }).length > 0;

/** Some leave their programs to optional packages, one for each system. */
function broughtByAnother(folder: string): boolean {
  const optional = objectOf(objectIn(readFileSync(join(folder, "package.json"), "utf8"))?.optionalDependencies);
  const modules = folder.slice(0, folder.lastIndexOf("node_modules/") + "node_modules".length);
  return Object.keys(optional ?? {}).some((name) => SYSTEMS.test(name) && existsSync(join(modules, name)));
}

const SYSTEMS = /linux|darwin|win32|android|freebsd/;
