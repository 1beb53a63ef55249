/** Installs what a project declares: one environment for each language, kept by the hash of what was requested. */

import { createHash } from "node:crypto";
import { chmod, mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { pluralize } from "../../core/text/format.ts";
import {
  type Installer,
  type InstallPlace,
  type Language,
  noEnvironment,
  type PackageRequest,
  type ProjectEnvironment,
  type Toolchain,
} from "../language.ts";
import { LANGUAGES } from "../languages.ts";
import { removeTree } from "../process/remove-tree.ts";
import { type FolderSize, folderSize } from "../tree.ts";
import type { Seal } from "../workspace.ts";
import { createStore, type Store } from "./environment-store.ts";
import { createInstallerRun, type InstallerSettings, WORK } from "./installer-run.ts";
import type { InstallerRegistries, Registry } from "./registries/registry.ts";
import { openRegistryProxy, type RegistryProxy } from "./registries/registry-proxy.ts";

export interface InstallParts {
  /** The folder of all environments, and of what the installers have fetched. */
  folder: string;
  toolchain: Toolchain;
  /** The folder of scripts that run inside other languages; the evaluator's own. */
  scripts?: string;
  languages?: Pick<Language, "installer">[];
  /** The installers' sandbox: they see their own folder and the network, and nothing else of this computer. */
  seal: Seal;
  /** Read when a project wants packages. */
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

const SCRIPTS = fileURLToPath(new URL("../scripts", import.meta.url));

export function createInstall(parts: InstallParts): Install {
  const { toolchain, scripts = SCRIPTS, languages = LANGUAGES } = parts;
  const store = createStore(parts);
  const unsettled: Unsettled = new Map();
  return async (projectFolder, { timeoutMs, signal }) => {
    const ends = parts.now() + timeoutMs;
    let all = noEnvironment;
    for (const { installer } of languages) {
      if (!installer) continue;
      const wanted = await installer.wanted(projectFolder, toolchain, scripts);
      const request = { installer, wanted, store, unsettled, ends, signal };
      const own = wanted.requests.length > 0 ? await environmentOf(request, parts) : noEnvironment;
      all = joined(all, { ...own, missing: [...wanted.refused, ...own.missing] });
    }
    return all;
  };
}

const joined = (one: ProjectEnvironment, other: ProjectEnvironment): ProjectEnvironment => ({
  ...one,
  ...other,
  path: [...one.path, ...other.path],
  env: { ...one.env, ...other.env },
  nodeModules: [...one.nodeModules, ...other.nodeModules],
  readable: [...one.readable, ...other.readable],
  missing: [...one.missing, ...other.missing],
  ...((one.available ?? other.available) ? { available: [...(one.available ?? []), ...(other.available ?? [])] } : {}),
});

/** What failed for lack of network or time, until when. */
type Unsettled = Map<string, { environment: ProjectEnvironment; until: number }>;

interface InstallRequest {
  installer: Installer;
  wanted: PackageRequest;
  store: Store;
  unsettled: Unsettled;
  ends: number;
  signal: AbortSignal | undefined;
}

async function environmentOf(request: InstallRequest, parts: InstallParts): Promise<ProjectEnvironment> {
  const { installer, wanted, store, unsettled } = request;
  const { now, announce } = parts;
  const settings = await parts.settings();
  const registries = installer.registries?.(settings.env);
  const key = keyOf(installer, wanted, registries);
  const kept = await store.find(key);
  if (kept) return kept;
  const recent = unsettled.get(key);
  if (recent && recent.until > now()) {
    for (const path of recent.environment.readable) parts.claim(basename(path));
    return recent.environment;
  }
  announce(`installing ${pluralize(wanted.requests.length, "package")} that the project declares (${installer.name})`);
  const { environment, settled } = await make({ key, settings, registries }, request, parts);
  if (!settled) unsettled.set(key, { environment, until: now() + RETRY_MS });
  for (const missing of environment.missing) announce(`not installed: ${missing}`);
  return environment;
}

interface Source {
  key: string;
  settings: InstallerSettings;
  registries: InstallerRegistries | undefined;
}

async function make(
  { key, settings, registries }: Source,
  request: InstallRequest,
  parts: InstallParts,
): Promise<{ environment: ProjectEnvironment; settled: boolean }> {
  const { store, wanted } = request;
  const folder = await store.begin(key);
  const proxy = registries && (await openRegistryProxy(proxyParts(registries.registries, parts)));
  try {
    const own = registries && proxy ? settingsOf(registries.env(proxy.addressOf), settings) : withoutOthers(settings);
    const { settled, ...made } = await wanted.install(await placeIn({ folder, settings: own, proxy }, request, parts));
    const environment = { ...noEnvironment, ...made, readable: [folder, ...(made.readable ?? [])] };
    await removeTree(join(folder, WORK));
    await letAllRead(folder);
    if ((await readdir(folder)).length === 0) return { environment: { ...environment, readable: [] }, settled };
    const { bytes } = await folderSize(folder);
    if (settled) await store.keep(key, { folder, environment, bytes });
    return { environment, settled };
  } catch (problem) {
    await rm(folder, { recursive: true, force: true });
    throw problem;
  } finally {
    await proxy?.close();
  }
}

const proxyParts = (registries: Registry[], { folder, seal }: InstallParts) => ({
  registries,
  store: join(folder, "registry-cache"),
  bySocket: seal.isOffline === true,
});

/** Those of installers that reach registries by way of us have credentials. */
const withoutOthers = ({ env, readable }: InstallerSettings): InstallerSettings => {
  const own = Object.entries(env).filter(([name]) => !/^(?:PIP_|npm_config_|MAVEN_|GO)/.test(name));
  return settingsOf(Object.fromEntries(own), { env, readable });
};

/** Of the files that settings name, only those that are still named. */
const settingsOf = (env: Record<string, string>, { readable }: InstallerSettings): InstallerSettings => ({
  env,
  readable: readable.filter((path) => Object.values(env).some((value) => value.includes(path))),
});

/** Archives carry modes of their own, and tests may run as another user than the installer. */
async function letAllRead(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory() && !entry.isFile()) continue;
    const { mode } = await stat(path);
    const wanted = mode | 0o444 | (entry.isDirectory() || mode & 0o100 ? 0o111 : 0);
    if (wanted !== mode) await chmod(path, wanted & 0o777);
    if (entry.isDirectory()) await letAllRead(path);
  }
}

