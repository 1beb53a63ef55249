/** Installs what a generated project declares into an environment of its own, kept by the hash of what was asked. */
import { createHash } from "node:crypto";
import { access, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { installNode, type NodeInstaller, nodeWanted } from "./install-node.ts";
import { installPython, type PythonInstaller, pythonWanted } from "./install-python.ts";
import type { ProjectEnvironment, Toolchain } from "./kind.ts";
import type { Wanted } from "./manifests.ts";
import { runCommand } from "./run-command.ts";
import { folderBytes } from "./tree.ts";

export interface InstallParts {
  /** The folder of all environments. */
  folder: string;
  toolchain: Toolchain;
  /** Settings that installers need: proxies, indexes, certificates. Nothing else of the parent's environment. */
  env: Record<string, string>;
  scripts?: string;
  now: () => number;
  newId: () => string;
  announce: (text: string) => void;
}

export type Install = (
  projectFolder: string,
  limits: { timeoutMs: number; signal?: AbortSignal },
) => Promise<ProjectEnvironment>;

/** Beyond this a project asks for more than a check is worth. */
const ENVIRONMENT_BYTES = 3 * 1024 ** 3;
/** Without network, or without time, the next try waits so long. */
const RETRY_MS = 10 * 60_000;
const SCRIPTS = fileURLToPath(new URL("scripts", import.meta.url));

export function createInstall(parts: InstallParts): Install {
  const { now, announce } = parts;
  const unsettled = new Map<string, { environment: ProjectEnvironment; until: number }>();
  return async (projectFolder, limits) => {
    const installers = installersOf(parts, now() + limits.timeoutMs, limits.signal);
    const python = installers.python ? await pythonWanted(projectFolder, installers.python) : NOTHING;
    const node = installers.node ? await nodeWanted(projectFolder) : NOTHING;
    const refused = [...python.refused, ...node.refused];
    const wanted = python.requirements.size + node.requirements.size;
    if (wanted === 0) return { readable: [], missing: refused };

    const key = keyOf(parts.toolchain, [python, node]);
    const kept = await recordOf(parts.folder, key);
    if (kept) return { ...kept, missing: [...refused, ...kept.missing] };
    const recent = unsettled.get(key);
    if (recent && recent.until > now()) return recent.environment;

    announce(`installing ${wanted} packages that the project declares`);
    const made = await make(parts, { key, python, node, installers });
    const environment = { ...made.environment, missing: [...refused, ...made.environment.missing] };
    if (made.settled) await keep(parts, key, made.environment);
    else unsettled.set(key, { environment, until: now() + RETRY_MS });
    for (const missing of made.environment.missing) announce(`not installed: ${missing}`);
    return environment;
  };
}

const NOTHING: Wanted = { requirements: new Map(), refused: [] };

interface Installers {
  python?: PythonInstaller;
  node?: NodeInstaller;
}

/** Installers run no code of the packages; what they start sees a private folder and the network. */
function installersOf(parts: InstallParts, ends: number, signal?: AbortSignal): Installers {
  const { toolchain, scripts = SCRIPTS, env, now } = parts;
  const run: PythonInstaller["run"] = (argv, cwd, stdin) =>
    runCommand({
      argv,
      cwd,
      env: { ...env, PATH: toolchain.path, LANG: "C.UTF-8", CI: "1", NO_COLOR: "1", ...placesOf(parts.folder) },
      timeoutMs: Math.max(0, ends - now()),
      ...(stdin === undefined ? {} : { stdin }),
      ...(signal ? { signal } : {}),
    });
  const cache = join(parts.folder, "npm-cache");
  return {
    ...(toolchain.python ? { python: { python: toolchain.python, scripts, run } } : {}),
    ...(toolchain.npm ? { node: { node: toolchain.node, npm: toolchain.npm, cache, run } } : {}),
  };
}

/** Nothing of an install lands outside its own folder, whatever pip is set to elsewhere. */
const placesOf = (folder: string): Record<string, string> => ({
  PIP_CACHE_DIR: join(folder, "pip-cache"),
  PIP_USER: "0",
});

interface Making {
  key: string;
  python: Wanted;
  node: Wanted;
  installers: Installers;
}

/** Each in a folder that nobody else writes to: two processes may install the same at once. */
async function make(
  parts: InstallParts,
  { key, python, node, installers }: Making,
): Promise<{ environment: ProjectEnvironment; settled: boolean }> {
  const folder = join(parts.folder, `${key}-${parts.newId()}`);
  await mkdir(folder, { recursive: true });
  const environment: ProjectEnvironment = { readable: [folder], missing: [] };
  let settled = true;
  if (installers.python && python.requirements.size > 0) {
    const made = await installPython(python.requirements, join(folder, "python"), installers.python);
    environment.python = made.python;
    environment.missing.push(...made.missing);
    settled &&= made.settled;
  }
  if (installers.node && node.requirements.size > 0) {
    const made = await installNode(node.requirements, join(folder, "node"), installers.node);
    environment.nodeModules = made.nodeModules;
    environment.missing.push(...made.missing);
    settled &&= made.settled;
  }
  if ((await folderBytes(folder)) <= ENVIRONMENT_BYTES) return { environment, settled };
  await rm(folder, { recursive: true, force: true });
  const names = [...python.requirements.keys(), ...node.requirements.keys()];
  return { environment: { readable: [], missing: names.map((name) => `${name}: too large`) }, settled: true };
}

/** Another Python or Node may need other builds. */
function keyOf({ python, node }: Toolchain, wanted: Wanted[]): string {
  const asked = wanted.map(({ requirements }) => [...requirements].sort());
  return createHash("sha256")
    .update(JSON.stringify([python, node, asked]))
    .digest("hex")
    .slice(0, 32);
}

const Kept = z.object({
  python: z.string().optional(),
  nodeModules: z.string().optional(),
  readable: z.array(z.string()),
  missing: z.array(z.string()),
});

/** Somebody may have tidied up: a record without its folders is none. */
async function recordOf(folder: string, key: string): Promise<ProjectEnvironment | undefined> {
  try {
    const { python, nodeModules, ...rest } = Kept.parse(
      JSON.parse(await readFile(join(folder, `${key}.json`), "utf8")),
    );
    for (const path of [python, nodeModules, ...rest.readable]) if (path) await access(path);
    return { ...rest, ...(python ? { python } : {}), ...(nodeModules ? { nodeModules } : {}) };
  } catch {
    return undefined;
  }
}

async function keep({ folder, newId }: InstallParts, key: string, environment: ProjectEnvironment): Promise<void> {
  const draft = join(folder, `${key}-${newId()}.draft`);
  await writeFile(draft, JSON.stringify(environment));
  await rename(draft, join(folder, `${key}.json`));
}
