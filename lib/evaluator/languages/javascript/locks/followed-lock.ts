/** The lock file of an installation, of any package manager: what npm is given to follow, and what is wrong with it. */
import { posix } from "node:path";
import { readManifestText } from "../../../packages/manifest-text.ts";
import { type InstallGroup, laidManifests } from "../install-groups.ts";
import { objectIn, objectOf } from "../node-requirements.ts";
import { readBunLock } from "./bun-lock.ts";
import { type LaidPackage, layLock } from "./laid-lock.ts";
import { type LockGraph, type LockRequest, splitName } from "./lock-graph.ts";
import { followedLock } from "./npm-lock.ts";
import { readPnpmLock } from "./pnpm-lock.ts";
import { readYarnLock } from "./yarn-lock.ts";

export interface FollowedLock {
  /** The file of the project. */
  source: string;
  /** As npm reads it. */
  lock: object;
  /** The package.json of each folder, by its path. */
  manifests: (isKept: (name: string) => boolean) => Record<string, object>;
  /** Every package has to be as the lock file says, or nothing is installed. */
  strict: boolean;
  /** What contradicts the manifests, in words. */
  problems: string[];
}

/** Longer than the registry lets a name and a version be. */
const NAME_CHARS = 500;
const LOCK_BYTES = 8 * 1024 * 1024;
const SHOWN = 3;

interface OtherLock {
  file: string;
  /** Writes it again. */
  command: string;
  read: (text: string, request: LockRequest) => LockGraph | undefined;
}

const OTHERS: OtherLock[] = [
  { file: "yarn.lock", command: "yarn install", read: readYarnLock },
  { file: "pnpm-lock.yaml", command: "pnpm install", read: readPnpmLock },
  { file: "bun.lock", command: "bun install", read: readBunLock },
];

export async function lockOf(projectFolder: string, group: InstallGroup): Promise<FollowedLock | undefined> {
  const readText = async (name: string): Promise<string | undefined> =>
    (await readManifestText(projectFolder, posix.join(group.below, name), LOCK_BYTES)).text;
  const manifest = objectIn((await readText("package.json")) ?? "");
  const manager = /^\w+/.exec(String(manifest?.packageManager ?? ""))?.[0] ?? "npm";
  const others = OTHERS.toSorted((one, other) => rank(one, manager) - rank(other, manager));
  const named = others.filter((one) => rank(one, manager) === 0);
  for (const one of named) {
    const found = await followOther(one, { group, readText, manifest });
    if (found) return found;
  }
  const own = await followNpm(group, readText);
  if (own) return own;
  for (const one of others) {
    const found = named.includes(one) ? undefined : await followOther(one, { group, readText, manifest });
    if (found) return found;
  }
  return undefined;
}

const rank = ({ command }: OtherLock, manager: string): number => (command.startsWith(`${manager} `) ? 0 : 1);

type ReadText = (name: string) => Promise<string | undefined>;

async function followNpm(group: InstallGroup, readText: ReadText): Promise<FollowedLock | undefined> {
  if (group.members.some(({ wish }) => wish.refused.length > 0)) return undefined;
  const inside = group.members.map((one) => posix.relative(group.below, one.below));
  for (const source of ["npm-shrinkwrap.json", "package-lock.json"]) {
    const text = await readText(source);
    const lock = text === undefined ? undefined : followedLock(text, inside);
    const manifests = (isKept: (name: string) => boolean) => laidManifests(group, isKept);
    if (lock) return { source: posix.join(group.below, source), lock, manifests, strict: true, problems: [] };
  }
  return undefined;
}

interface OtherRequest {
  group: InstallGroup;
  readText: ReadText;
  manifest: Record<string, unknown> | undefined;
}

async function followOther(one: OtherLock, { group, readText, manifest }: OtherRequest) {
  const text = await readText(one.file);
  if (text === undefined) return undefined;
  const overridden = overriddenIn(manifest);
  const graph = one.read(text, { importers: importersIn(group), overridden });
  const source = posix.join(group.below, one.file);
  if (!graph) return undefined;
  const laid = layLock(graph, ownNames(group));
  const names = [...new Set(graph.lacking)];
  const shown = [...names.slice(0, SHOWN), ...(names.length > SHOWN ? [`${names.length - SHOWN} more`] : [])].join(
    ", ",
  );
  const problem = `${source}: it does not fit package.json, which asks for ${shown}: write it again with "${one.command}" and keep it, or remove it`;
  return {
    source,
    strict: false,
    problems: names.length > 0 ? [problem] : [],
    lock: npmLock(group, laid),
    manifests: (isKept: (name: string) => boolean) => pinnedManifests({ group, graph, laid, overridden }, isKept),
  };
}