interface Installation {
  folder: string;
  settings: InstallerSettings;
  proxy: RegistryProxy | undefined;
}

async function placeIn(
  { folder, settings, proxy }: Installation,
  { ends, signal }: InstallRequest,
  { toolchain, scripts = SCRIPTS, ...parts }: InstallParts,
): Promise<InstallPlace> {
  // Nothing that an installer or a package writes is there for another installation.
  const downloads = join(folder, WORK, "downloads");
  await mkdir(downloads, { recursive: true });
  const reach = proxy?.socket ? await readFile(join(scripts, "reach-registries.cjs"), "utf8") : "";
  const run = createInstallerRun({
    folder,
    downloads,
    settings,
    ...(proxy?.socket ? { way: { ...proxy, socket: proxy.socket, node: toolchain.node, reach } } : {}),
    seal: parts.seal,
    path: toolchain.path,
    largest: parts.largest ?? LARGEST,
    leftMs: () => ends - parts.now(),
    ...(signal ? { signal } : {}),
  });
  return { folder, downloads, run };
}

/** The same names are other packages in other registries. */
function keyOf(
  { name }: Installer,
  { requests, depends }: PackageRequest,
  registries: InstallerRegistries | undefined,
): string {
  const from = Object.entries(registries?.env((address) => address) ?? {}).toSorted();
  return createHash("sha256")
    .update(JSON.stringify([name, depends, requests.toSorted(), from]))
    .digest("hex")
    .slice(0, 32);
}
