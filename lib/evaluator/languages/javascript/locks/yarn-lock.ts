/** Reads yarn.lock, of Yarn 1 and of those after it. Pure. */
import { importersOf, type LockGraph, type LockRequest, lockedPackage, splitName } from "./lock-graph.ts";

interface Entry {
  /** What asked for it, each as `name@range`. */
  descriptors: string[];
  fields: Record<string, string>;
  asks: Record<string, string>;
}

export function readYarnLock(text: string, request: LockRequest): LockGraph | undefined {
  if (!/^(?:# yarn lockfile v1|__metadata:)/m.test(text)) return undefined;
  const packages: LockGraph["packages"] = new Map();
  const keys = new Map<string, string>();
  const asked: [string, Record<string, string>][] = [];
  for (const { descriptors, fields, asks } of yarnEntries(text)) {
    const name = nameOf(descriptors[0] ?? "", fields);
    const found = lockedPackage(name, fields.version ?? "", fields.integrity);
    if (!found || !isOfRegistry(fields)) continue;
    const key = `${name}@${found.version}`;
    packages.set(key, packages.get(key) ?? found);
    for (const each of descriptors) keys.set(plainDescriptor(each), key);
    asked.push([key, asks]);
  }
  const find = (name: string, spec: string): string | undefined => keys.get(plainDescriptor(`${name}@${spec}`));
  for (const [key, asks] of asked)
    for (const [name, spec] of Object.entries(asks)) {
      const used = find(name, spec);
      const one = packages.get(key);
      if (used !== undefined && one) one.uses[name] = used;
    }
  return { packages, ...importersOf(request, packages, (_, name, spec) => find(name, spec)) };
}

/** Later ones write `name@npm:range`; `npm:other@range` stands for a package under another name in all of them. */
const plainDescriptor = (descriptor: string): string =>
  descriptor
    .replace(/^(@?[^@]+)@npm:(?!@?[a-z][\w./-]*@)/i, "$1@")
    .replace(/^(@?[^@]+)@patch:\1@npm%3A([^#]+)#.*$/, "$1@$2");

/** Another name than it is asked for by, if need be. */
function nameOf(descriptor: string, { resolution, resolved }: Record<string, string>): string {
  const [name, range] = splitName(descriptor);
  if (resolution !== undefined) return splitName(resolution)[0];
  return /^npm:(@?[^@]+)(?:@|$)/.exec(range)?.[1] ?? (resolved === undefined ? "" : name);
}

function isOfRegistry({ resolution, resolved }: Record<string, string>): boolean {
  if (resolution !== undefined) return /^@?[^@]+@(?:npm:|patch:[^@]+@npm%3A)/.test(resolution);
  return resolved === undefined || /^https?:\/\/[^?#]*\.tgz(?:#\w*)?$/.test(resolved);
}

/** By the depth of its lines. Yarn 1 writes a space where the others write a colon. */
export function yarnEntries(text: string): Entry[] {
  const found: Entry[] = [];
  let list = "";
  for (const line of text.split(/\r?\n/)) {
    const depth = line.length - line.trimStart().length;
    if (depth === 0) {
      const descriptors = line.replace(/:\s*$/, "").split(/,\s*/).map(unquoted);
      if (/^["\w@]/.test(line)) found.push({ descriptors, fields: {}, asks: {} });
      continue;
    }
    const [, name = "", value = ""] =
      /^("(?:[^"\\]|\\.)*"|[^\s":]\S*?)(?::\s*|\s+|$)([\s\S]*)$/.exec(line.trim()) ?? [];
    const entry = found.at(-1);
    if (depth === 2) {
      list = value === "" ? unquoted(name) : "";
      if (entry && value !== "") entry.fields[unquoted(name)] = unquoted(value);
    } else if (depth === 4 && entry && /^(?:optionalD|d)ependencies$/.test(list))
      entry.asks[unquoted(name)] = unquoted(value);
  }
  return found;
}

const unquoted = (text: string): string => text.replace(/^"|"$/g, "");
