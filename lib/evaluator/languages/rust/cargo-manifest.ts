/** The part of a Cargo.toml that an installer may see: what is wanted from the registry, and nothing from elsewhere. Pure. */
import { posix } from "node:path";
import { parse, stringify, type TomlTable } from "smol-toml";

export interface CargoManifest {
  /** Its folder in the tree. */
  folder: string;
  table: TomlTable;
}

export interface ManifestPart {
  table: TomlTable;
  requests: string[];
  refused: string[];
}

export function parseManifest(text: string): TomlTable | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

const SECTIONS = ["dependencies", "dev-dependencies", "build-dependencies"];
const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const REQUIREMENT = /^[\w.^~<>=*,+ -]+$/;
/** Plain words of a manifest: what says of a package who it is, and of a workspace what belongs to it. */
const PLAIN: Record<string, string[]> = {
  package: ["name", "version", "edition", "rust-version", "resolver", "links"],
  workspace: ["members", "exclude", "resolver", "default-members"],
};

/** `hasManifest`: whether a folder of the tree is a package. */
export function fetchablePart(
  { folder, table }: CargoManifest,
  hasManifest: (folder: string) => boolean,
): ManifestPart {
  const found: ManifestPart = { table: {}, requests: [], refused: [] };
  const dependenciesIn = (from: TomlTable): TomlTable => keptDependencies(from, { folder, hasManifest, found });
  for (const [section, keys] of Object.entries(PLAIN)) {
    const own = tableAt(table, section);
    if (own) found.table[section] = keptKeys(own, keys);
  }
  const workspace = tableAt(table, "workspace");
  const shared = workspace && tableAt(workspace, "dependencies");
  const common = workspace && tableAt(workspace, "package");
  if (shared) Object.assign(tableAt(found.table, "workspace") ?? {}, { dependencies: dependenciesIn(shared) });
  if (common)
    Object.assign(tableAt(found.table, "workspace") ?? {}, { package: keptKeys(common, PLAIN.package ?? []) });
  Object.assign(found.table, sectionsOf(table, dependenciesIn));
  const targets = Object.entries(tableAt(table, "target") ?? {}).flatMap(([name, own]) =>
    isTable(own) ? [[name, sectionsOf(own, dependenciesIn)] as const] : [],
  );
  if (targets.length > 0) found.table.target = Object.fromEntries(targets);
  if (tableAt(table, "package")) found.table.features = featuresOf(table, found.table);
  return found;
}

export const writtenManifest = ({ table }: ManifestPart): string => stringify(table);

const isTable = (value: unknown): value is TomlTable =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);

function tableAt(table: TomlTable, key: string): TomlTable | undefined {
  const value = table[key];
  return isTable(value) ? value : undefined;
}

const keptKeys = (from: TomlTable, keys: string[]): TomlTable =>
  Object.fromEntries(Object.entries(from).filter(([key]) => keys.includes(key)));

/** Older manifests write some names with a low line. */
const sectionsOf = (from: TomlTable, dependenciesIn: (section: TomlTable) => TomlTable): TomlTable =>
  Object.fromEntries(
    SECTIONS.flatMap((name) => {
      const own = tableAt(from, name) ?? tableAt(from, name.replace("-", "_"));
      return own ? [[name, dependenciesIn(own)] as const] : [];
    }),
  );

interface DependencyContext {
  folder: string;
  hasManifest: (folder: string) => boolean;
  found: ManifestPart;
}

function keptDependencies(from: TomlTable, { folder, hasManifest, found }: DependencyContext): TomlTable {
  const kept: TomlTable = {};
  for (const [name, value] of Object.entries(from)) {
    const wanted = typeof value === "string" ? { version: value } : isTable(value) ? value : undefined;
    const why = wanted && NAME.test(name) ? refusal(wanted) : "it is no request of a package";
    const path = typeof wanted?.path === "string" ? posix.join(folder, wanted.path) : undefined;
    if (path !== undefined && hasManifest(path)) kept[name] = keptKeys(wanted ?? {}, [...KEPT, "path"]);
    else if (why || !wanted) found.refused.push(`${name}: refused, ${why}`);
    else {
      kept[name] = keptKeys(wanted, KEPT);
      if (wanted.workspace !== true) found.requests.push(`${String(wanted.package ?? name)} ${String(wanted.version)}`);
    }
  }
  return kept;
}

const KEPT = ["version", "features", "optional", "default-features", "package", "workspace"];

function refusal(wanted: TomlTable): string | undefined {
  if (["git", "registry", "registry-index", "path"].some((key) => Object.hasOwn(wanted, key)))
    return "only packages of crates.io are fetched";
  if (wanted.workspace === true) return undefined;
  if (wanted.package !== undefined && !NAME.test(String(wanted.package))) return "it is no name of a package";
  return typeof wanted.version === "string" && REQUIREMENT.test(wanted.version) ? undefined : "it names no version";
}

/** Without what is about packages that were refused: cargo reads no manifest that names them. */
function featuresOf(table: TomlTable, kept: TomlTable): TomlTable {
  const features = tableAt(table, "features") ?? {};
  const has = new Set([...Object.keys(features), ...namesIn(kept)]);
  const isKnown = (word: string): boolean => has.has(word.replace(/^dep:/, "").replace(/\??\/.*$/s, ""));
  return Object.fromEntries(
    Object.entries(features).map(([name, words]) => [
      name,
      (Array.isArray(words) ? words : []).filter((word) => typeof word === "string" && isKnown(word)),
    ]),
  );
}

function namesIn(kept: TomlTable): string[] {
  const targets = Object.values(tableAt(kept, "target") ?? {}).filter(isTable);
  return [kept, ...targets].flatMap((own) => SECTIONS.flatMap((name) => Object.keys(tableAt(own, name) ?? {})));
}
