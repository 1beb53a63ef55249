/** Installs npm packages into a folder of their own; none of their scripts runs. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { InstallerRun } from "./install-python.ts";
import { nodeRequirements, type Requirements, readOwnFile, type Wanted } from "./manifests.ts";
import { type Attempt, type Obtained, obtain } from "./obtain.ts";

export interface NodeInstaller {
  node: string;
  npm: string;
  /** Where npm keeps what it has fetched. */
  cache: string;
  run: InstallerRun;
}

export async function nodeWanted(folder: string): Promise<Wanted> {
  const manifest = await readOwnFile(folder, "package.json");
  return manifest ? nodeRequirements(manifest) : { requirements: new Map(), refused: [] };
}

export async function installNode(
  wanted: Requirements,
  folder: string,
  installer: NodeInstaller,
): Promise<Obtained & { nodeModules: string }> {
  await mkdir(join(folder, "node_modules"), { recursive: true });
  const outcome = await obtain(wanted, (left) => attempt(left, folder, installer));
  return { ...outcome, nodeModules: join(folder, "node_modules") };
}

const OPTIONS = [
  ...["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--no-update-notifier"],
  ...["--fetch-timeout=20000", "--fetch-retry-mintimeout=500", "--fetch-retry-maxtimeout=2000"],
  ...["--loglevel=error", "--legacy-peer-deps", "--fetch-retries=1"],
];

async function attempt(wanted: Requirements, folder: string, installer: NodeInstaller): Promise<Attempt> {
  const { node, npm, cache, run } = installer;
  const manifest = { name: "environment", version: "0.0.0", private: true, dependencies: Object.fromEntries(wanted) };
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
  const result = await run([node, npm, ...OPTIONS, `--cache=${cache}`], folder);
  if (result.status === "exited" && result.exitCode === 0) return { had: true };
  if (result.status === "timed_out") return { brokeOff: "there was no time to install it" };
  const impossible = impossibleIn(result.stderr);
  if (impossible.length > 0) return { impossible };
  const offline = /code (?:ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|ECONNRESET|ERR_SOCKET_TIMEOUT)/;
  if (offline.test(result.stderr)) return { brokeOff: "the package registry could not be reached" };
  return { brokeOff: result.stderr.trim().split("\n")[0]?.slice(0, 300) ?? "npm failed" };
}

function impossibleIn(text: string): { name: string; why: string }[] {
  const unknown = [...text.matchAll(/404\s+(?:The requested resource )?'((?:@[^/'@]+\/)?[^'@]+)@[^']*'/g)];
  const unversioned = [...text.matchAll(/No matching version found for ((?:@[^/\s@]+\/)?[^\s@]+)@/g)];
  return [
    ...unknown.map(([, name = ""]) => ({ name, why: "no such package" })),
    ...unversioned.map(([, name = ""]) => ({ name, why: "no such version" })),
  ];
}
