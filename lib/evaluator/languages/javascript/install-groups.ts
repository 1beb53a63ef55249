/** The installations of a tree: one for each package by itself, one for each workspace, with the manifests npm is to read. */
import { posix } from "node:path";
import { readManifestText } from "../../packages/manifest-text.ts";
import type { Tree } from "../../tree.ts";
import { readCatalogs } from "./catalogs.ts";
import { type LocalPackage, type ManifestWish, wishOf } from "./node-requirements.ts";
import { type ProjectPackage, packagesIn } from "./project-packages.ts";

export interface InstallGroup {
  /** The folder in which npm is run. */
  below: string;
  /** Of the packages: the folder of each, and what its manifest asks for. */
  members: GroupMember[];
}

export interface GroupMember {
  below: string;
  name: string;
  version: string;
  wish: ManifestWish;
  /** Its programs' files, which must be there to be linked. */
  programs: Record<string, string>;
}

export async function installGroups(tree: Tree): Promise<InstallGroup[]> {
  const packages = (await packagesIn(tree)).filter((one) => one.files.includes("package.json"));
  const names = packages.flatMap(({ manifest }) => manifest.name ?? []);
  const isUnique = (name: string): boolean => names.indexOf(name) === names.lastIndexOf(name);
  const locals = new Map<string, LocalPackage>(
    packages.flatMap(({ below, manifest }) =>
      manifest.name && isUnique(manifest.name) ? [[manifest.name, { below, version: versionOf(manifest) }]] : [],
    ),
  );
  const members = new Map<string, GroupMember>();
  for (const [at, one] of packages.entries())
    members.set(one.below, {
      below: one.below,
      name: one.manifest.name && isUnique(one.manifest.name) ? one.manifest.name : `package-${at}`,
      version: versionOf(one.manifest),
      ...(await readWish(tree, one, locals)),
    });
  return joinGroups(packages, members);
}

const versionOf = ({ version = "" }: ProjectPackage["manifest"]): string =>
  /^\d+\.\d+\.\d+(?:[a-z_.+-][\w.+-]*)?$/i.test(version) ? version : "0.0.0";

async function readWish(
  tree: Tree,
  { below, manifest, workspace }: ProjectPackage,
  locals: ReadonlyMap<string, LocalPackage>,
): Promise<Pick<GroupMember, "wish" | "programs">> {
  const source = below === "" ? "package.json" : `${below}/package.json`;
  const { text, refused } = await readManifestText(tree.folder, source);
  const catalogs = text?.includes('"catalog:') ? await readCatalogs(tree, workspace ?? below) : new Map();
  const context = { below, source, locals, catalogs };
  const wish = text === undefined ? { sections: {}, local: [], refused } : wishOf(text, context);
  const bin = typeof manifest.bin === "string" ? { [posix.basename(manifest.name ?? "")]: manifest.bin } : manifest.bin;
  const programs = Object.entries(bin ?? {}).filter(
    ([name, path]) => /^[\w.-]+$/.test(name) && !posix.isAbsolute(path) && !posix.normalize(path).startsWith(".."),
  );
  return { wish, programs: Object.fromEntries(programs) };
}

/** Who asks for a package of another installation is installed together with it, at the top of the tree. */
function joinGroups(packages: ProjectPackage[], members: ReadonlyMap<string, GroupMember>): InstallGroup[] {
  const groupOf = new Map(packages.map((one) => [one.below, one.workspace ?? one.below]));
  for (const { below, wish } of members.values())
    for (const asked of wish.local) {
      const both = [groupOf.get(below), groupOf.get(asked)];
      if (both[0] === both[1]) continue;
      for (const [each, group] of groupOf) if (both.includes(group)) groupOf.set(each, "");
    }
  const groups = new Map<string, InstallGroup>();
  for (const [each, below] of groupOf) {
    const group = groups.get(below) ?? { below, members: [] };
    groups.set(below, group);
    const member = members.get(each);
    if (member) group.members.push(member);
  }
  return [...groups.values()];
}

/** The package.json of each folder of the group, by its path, without the packages that are left out. */
export function laidManifests(
  { below: at, members }: InstallGroup,
  isKept: (name: string) => boolean,
): Record<string, object> {
  const inside = members.filter(({ below }) => below !== at);
  const root = members.find(({ below }) => below === at);
  const workspaces = inside.length > 0 ? { workspaces: inside.map(({ below }) => posix.relative(at, below)) } : {};
  const own = (root && manifestOf(root, isKept)) ?? { name: "environment", version: "0.0.0", private: true };
  return {
    "package.json": { ...own, ...workspaces },
    ...Object.fromEntries(
      inside.map((one) => [`${posix.relative(at, one.below)}/package.json`, manifestOf(one, isKept)]),
    ),
  };
}

function manifestOf({ name, version, wish, programs }: GroupMember, isKept: (name: string) => boolean): object {
  const sections = Object.entries(wish.sections).map(([section, listed]) => [
    section,
    Object.fromEntries(Object.entries(listed).filter(([each]) => isKept(each))),
  ]);
  const { peerDependenciesMeta, overrides } = wish;
  return {
    name,
    version,
    private: true,
    bin: programs,
    ...Object.fromEntries(sections),
    ...(peerDependenciesMeta ? { peerDependenciesMeta } : {}),
    ...(overrides ? { overrides } : {}),
  };
}
