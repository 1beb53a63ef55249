/** Installs Python packages into an environment of the project's own, from built packages only: none of them runs. */
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  nameKey,
  pythonRequirements,
  type Requirements,
  readOwnFile,
  requirementLines,
  type Wanted,
} from "./manifests.ts";
import { type Attempt, type Obtained, obtain } from "./obtain.ts";
import type { CommandResult } from "./run-command.ts";

/** Runs a command of the installer's: unsealed from the network, blind to the project. */
export type InstallerRun = (argv: string[], cwd: string, stdin?: string) => Promise<CommandResult>;

export interface PythonInstaller {
  python: string;
  scripts: string;
  run: InstallerRun;
}

/** The files in which people list what tests need are read too. */
const LISTS = ["requirements.txt", "requirements-dev.txt", "requirements-test.txt", "dev-requirements.txt"];

export async function pythonWanted(folder: string, installer: PythonInstaller): Promise<Wanted> {
  const wanted: Wanted = { requirements: new Map(), refused: [] };
  const take = (more: Wanted): void => {
    for (const [name, requirement] of more.requirements) wanted.requirements.set(name, requirement);
    wanted.refused.push(...more.refused);
  };
  const project = await readOwnFile(folder, "pyproject.toml");
  if (project) take(pythonRequirements(await projectLines(project, folder, installer), "pyproject.toml"));
  for (const name of LISTS) {
    const text = await readOwnFile(folder, name);
    if (text) take(pythonRequirements(requirementLines(text), name));
  }
  return wanted;
}

/** Python reads its own format. */
async function projectLines(
  text: string,
  folder: string,
  { python, scripts, run }: PythonInstaller,
): Promise<string[]> {
  const result = await run([python, "-I", "-B", join(scripts, "python-project.py")], folder, text);
  try {
    const lines: unknown = JSON.parse(result.stdout);
    return Array.isArray(lines) ? lines.filter((line) => typeof line === "string") : [];
  } catch {
    return [];
  }
}

export async function installPython(
  wanted: Requirements,
  folder: string,
  installer: PythonInstaller,
): Promise<Obtained & { python: string }> {
  const { python, run } = installer;
  await mkdir(folder, { recursive: true });
  const made = await run([python, "-m", "venv", "--system-site-packages", "--without-pip", "venv"], folder);
  const own = join(folder, "venv/bin/python");
  if (made.exitCode !== 0) {
    const outcome = await obtain(wanted, async () => ({ brokeOff: lastLine(made) }));
    return { ...outcome, settled: true, python };
  }
  await shareSurroundings(folder, installer);
  return { ...(await obtain(wanted, (left) => attempt(left, folder, { ...installer, python: own }))), python: own };
}

/** Where Python itself lives in a virtual environment, that one's packages (pytest, pip) are the ones to share. */
async function shareSurroundings(folder: string, { python, run }: PythonInstaller): Promise<void> {
  const told = await run([python, "-I", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], folder);
  const library = join(folder, "venv/lib");
  for (const version of await readdir(library))
    await writeFile(join(library, version, "site-packages/surroundings.pth"), told.stdout);
}

const PIP = [
  ...["-m", "pip", "install", "--only-binary", ":all:", "--no-input", "--disable-pip-version-check", "--no-color"],
  ...["--quiet", "--retries", "1", "--timeout", "15", "--requirement"],
];

async function attempt(wanted: Requirements, folder: string, { python, run }: PythonInstaller): Promise<Attempt> {
  const list = join(folder, "requirements.txt");
  await writeFile(list, [...wanted.values(), ""].join("\n"));
  const result = await run([python, ...PIP, list], folder);
  if (result.status === "exited" && result.exitCode === 0) return { had: true };
  if (result.status === "timed_out") return { brokeOff: "there was no time to install it" };
  const impossible = impossibleIn(result.stderr);
  if (impossible.length > 0 && !isOffline(result.stderr)) return { impossible };
  if (isOffline(result.stderr)) return { brokeOff: "the package index could not be reached" };
  return wanted.size > 1 ? oneByOne(wanted, folder, { python, run }) : { brokeOff: lastLine(result) };
}

const isOffline = (text: string): boolean =>
  /NewConnectionError|NameResolutionError|ConnectTimeout|ProxyError|Max retries exceeded|connection broken by/i.test(
    text,
  );

function impossibleIn(text: string): { name: string; why: string }[] {
  const versions = /\(from versions: (.*)\)/.exec(text)?.[1];
  const why = versions === undefined || versions === "none" ? "no such package" : "no such version";
  return [...text.matchAll(/No matching distribution found for ([A-Za-z0-9][\w.-]*)/g)].map(([, name = ""]) => ({
    name: nameKey(name.replace(/[.-]+$/, "")),
    why,
  }));
}

/** Where pip names nobody (packages that exclude each other, mostly), each is tried beside those before it. */
async function oneByOne(
  wanted: Requirements,
  folder: string,
  { python, run }: Pick<PythonInstaller, "python" | "run">,
): Promise<Attempt> {
  const impossible: { name: string; why: string }[] = [];
  for (const [name, requirement] of wanted) {
    const list = join(folder, "one.txt");
    await writeFile(list, `${requirement}\n`);
    const result = await run([python, ...PIP, list], folder);
    if (result.status === "timed_out") return { brokeOff: "there was no time to install it" };
    if (result.exitCode !== 0) impossible.push({ name, why: lastLine(result) });
  }
  return impossible.length > 0 ? { impossible } : { had: true };
}

const lastLine = ({ stderr, stdout }: CommandResult): string =>
  (stderr.trim() || stdout.trim()).split("\n").at(-1)?.slice(0, 300) ?? "";
