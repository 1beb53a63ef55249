/** Installs the npm packages of every manifest of a tree as npm lays them; none of their scripts runs. */
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import type { Installer, InstallerResult, InstallerRun, NodeModules } from "../../language.ts";
import { type Attempt, type InstallResult, installAvailable, stoppedBy } from "../../packages/install-available.ts";
import { availableWords, nodePackagesIn } from "../../packages/installed-packages.ts";
import { installerError } from "../../packages/installer-error.ts";
import { noRequests, type Requirements, type WantedPackages } from "../../packages/manifests.ts";
import { listTree } from "../../tree.ts";
import { type InstallGroup, installGroups, laidManifests } from "./install-groups.ts";
import { type FollowedLock, lockOf } from "./locks/followed-lock.ts";
import { takeUnbuilt } from "./native-packages.ts";
import { npmRegistries } from "./npm-registries.ts";

export const nodeInstaller: Installer = {
  name: "npm",
  registries: npmRegistries,
  async wanted(projectFolder, { node, npm }) {
    if (!npm) return noRequests;
    const groups = await installGroups(await listTree(projectFolder));
    const wanted = await Promise.all(
      groups.map(async (group) => ({ group, lock: await lockOf(projectFolder, group) })),
    );
    const laid = wanted.map(({ group, lock }) => [group.below, laidManifests(group, () => true), lock?.lock ?? null]);
    return {
      requests: groups.flatMap((group) =>
        [...requirementsOf(group), ...linkedBy(group)].map(
          ([name, spec]) => `${group.below && `${group.below}: `}${name}@${spec}`,
        ),
      ),
      depends: [node, laid],
      refused: [...refusedBy(groups), ...wanted.flatMap(({ lock }) => lock?.problems ?? [])],
      async install({ folder, downloads, run }) {
        const installer = { node, npm, run: withSettings(run, downloads, folder) };
        const made: GroupResult[] = [];
        for (const { group, lock } of wanted)
          if (requirementsOf(group).size > 0 || linkedBy(group).length > 0)
            made.push(await installGroup({ group, lock, folder: join(folder, "node", group.below) }, installer));
        const nodeModules = made.flatMap((one) => one.nodeModules);
        const installed = await Promise.all(nodeModules.map((one) => nodePackagesIn(one.folder)));
        const names = groups.flatMap((group) => [...requirementsOf(group).keys()]);
        return {
          missing: [...new Set(made.flatMap(({ missing }) => missing))],
          settled: made.every(({ settled }) => settled),
          nodeModules,
          path: nodeModules.filter(({ below }) => below === "").map((one) => join(one.folder, ".bin")),
          ...(nodeModules.length > 0 ? { available: availableWords(installed, names) } : {}),
        };
      },
    };
  },
};

/** What all manifests together ask for. */
export async function nodeWanted(projectFolder: string): Promise<WantedPackages> {
  const groups = await installGroups(await listTree(projectFolder));
  return {
    requirements: new Map(groups.flatMap((group) => [...requirementsOf(group)])),
    refused: refusedBy(groups),
  };
}

const refusedBy = (groups: InstallGroup[]): string[] => [
  ...new Set(groups.flatMap(({ members }) => members.flatMap(({ wish }) => wish.refused))),
];

const insideOf = (group: InstallGroup, below: string): string => posix.relative(group.below, below);

/** What comes from the registry, each under its name. */
const requirementsOf = ({ members }: InstallGroup): Requirements => {
  const own = new Set(members.map(({ name }) => name));
  const listed = members.flatMap(({ wish }) => Object.values(wish.sections).flatMap((each) => Object.entries(each)));
  return new Map(listed.filter(([name]) => !own.has(name)));
};

/** Packages of the tree that others of it ask for. */
const linkedBy = ({ members }: InstallGroup): [string, string][] => {
  const asked = new Set(members.flatMap(({ wish }) => wish.local));
  return members.flatMap(({ below, name }) => (asked.has(below) ? [[name, `link:${below}`]] : []));
};

