/** What a lock file says, whatever wrote it: which version each package gets. Pure. */
import { OWN_NAME } from "../../../packages/manifests.ts";
import { NODE_NAME } from "../node-requirements.ts";

export interface LockedPackage {
  name: string;
  version: string;
  integrity?: string;
  /** The keys of the packages that it uses, by the names it uses them by. */
  uses: Record<string, string>;
}

export interface LockGraph {
  packages: Map<string, LockedPackage>;
  /** Of each folder with a manifest: the keys of the packages it uses, by name. */
  importers: Map<string, Record<string, string>>;
  /** What a manifest asks for and the lock file does not have: `name@version`. */
  lacking: string[];
}

/** A manifest of the tree: what it asks of the registry, as it writes it. */
export interface Importer {
  below: string;
  name: string;
  wanted: Record<string, string>;
}

export interface LockRequest {
  importers: Importer[];
  /** Packages whose versions the project sets against what is asked for. */
  overridden: ReadonlySet<string>;
}

const VERSION = /^\d+\.\d+\.\d+(?:[a-z_.+-][\w.+-]*)?$/i;
const INTEGRITY = /^(?:sha(?:1|256|384|512)-[A-Za-z0-9+/]+=*(?: |$))+$/;

/** Undefined: it is none of a registry. */
export function lockedPackage(name: string, version: string, integrity?: unknown): LockedPackage | undefined {
  if (!NODE_NAME.test(name) || OWN_NAME.test(name) || !VERSION.test(version)) return undefined;
  const isChecked = typeof integrity === "string" && INTEGRITY.test(integrity);
  return { name, version, uses: {}, ...(isChecked ? { integrity } : {}) };
}

/** `@scope/name@rest`: the name, and what follows it. */
export function splitName(text: string): [string, string] {
  const at = text.indexOf("@", 1);
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

/** Looks each request up; `find` answers a key. */
export function importersOf(
  { importers, overridden }: LockRequest,
  packages: LockGraph["packages"],
  find: (importer: Importer, name: string, spec: string) => string | undefined,
): Pick<LockGraph, "importers" | "lacking"> {
  const lacking: string[] = [];
  const found = importers.map((importer) => {
    const uses = Object.entries(importer.wanted).flatMap(([name, spec]) => {
      const key = find(importer, name, spec) ?? (overridden.has(name) ? onlyVersion(name, packages) : undefined);
      if (key === undefined) lacking.push(`${name}@${spec}`);
      return key === undefined ? [] : [[name, key] as const];
    });
    return [importer.below, Object.fromEntries(uses)] as const;
  });
  return { importers: new Map(found), lacking };
}

function onlyVersion(name: string, packages: LockGraph["packages"]): string | undefined {
  const keys = [...packages].flatMap(([key, one]) => (one.name === name ? [key] : []));
  return keys.length === 1 ? keys[0] : undefined;
}
