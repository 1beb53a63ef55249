/** Installs npm packages into a folder of their own; none of their scripts runs. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Installer, InstallerResult, InstallerRun } from "../../language.ts";
import { type Attempt, type InstallResult, installAvailable, stoppedBy } from "../../packages/install-available.ts";
import { availableWords, nodePackagesIn } from "../../packages/installed-packages.ts";
import { installerError } from "../../packages/installer-error.ts";
import { readManifestText } from "../../packages/manifest-text.ts";
import { noRequests, type Requirements, type WantedPackages } from "../../packages/manifests.ts";
import { nodeRequirements } from "./node-requirements.ts";

export const nodeInstaller: Installer = {
  name: "npm",
  async wanted(projectFolder, { node, npm }) {
    if (!npm) return noRequests;
    const { requirements, refused } = await nodeWanted(projectFolder);
    return {
      requests: [...requirements].map(([name, version]) => `${name}@${version}`),
      depends: node,
      refused,
      async install({ folder, downloads, run }) {
        const installer = { node, npm, run: withSettings(run, downloads, folder) };
        const { nodeModules, ...made } = await installNode(requirements, join(folder, "node"), installer);
        if (!nodeModules) return made;
        const available = availableWords([await nodePackagesIn(nodeModules)], [...requirements.keys()]);
        return {
          ...made,
          available,
          path: [join(nodeModules, ".bin")],
          nodeModules: [{ below: "", folder: nodeModules }],
        };
      },
    };
  },
};

const ELSEWHERE = ["git", "remote", "file", "directory"];

/** Whatever is set up elsewhere was read beforehand: files could say where to write, and what to run. */
function withSettings(run: InstallerRun, downloads: string, folder: string): InstallerRun {
  const env = {
    npm_config_userconfig: join(folder, "no-npmrc"),
    npm_config_globalconfig: join(folder, "no-global-npmrc"),
    npm_config_cache: downloads,
    // Packages of the registry may ask for others from elsewhere. Older versions of npm do not know of this.
    ...Object.fromEntries(ELSEWHERE.map((kind) => [`npm_config_allow_${kind}`, "none"])),
  };
  return (argv, cwd) => run(argv, cwd, env);
}

interface NodeInstaller {
  node: string;
  npm: string;
  run: InstallerRun;
}

export async function nodeWanted(folder: string): Promise<WantedPackages> {
  const { text, refused } = await readManifestText(folder, "package.json");
  if (text === undefined) return { requirements: new Map(), refused };
  const wanted = nodeRequirements(text);
  return { ...wanted, refused: [...refused, ...wanted.refused] };
}

async function installNode(
  wanted: Requirements,
  folder: string,
  installer: NodeInstaller,
): Promise<InstallResult & { nodeModules?: string }> {
  await mkdir(join(folder, "node_modules"), { recursive: true });
  const outcome = await installAvailable(wanted, (left) => attempt(left, folder, installer));
  if (!outcome.spoilt) return { ...outcome, nodeModules: join(folder, "node_modules") };
  await rm(folder, { recursive: true, force: true });
  return outcome;
}

const OPTIONS = [
  ...["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--no-update-notifier"],
  ...["--fetch-timeout=20000", "--fetch-retry-mintimeout=500", "--fetch-retry-maxtimeout=2000"],
  ...["--loglevel=error", "--legacy-peer-deps", "--fetch-retries=1"],
];

async function attempt(wanted: Requirements, folder: string, installer: NodeInstaller): Promise<Attempt> {
  const result = await runNpm(wanted, folder, installer);
  if (result.status === "exited" && result.exitCode === 0 && !result.tooLarge) return { had: true };
  const stopped = stoppedBy(result);
  if (stopped) return stopped;
  if (FROM_ELSEWHERE.test(result.stderr)) return { impossible: await wantingElsewhere(wanted, folder, installer) };
  const impossible = impossibleIn(result.stderr);
  if (impossible.length > 0) return { impossible };
  const offline = /code (?:ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|ECONNRESET|ERR_SOCKET_TIMEOUT)/;
  if (offline.test(result.stderr)) return { brokeOff: "the package registry could not be reached" };
  return { brokeOff: installerError(result, "first") || "npm failed" };
}

async function runNpm(
  wanted: Requirements,
  folder: string,
  { node, npm, run, options = [] }: NodeInstaller & { options?: string[] },
): Promise<InstallerResult> {
  const manifest = { name: "environment", version: "0.0.0", private: true, dependencies: Object.fromEntries(wanted) };
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
  return run([node, npm, ...OPTIONS, ...options], folder);
}

const FROM_ELSEWHERE = /code EALLOW[A-Z]+/;

/** npm does not say which of them wants what is not of the registry: each is asked for alone. */
async function wantingElsewhere(wanted: Requirements, folder: string, installer: NodeInstaller) {
  const found: { name: string; why: string }[] = [];
  for (const [name, version] of wanted) {
    const alone = await runNpm(new Map([[name, version]]), folder, { ...installer, options: ["--dry-run"] });
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
