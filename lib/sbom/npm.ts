/** Packages that `package.json` and npm's lock files declare. Pure. */
import { type DeclaredPackage, exactVersion, isRecord, recordIn, textIn } from "./declared-package.ts";

const KINDS = [
  { field: "dependencies", isForDevelopment: false },
  { field: "optionalDependencies", isForDevelopment: false },
  { field: "devDependencies", isForDevelopment: true },
];

export function readPackageJson(text: string): DeclaredPackage[] {
  const manifest: unknown = JSON.parse(text);
  return KINDS.flatMap(({ field, isForDevelopment }) =>
    Object.entries(recordIn(manifest, field)).flatMap(([alias, wanted]) => {
      if (typeof wanted !== "string" || /^(?:file|link|workspace|portal):/.test(wanted)) return [];
      const [, name = alias, range = wanted] = /^npm:(@?[^@]+)(?:@(.*))?$/.exec(wanted) ?? [];
      // With two numbers it is a range here.
      const version = range.split(".").length > 2 ? exactVersion(range) : undefined;
      return [{ ecosystem: "npm" as const, name, version, range, isForDevelopment }];
    }),
  );
}

/** Folders of packages by where they lie; the older form nests them instead. */
export function readPackageLock(text: string): DeclaredPackage[] {
  const lock: unknown = JSON.parse(text);
  if (!isRecord(lock) || !isRecord(lock.packages)) return nested(recordIn(lock, "dependencies"), 0);
  return Object.entries(lock.packages).flatMap(([path, each]) => {
    const name = textIn(each, "name") ?? path.split("node_modules/").at(-1) ?? "";
    const isOwn = !path.includes("node_modules/") || (isRecord(each) && each.link === true);
    return isOwn ? [] : [locked(name, each)];
  });
}

const DEPTH = 50;

function nested(dependencies: Record<string, unknown>, depth: number): DeclaredPackage[] {
  if (depth > DEPTH) return [];
  return Object.entries(dependencies).flatMap(([name, each]) => [
    locked(name, each),
    ...nested(recordIn(each, "dependencies"), depth + 1),
  ]);
}

function locked(name: string, each: unknown): DeclaredPackage {
  const isForDevelopment = isRecord(each) && each.dev === true;
  const hash = hashIn(textIn(each, "integrity") ?? "");
  return { ecosystem: "npm", name, version: textIn(each, "version"), isForDevelopment, hash };
}

function hashIn(integrity: string): DeclaredPackage["hash"] {
  const base64 = /(?:^|\s)sha512-([A-Za-z0-9+/]{86}==)/.exec(integrity)?.[1];
  if (base64 === undefined) return undefined;
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return { alg: "SHA-512", content: [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("") };
}