const ELSEWHERE = ["git", "remote", "file"];

/** Whatever is set up elsewhere was read beforehand: files could say where to write, and what to run. */
function withSettings(run: InstallerRun, downloads: string, folder: string): InstallerRun {
  const env = {
    npm_config_userconfig: join(folder, "no-npmrc"),
    npm_config_globalconfig: join(folder, "no-global-npmrc"),
    npm_config_cache: downloads,
    // Packages of the registry may ask for others from elsewhere. Versions before 11 know of no such setting: for them
    // there is no Git, and so none of the scripts that they would run in what it fetched.
    ...Object.fromEntries(ELSEWHERE.map((kind) => [`npm_config_allow_${kind}`, "none"])),
    npm_config_git: join(folder, "no-git"),
    // Those that the manifest at the top names: packages of a workspace.
    npm_config_allow_directory: "root",
  };
  return (argv, cwd) => run(argv, cwd, env);
}

interface NodeInstaller {
  node: string;
  npm: string;
  run: InstallerRun;
}

interface GroupPlace {
  group: InstallGroup;
  lock: FollowedLock | undefined;
  /** In which npm runs. */
  folder: string;
}

type GroupResult = InstallResult & { nodeModules: NodeModules[] };

async function installGroup(place: GroupPlace, installer: NodeInstaller): Promise<GroupResult> {
  const { group, folder } = place;
  const wanted = requirementsOf(group);
  // What other managers lock need not be what npm takes for peers.
  const manner: Manner = { follows: followedBy(place.lock), peers: place.lock?.strict !== false, problems: [] };
  const trying = (left: Requirements): Promise<Attempt> => attempt(left, { ...place, manner }, installer);
  if (wanted.size === 0) await trying(wanted);
  const outcome = await installAvailable(wanted, trying);
  if (outcome.spoilt) {
    await rm(folder, { recursive: true, force: true });
    return { ...outcome, nodeModules: [] };
  }
  const unbuilt = takeUnbuilt(folder, wanted);
  const nodeModules = [...new Set([group.below, ...group.members.map(({ below }) => below)])]
    .map((below) => ({ below, folder: join(folder, insideOf(group, below), "node_modules") }))
    .filter((one) => existsSync(one.folder));
  return { ...outcome, missing: [...outcome.missing, ...manner.problems, ...unbuilt], nodeModules };
}

const followedBy = (lock: FollowedLock | undefined): Manner["follows"] => lock && (lock.strict ? "exactly" : "loosely");

/** How it is tried: what failed is not tried again. */
interface Manner {
  /** The lock file: as it is, or as far as it fits the manifests. */
  follows: "exactly" | "loosely" | undefined;
  peers: boolean;
  /** What was wrong with the lock file, in words. */
  problems: string[];
}

const OPTIONS = [
  ...["--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--install-links=false"],
  ...["--fetch-timeout=20000", "--fetch-retry-mintimeout=500", "--fetch-retry-maxtimeout=2000"],
  ...["--loglevel=error", "--fetch-retries=1"],
];

type AttemptPlace = GroupPlace & { manner: Manner };

async function attempt(left: Requirements, place: AttemptPlace, installer: NodeInstaller): Promise<Attempt> {
  const { manner } = place;
  const result = await runNpm(left, place, { installer });
  if (result.status === "exited" && result.exitCode === 0 && !result.tooLarge) return { had: true };
  const stopped = stoppedBy(result);
  if (stopped) return stopped;
  if (OFFLINE.test(result.stderr)) return { brokeOff: "the package registry could not be reached" };
  const answer = /code E(5\d\d)\b/.exec(result.stderr)?.[1];
  if (answer) return { brokeOff: `the package registry answered with an error (${answer})` };
  if (FROM_ELSEWHERE.test(result.stderr)) return { impossible: await wantingElsewhere(left, place, installer) };
  if (place.lock && manner.follows) {
    if (WRONG_CONTENT.test(result.stderr))
      return { brokeOff: `${place.lock.source} names another checksum than the registry's package has` };
    manner.problems.push(...unfollowed(result, place.lock.source, manner.follows));
    manner.follows = manner.follows === "exactly" ? "loosely" : undefined;
    return attempt(left, place, installer);
  }
  const impossible = impossibleIn(result.stderr);
  const isNamed = impossible.some(({ name }) => left.has(name));
  if (manner.peers && !isNamed) {
    manner.peers = false;
    return attempt(left, place, installer);
  }
  if (impossible.length > 0) return { impossible };
  return { brokeOff: installerError(result, "first") || "npm failed" };
}

