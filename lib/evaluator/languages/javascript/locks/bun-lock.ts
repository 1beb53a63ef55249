/** Reads bun.lock, Bun's lock file in text. Pure. */
import * as z from "zod";
import { importersOf, type LockGraph, type LockRequest, lockedPackage, splitName } from "./lock-graph.ts";

const names = z.record(z.string(), z.string()).optional();
const Asks = z.object({ dependencies: names, optionalDependencies: names, peerDependencies: names });
const Workspace = Asks.extend({ name: z.string().optional(), devDependencies: names });
const Lock = z.object({
  lockfileVersion: z.number(),
  workspaces: z.record(z.string(), Workspace),
  packages: z.record(z.string(), z.array(z.unknown())).optional(),
  catalog: names,
  catalogs: z.record(z.string(), z.record(z.string(), z.string())).optional(),
});

/** Each package has its place as its key: `parent/name` belongs to the parent alone. */
export function readBunLock(text: string, request: LockRequest): LockGraph | undefined {
  const lock = parsed(text);
  if (!lock) return undefined;
  const packages: LockGraph["packages"] = new Map();
  const asked: [string, z.infer<typeof Asks>][] = [];
  for (const [place, [id, , about, integrity]] of Object.entries(lock.packages ?? {})) {
    const found = typeof id === "string" ? lockedPackage(...splitName(id), integrity) : undefined;
    if (!found) continue;
    packages.set(place, found);
    asked.push([place, Asks.safeParse(about).data ?? {}]);
  }
  for (const [place, { dependencies, optionalDependencies, peerDependencies }] of asked)
    for (const name of Object.keys({ ...peerDependencies, ...optionalDependencies, ...dependencies })) {
      const used = seenFrom(place, name, packages);
      const one = packages.get(place);
      if (used !== undefined && one) one.uses[name] = used;
    }
  return {
    packages,
    ...importersOf(request, packages, ({ below, name: own }, name, spec) => {
      const workspace = lock.workspaces[below];
      const all = { ...workspace?.optionalDependencies, ...workspace?.devDependencies, ...workspace?.dependencies };
      const [, catalog] = /^catalog:(.*)$/.exec(all[name] ?? "") ?? [];
      const kept = catalog ? lock.catalogs?.[catalog] : lock.catalog;
      if ((catalog === undefined ? all[name] : kept?.[name]) !== spec && !request.overridden.has(name))
        return undefined;
      return seenFrom(below === "" ? "" : (workspace?.name ?? own), name, packages);
    }),
  };
}

/** In its own place, else in one of those around it. */
function seenFrom(place: string, name: string, packages: LockGraph["packages"]): string | undefined {
  const parts = place.match(/@[^/]+\/[^/]+|[^/]+/g) ?? [];
  for (let depth = parts.length; depth >= 0; depth -= 1) {
    const key = [...parts.slice(0, depth), name].join("/");
    if (packages.has(key)) return key;
  }
  return undefined;
}

/** JSON with commas before closing brackets. */
function parsed(text: string): z.infer<typeof Lock> | undefined {
  try {
    const plain = text.replace(/"(?:[^"\\]|\\.)*"?|,(?=\s*[}\]])/g, (found) => (found === "," ? "" : found));
    return Lock.safeParse(JSON.parse(plain)).data;
  } catch {
    return undefined;
  }
}
