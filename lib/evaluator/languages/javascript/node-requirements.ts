/** Which packages a package.json may ask for: names and versions pass, nothing that fetches from elsewhere. Pure. */
import { posix } from "node:path";
import { shown } from "../../packages/manifest-text.ts";
import { bounded, OWN_NAME, REQUIREMENTS } from "../../packages/manifests.ts";
import { fitsNode } from "../../packages/version-wanted.ts";

export const SECTIONS = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"] as const;
type Section = (typeof SECTIONS)[number];

/** A package of the tree, which is linked and never fetched. */
export interface LocalPackage {
  below: string;
  version: string;
}

export interface ManifestWish {
  sections: Partial<Record<Section, Record<string, string>>>;
  /** Folders of packages of the tree that it asks for. */
  local: string[];
  refused: string[];
  peerDependenciesMeta?: Record<string, { optional: boolean }>;
  overrides?: Record<string, unknown>;
}

interface WishContext {
  /** The folder of the manifest. */
  below: string;
  source: string;
  locals: ReadonlyMap<string, LocalPackage>;
  /** Versions that the workspace keeps for its packages, by catalog. */
  catalogs?: ReadonlyMap<string, Record<string, string>>;
}

export function wishOf(text: string, context: WishContext): ManifestWish {
  const manifest = objectIn(text);
  const wish: ManifestWish = { sections: {}, local: [], refused: oddities(text, manifest, context.source) };
  let count = 0;
  for (const section of SECTIONS)
    for (const [name, spec] of Object.entries(objectOf(manifest?.[section]) ?? {})) {
      if (typeof spec !== "string" || name === "__proto__") continue;
      count += 1;
      if (count <= REQUIREMENTS) take({ section, name, spec }, wish, context);
    }
  const { refused } = bounded({ requirements: new Map(), refused: wish.refused }, count - REQUIREMENTS, context.source);
  const overrides = objectOf(overridesIn(manifest?.overrides, 0));
  const optional = optionalPeers(manifest?.peerDependenciesMeta);
  return {
    ...wish,
    refused,
    ...(optional ? { peerDependenciesMeta: optional } : {}),
    ...(overrides ? { overrides } : {}),
  };
}

function take(
  { section, name, spec }: { section: Section; name: string; spec: string },
  { sections, local, refused }: ManifestWish,
  context: WishContext,
): void {
  const [, catalog] = /^catalog:(.*)$/.exec(spec) ?? [];
  const kept = catalog === undefined ? spec : context.catalogs?.get(catalog || "default")?.[name];
  const found = typeof kept !== "string" ? { why: "the workspace has no such catalog" } : checked(name, kept, context);
  const listed = sections[section] ?? {};
  sections[section] = listed;
  if ("why" in found) refused.push(`${shown(`${name}@${spec}`)}: refused, ${found.why}`);
  else listed[name] = found.spec;
  if ("below" in found && found.below !== undefined) local.push(found.below);
}

function checked(
  name: string,
  spec: string,
  { below, locals, source }: WishContext,
): { spec: string; below?: string } | { why: string } {
  if (OWN_NAME.test(name)) return { why: "it has a name of the evaluator's own" };
  const own = locals.get(name);
  const [, kind, path = ""] = /^(file|link|portal|workspace):(.*)$/.exec(spec) ?? [];
  if (kind === undefined && own) {
    if (own.below === below) return { why: "it has the name of the package that asks for it" };
    if (!fitsNode(own.version, spec)) return { why: `the project has this package in version ${own.version}` };
    return { spec: own.version, below: own.below };
  }
  if (kind !== undefined) {
    const isOwn = kind === "workspace" || (own && posix.join(below, path).replace(/^\.$|\/$/, "") === own.below);
    if (own && isOwn && NODE_NAME.test(name)) return { spec: own.version, below: own.below };
    return { why: "the project has no package of this name in that folder" };
  }
  const alias = /^npm:((?:@[^/@]+\/)?[^/@]+)(?:@(.*))?$/.exec(spec);
  const [target, version] = alias ? [alias[1] ?? "", alias[2] ?? "*"] : [name, spec];
  if (OWN_NAME.test(target)) return { why: "it has a name of the evaluator's own" };
  if (alias && locals.has(target)) return { why: "the project has a package of this name" };
  if (NODE_NAME.test(name) && NODE_NAME.test(target) && NODE_VERSION.test(version)) return { spec };
  return { why: `${source} may only name packages and versions` };
}

export const NODE_NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i;
/** npm takes what begins with a dot for a folder, and what ends like an archive for one. */
export const NODE_VERSION = /^(?!\.)[\w.*^~<>=| +-]*$(?<!\.(?:tgz|tar|tar\.gz))/i;

/** What is asked for in another manner than by lists of names and versions. */
function oddities(text: string, manifest: Record<string, unknown> | undefined, source: string): string[] {
  if (!manifest) return [`${source}: not read, it is no JSON object`];
  const unread = SECTIONS.filter((name) => {
    const listed = manifest[name];
    return (
      listed !== undefined && !Object.values(objectOf(listed) ?? { no: 1 }).every((one) => typeof one === "string")
    );
  });
  return [
    ...unread.map((name) => `${name} of ${source}: not read, they are no list of names and versions`),
    ...(/"__proto__"\s*:/.test(text) ? ["__proto__: refused, it is no name of a package"] : []),
  ];
}

/** Versions of what packages ask for, as deep as npm reads them; anything else is left out. */
function overridesIn(value: unknown, depth: number): unknown {
  if (typeof value === "string") return value.startsWith("$") || NODE_VERSION.test(value) ? value : undefined;
  const listed = objectOf(value);
  if (!listed || depth > 4) return undefined;
  const kept = Object.entries(listed)
    .map(([name, each]) => [name, overridesIn(each, depth + 1)] as const)
    .filter(([name, each]) => each !== undefined && /^(?:\.|(?:@[\w.-]+\/)?[\w.-]+(?:@[\w.*^~<>=| +-]*)?)$/.test(name));
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

function optionalPeers(value: unknown): Record<string, { optional: boolean }> | undefined {
  const names = Object.entries(objectOf(value) ?? {}).filter(([, each]) => objectOf(each)?.optional === true);
  return names.length > 0 ? Object.fromEntries(names.map(([name]) => [name, { optional: true }])) : undefined;
}

export function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    return objectOf(JSON.parse(text.replace(/^\ufeff/, "")));
  } catch {
    return undefined;
  }
}

export const objectOf = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