const OFFLINE = /code (?:ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|ECONNRESET|ERR_SOCKET_TIMEOUT)/;
const WRONG_CONTENT = /code EINTEGRITY/;
const UNFIT = /are in sync|Missing: .* from lock file|Invalid: lock file/;

function unfollowed(result: InstallerResult, source: string, follows: "exactly" | "loosely"): string[] {
  if (UNFIT.test(result.stderr))
    return [`${source}: it does not fit package.json: write it again with "npm install" and keep it, or remove it`];
  return follows === "loosely" ? [`${source}: not followed, ${installerError(result, "first") || "npm failed"}`] : [];
}
const FROM_ELSEWHERE = /code EALLOW[A-Z]+|no-git/;

async function runNpm(
  left: Requirements,
  { group, folder, lock, manner }: AttemptPlace,
  { installer, options = [] }: { installer: NodeInstaller; options?: string[] },
): Promise<InstallerResult> {
  const all = requirementsOf(group);
  const isKept = (name: string): boolean => left.has(name) || !all.has(name);
  const followed = manner.follows && lock;
  const manifests = followed ? followed.manifests(isKept) : laidManifests(group, isKept);
  for (const [path, manifest] of Object.entries(manifests)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), JSON.stringify(manifest));
  }
  for (const { below, programs } of group.members)
    for (const program of Object.values(programs)) await layProgram(join(folder, insideOf(group, below), program));
  await rm(join(folder, "package-lock.json"), { force: true });
  if (followed) await writeFile(join(folder, "package-lock.json"), JSON.stringify(followed.lock));
  await mkdir(join(folder, "node_modules"), { recursive: true });
  const how = [
    manner.follows === "exactly" ? "ci" : "install",
    ...OPTIONS,
    ...(manner.peers ? [] : ["--legacy-peer-deps"]),
  ];
  return installer.run([installer.node, installer.npm, ...how, ...options], folder);
}

/** npm links only programs that are there. A name that no file can have is left out. */
async function layProgram(path: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, "", { flag: "ax" });
  } catch {
    // It is there, or another file is in its way.
  }
}

/** npm does not say which of them wants what is not of the registry: each is asked for alone. */
async function wantingElsewhere(left: Requirements, place: AttemptPlace, installer: NodeInstaller) {
  const found: { name: string; why: string }[] = [];
  const manner: Manner = { ...place.manner, follows: undefined };
  for (const [name, spec] of left) {
    const one = new Map([[name, spec]]);
    const alone = await runNpm(one, { ...place, manner }, { installer, options: ["--dry-run"] });
    if (FROM_ELSEWHERE.test(alone.stderr)) found.push({ name, why: "it needs a package that is not of the registry" });
  }
  return found;
}

function impossibleIn(text: string): { name: string; why: string }[] {
  const unknown = [...text.matchAll(/404\s+(?:The requested resource )?'((?:@[^/'@]+\/)?[^'@]+)@[^']*'/g)];
  const unversioned = [...text.matchAll(/No matching version found for ((?:@[^/\s@]+\/)?[^\s@]+)@/g)];
  return [
    ...unknown.map(([, name = ""]) => ({ name, why: "no such package" })),
    ...unversioned.map(([, name = ""]) => ({ name, why: "no such version" })),
  ];
}
