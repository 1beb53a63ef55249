/** Lays the packages of a lock file into folders, as npm is to find them: as near to the top as nothing else is in the way. Pure. */
import type { LockGraph } from "./lock-graph.ts";

interface Spot {
  /** From the top of the installation. */
  path: string;
  parent?: Spot;
  /** The keys of the packages in its `node_modules`. */
  holds: Map<string, Spot & { key: string }>;
  /** Names that something in it finds further out: no other may come in between. */
  passes: Set<string>;
}

/** By their places, as npm writes them: `node_modules/name`. Packages of the tree have theirs at the top. */
export function layLock(graph: LockGraph, own: ReadonlySet<string>): Record<string, LaidPackage> {
  const laid: Record<string, LaidPackage> = {};
  const top: Spot = { ...spotAt(""), passes: new Set(own) };
  const queue: { spot: Spot; uses: Record<string, string> }[] = [];
  for (const [path, uses] of graph.importers) queue.push({ spot: path === "" ? top : spotAt(path, top), uses });
  for (let at = 0; at < queue.length && queue.length < MOST; at += 1) {
    const { spot, uses } = queue[at] ?? { spot: top, uses: {} };
    for (const [name, key] of Object.entries(uses)) {
      const found = graph.packages.get(key);
      const place = found && placeFor(name, key, spot);
      if (!found || !place) continue;
      const path = `${place.path === "" ? "" : `${place.path}/`}node_modules/${name}`;
      const made = { ...spotAt(path, place), key };
      place.holds.set(name, made);
      queue.push({ spot: made, uses: found.uses });
      const version = found.name === name ? found.version : `npm:${found.name}@${found.version}`;
      laid[path] = { version, ...(found.integrity ? { integrity: found.integrity } : {}) };
    }
  }
  return laid;
}

export interface LaidPackage {
  /** `npm:other@version` where it has another name. */
  version: string;
  integrity?: string;
}

const MOST = 50_000;

const spotAt = (path: string, parent?: Spot): Spot => ({
  path,
  holds: new Map(),
  passes: new Set(),
  ...(parent ? { parent } : {}),
});

/** Undefined: it is found already. */
function placeFor(name: string, key: string, from: Spot): Spot | undefined {
  const way: Spot[] = [];
  let holder: Spot | undefined = from;
  for (; holder && !holder.holds.has(name); holder = holder.parent) way.push(holder);
  const isFound = holder?.holds.get(name)?.key === key;
  const place = isFound ? undefined : (way.findLast(({ passes }) => !passes.has(name)) ?? way[0]);
  for (const each of way.slice(0, place ? way.indexOf(place) : way.length)) each.passes.add(name);
  return place;
}
