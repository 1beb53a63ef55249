/** Reads pnpm-lock.yaml, from version 5 on. Pure. */
import * as z from "zod";
import { readYaml } from "../yaml-manifest.ts";
import { type Importer, type LockGraph, type LockRequest, lockedPackage, splitName } from "./lock-graph.ts";

const listed = z.record(z.string(), z.union([z.string(), z.object({ specifier: z.string(), version: z.string() })]));
const Lists = z.object({
  specifiers: z.record(z.string(), z.string()).optional(),
  dependencies: listed.optional(),
  devDependencies: listed.optional(),
  optionalDependencies: listed.optional(),
});
const uses = z.record(z.string(), z.string()).optional();
const Package = z.object({
  resolution: z.object({ integrity: z.string().optional() }).optional(),
  dependencies: uses,
  optionalDependencies: uses,
});
const packages = z.record(z.string(), Package.nullable()).optional();
const Lock = Lists.extend({
  lockfileVersion: z.union([z.string(), z.number()]),
  importers: z.record(z.string(), Lists).optional(),
  packages,
  snapshots: packages,
  overrides: z.record(z.string(), z.string()).optional(),
  catalogs: z.record(z.string(), z.record(z.string(), z.object({ specifier: z.string() }))).optional(),
});
type Lists = z.infer<typeof Lists>;

export function readPnpmLock(text: string, request: LockRequest): LockGraph | undefined {
  const lock = parsed(text);
  if (!lock || !(Number.parseFloat(String(lock.lockfileVersion)) >= 5)) return undefined;
  const graph: LockGraph = { packages: new Map(), importers: new Map(), lacking: [] };
  for (const [id, one] of Object.entries({ ...lock.packages })) take(id, one?.resolution?.integrity, graph);
  for (const [id, one] of Object.entries(lock.snapshots ?? lock.packages ?? {})) {
    const from = graph.packages.get(keyIn(id));
    for (const [name, version] of Object.entries({ ...one?.optionalDependencies, ...one?.dependencies })) {
      const key = keyOf(name, version);
      if (from && graph.packages.has(key)) from.uses[name] ??= key;
    }
  }
  const overridden = new Set([...request.overridden, ...Object.keys(lock.overrides ?? {}).map(overriddenName)]);
  for (const importer of request.importers)
    takeImporter(importer, lock.importers ?? { ".": lock }, { graph, overridden, catalogs: lock.catalogs });
  return graph;
}

/** A document before it, if there is one, is of the manager itself. */
const parsed = (text: string): z.infer<typeof Lock> | undefined =>
  Lock.safeParse(readYaml(text.split(/^---$/m).at(-1) ?? "")).data;

function take(id: string, integrity: string | undefined, { packages: all }: LockGraph): void {
  const key = keyIn(id);
  const found = lockedPackage(...splitName(key), integrity);
  if (found && !all.has(key)) all.set(key, found);
}

/** `/@scope/name/1.0.0_peers`, `/name@1.0.0(peers)`, `name@1.0.0(peers)`. */
function keyIn(id: string): string {
  const [, name, version] = /^\/((?:@[^/]+\/)?[^/@]+)\/(\d[^_/]*)/.exec(id) ?? [];
  return name && version ? `${name}@${version}` : id.replace(/\(.*$/s, "").replace(/^\//, "");
}

const keyOf = (name: string, version: string): string => {
  const plain = version.replace(/\(.*$/s, "");
  return /^\d/.test(plain) ? `${name}@${plain.replace(/_.*$/s, "")}` : keyIn(plain);
};

/** `parent>name@range` */
const overriddenName = (rule: string): string => splitName(rule.split(">").at(-1) ?? "")[0];

interface PnpmImport {
  graph: LockGraph;
  overridden: ReadonlySet<string>;
  /** What `catalog:name` stood for when the lock was written. */
  catalogs: z.infer<typeof Lock>["catalogs"];
}

function takeImporter(
  { below, wanted }: Importer,
  importers: Record<string, Lists>,
  { graph, overridden, catalogs }: PnpmImport,
): void {
  const lists = importers[below === "" ? "." : below] ?? {};
  const all = { ...lists.optionalDependencies, ...lists.devDependencies, ...lists.dependencies };
  const found = Object.entries(all).flatMap(([name, one]) => {
    const key = keyOf(name, typeof one === "string" ? one : one.version);
    return graph.packages.has(key) ? [[name, key] as const] : [];
  });
  graph.importers.set(below, Object.fromEntries(found));
  for (const [name, spec] of Object.entries(wanted)) {
    const one = all[name];
    const written = typeof one === "object" ? one.specifier : lists.specifiers?.[name];
    const [, catalog] = /^catalog:(.*)$/.exec(written ?? "") ?? [];
    const locked = catalog === undefined ? written : catalogs?.[catalog || "default"]?.[name]?.specifier;
    if (one === undefined || (locked !== spec && !overridden.has(name))) graph.lacking.push(`${name}@${spec}`);
  }
}
