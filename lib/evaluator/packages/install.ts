/** Installs what a generated project declares into an environment of its own, kept by the hash of what was asked. */

import { createHash } from "node:crypto";
import { mkdir, readdir, rm, utimes } from "node:fs/promises";
import { basename, join } from "node:path";
import { pluralize } from "../../core/text/format.ts";
import type { ProjectEnvironment, Toolchain } from "../language.ts";
import { removeTree } from "../process/remove-tree.ts";
import { type FolderSize, folderSize } from "../tree.ts";
import type { Seal } from "../workspace.ts";
import { createStore, type Store } from "./environment-store.ts";
import { installNode, nodeWanted } from "./install-node.ts";
import { installPython } from "./install-python.ts";
import { availableWords, nodePackagesIn, pythonPackagesIn } from "./installed-packages.ts";
import { createInstallerRun, type InstallerRun, type InstallerSettings, WORK } from "./installer-run.ts";
import type { WantedPackages } from "./manifests.ts";
import { pythonWanted } from "./python-manifests.ts";

export interface InstallParts {
  /** The folder of all environments, and of what the installers have fetched. */
  folder: string;
  toolchain: Toolchain;
  /** The installers' sandbox: they see their own folder and the network, and nothing else of this computer. */
  seal: Seal;
  /** Read when something is installed. */
  settings: () => Promise<InstallerSettings>;
  /** Whether generated code that may run unsealed can change what is installed. */
  isOpen: boolean;
  claim: (name: string) => void;
  largest?: FolderSize;
  now: () => number;
  newId: () => string;
  announce: (text: string) => void;
}

export type Install = (
  projectFolder: string,
  limits: { timeoutMs: number; signal?: AbortSignal },
) => Promise<ProjectEnvironment>;

/** Of one environment at most. */
const LARGEST: FolderSize = { bytes: 3 * 1024 ** 3, files: 200_000 };
/** After a failure for lack of network or time, the next attempt waits so long. */
const RETRY_MS = 10 * 60_000;

export function createInstall(parts: InstallParts): Install {
  const { now, announce, toolchain } = parts;
  const store = createStore(parts);
  const unsettled = new Map<string, { environment: ProjectEnvironment; until: number }>();
  return async (projectFolder, limits) => {
    const python = toolchain.python ? await pythonWanted(projectFolder) : NOTHING;
    const node = toolchain.npm ? await nodeWanted(projectFolder) : NOTHING;
    const refused = [...python.refused, ...node.refused];
    const wanted = python.requirements.size + node.requirements.size;
    const settings = wanted > 0 ? await parts.settings() : { env: {}, readable: [] };
    const withRefused = (environment: ProjectEnvironment): ProjectEnvironment => ({
      ...environment,
      missing: [...refused, ...environment.missing],
    });
    if (wanted === 0) return withRefused({ readable: [], missing: [] });
    const key = keyOf(toolchain, [python, node]);
    const kept = await store.find(key);
    if (kept) return withRefused(kept);
    const recent = unsettled.get(key);
    if (recent && recent.until > now()) {
      for (const path of recent.environment.readable) parts.claim(basename(path));
      return withRefused(recent.environment);
    }

    announce(`installing ${pluralize(wanted, "package")} that the project declares`);
    const installation = { key, python, node, settings, store, ends: now() + limits.timeoutMs, signal: limits.signal };
    const { environment, settled } = await make(parts, installation);
    if (!settled) unsettled.set(key, { environment, until: now() + RETRY_MS });
    for (const missing of environment.missing) announce(`not installed: ${missing}`);
    return withRefused(environment);
  };
}

const NOTHING: WantedPackages = { requirements: new Map(), refused: [] };

interface Installation {
  key: string;
  python: WantedPackages;
  node: WantedPackages;
  settings: InstallerSettings;
  store: Store;
  ends: number;
  signal: AbortSignal | undefined;
}

type InstallationResult = { environment: ProjectEnvironment; settled: boolean };

async function make(parts: InstallParts, installation: Installation): Promise<InstallationResult> {
  const folder = await installation.store.begin(installation.key);
  try {
    const { environment, settled } = await fill(folder, installation, {
      ...parts,
      run: await runIn(folder, parts, installation),
    });
    await removeTree(join(folder, WORK));
    if ((await readdir(folder)).length === 0) return { environment: { ...environment, readable: [] }, settled };
    const { bytes } = await folderSize(folder);
    if (settled) await installation.store.keep(installation.key, { folder, environment, bytes });
    return { environment, settled };
  } catch (problem) {
    await rm(folder, { recursive: true, force: true });
    throw problem;
  }
}

async function runIn(
  folder: string,
  parts: InstallParts,
  { settings, ends, signal }: Installation,
): Promise<InstallerRun> {
  const caches = { pip: join(parts.folder, "pip-cache"), npm: join(parts.folder, "npm-cache") };
  const at = parts.now() / 1000;
  for (const own of [caches.pip, caches.npm, join(folder, WORK)]) {
    await mkdir(own, { recursive: true });
    await utimes(own, at, at); // The time of the last use, by which cleaners go.
  }
  return createInstallerRun({
    folder,
    caches,
    settings,
    seal: parts.seal,
    path: parts.toolchain.path,
    largest: parts.largest ?? LARGEST,
    leftMs: () => ends - parts.now(),
    ...(signal ? { signal } : {}),
  });
}

/** Installers run no code of the packages. */
async function fill(
  folder: string,
  { python, node }: Installation,
  { toolchain, run }: Pick<InstallParts, "toolchain"> & { run: InstallerRun },
): Promise<InstallationResult> {
  const environment: ProjectEnvironment = { readable: [folder], missing: [] };
  const installed: Parameters<typeof availableWords>[0] = [];
  let settled = true;
  if (toolchain.python && python.requirements.size > 0) {
    const made = await installPython(python.requirements, join(folder, "python"), { python: toolchain.python, run });
    if (made.python) environment.python = made.python;
    installed.push(await pythonPackagesIn(made.libraries));
    environment.missing.push(...made.missing);
    settled &&= made.settled;
  }
  if (toolchain.npm && node.requirements.size > 0) {
    const made = await installNode(node.requirements, join(folder, "node"), { ...toolchain, npm: toolchain.npm, run });
    if (made.nodeModules) environment.nodeModules = made.nodeModules;
    if (made.nodeModules) installed.push(await nodePackagesIn(made.nodeModules));
    environment.missing.push(...made.missing);
    settled &&= made.settled;
  }
  const request = [...python.requirements.keys(), ...node.requirements.keys()];
  return { environment: { ...environment, available: availableWords(installed, request) }, settled };
}

/** Another Python or Node may need other builds. */
function keyOf({ python, node }: Toolchain, wanted: WantedPackages[]): string {
  const request = wanted.map(({ requirements }) => [...requirements].sort());
  return createHash("sha256")
    .update(JSON.stringify([python, node, request]))
    .digest("hex")
    .slice(0, 32);
}