const ownNames = ({ members }: InstallGroup): Set<string> => new Set(members.map(({ name }) => name));

function importersIn(group: InstallGroup): LockRequest["importers"] {
  const own = ownNames(group);
  return group.members.map(({ below, name, wish: { sections } }) => {
    const all = { ...sections.optionalDependencies, ...sections.devDependencies, ...sections.dependencies };
    const wanted = Object.fromEntries(Object.entries(all).filter(([each]) => !own.has(each)));
    return { below: posix.relative(group.below, below), name, wanted };
  });
}

/** Rules such as `name`, `parent/name`, `parent>name@range`: the last name is the one that they are about. */
function overriddenIn(manifest: Record<string, unknown> | undefined): ReadonlySet<string> {
  const rules = (value: unknown): string[] =>
    Object.entries(objectOf(value) ?? {}).flatMap(([rule, each]) => [rule, ...rules(each)]);
  const all = [manifest?.resolutions, manifest?.overrides, objectOf(manifest?.pnpm)?.overrides].flatMap(rules);
  return new Set(
    all.flatMap((rule) => splitName(/(?:@[^/>@]+\/)?[^/>]+$/.exec(rule.slice(-NAME_CHARS))?.[0] ?? "")[0]),
  );
}

/** npm 6 wrote locks without what else a package says of itself: of such a lock npm asks the registry for that. */
function npmLock(group: InstallGroup, laid: Record<string, LaidPackage>): object {
  const members = group.members.flatMap(({ below, name, version }) => {
    const path = posix.relative(group.below, below);
    const link = [`node_modules/${name}`, { resolved: path, link: true }] as const;
    return path === "" ? [] : [[path, { name, version }] as const, link];
  });
  return {
    name: "environment",
    version: "0.0.0",
    lockfileVersion: 1,
    requires: true,
    packages: { "": {}, ...Object.fromEntries(members), ...laid },
  };
}

interface Pins {
  group: InstallGroup;
  graph: LockGraph;
  laid: Record<string, LaidPackage>;
  overridden: ReadonlySet<string>;
}

/** They ask for the versions that are locked, and for nothing else. */
function pinnedManifests({ group, graph, laid, overridden }: Pins, isKept: (name: string) => boolean) {
  const own = ownNames(group);
  const tops = Object.entries(laid).flatMap(([path, { version }]): [string, string][] => {
    const name = TOP.exec(path)?.[1];
    return name !== undefined && isKept(name) && !own.has(name) ? [[name, version]] : [];
  });
  const versions = (name: string): Set<string> =>
    new Set([...graph.packages.values()].flatMap((one) => (one.name === name ? [one.version] : [])));
  const overrides = [...overridden].flatMap((name) => (versions(name).size === 1 ? [[name, ...versions(name)]] : []));
  const manifests = Object.entries(laidManifests(group, isKept)).map(([path, manifest]): [string, object] => {
    const below = path === "package.json" ? "" : posix.dirname(path);
    const pinned = { ...manifest, ...pinnedSections(manifest, graph.importers.get(below) ?? {}, graph) };
    if (below !== "") return [path, pinned];
    const named = new Set(SECTIONS.flatMap((section) => Object.keys(objectOf(pinned[section]) ?? {})));
    // npm would take away what only peers ask for.
    const more = Object.fromEntries(tops.filter(([name]) => !named.has(name)));
    const optional = { ...pinned.optionalDependencies, ...more };
    return [path, { ...pinned, optionalDependencies: optional, overrides: Object.fromEntries(overrides) }];
  });
  return Object.fromEntries(manifests);
}

const TOP = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/;
const SECTIONS = ["dependencies", "devDependencies", "optionalDependencies"] as const;

function pinnedSections(
  manifest: object,
  uses: Record<string, string>,
  { packages }: LockGraph,
): Partial<Record<(typeof SECTIONS)[number], object>> {
  const exact = (name: string, spec: unknown): unknown => {
    const one = packages.get(uses[name] ?? "");
    if (!one) return spec;
    return one.name === name ? one.version : `npm:${one.name}@${one.version}`;
  };
  const sections = SECTIONS.map((section) => {
    const listed = Object.entries(objectOf(objectOf(manifest)?.[section]) ?? {});
    return [section, Object.fromEntries(listed.map(([name, spec]) => [name, exact(name, spec)]))] as const;
  });
  return Object.fromEntries(sections);
}
