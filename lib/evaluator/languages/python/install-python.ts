/** Installs Python packages into an environment of the project's own, from built packages only: none of them runs. */
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Installer, InstallerRun } from "../../language.ts";
import { type Attempt, type InstallResult, installAvailable, stoppedBy } from "../../packages/install-available.ts";
import { availableWords, pythonPackagesIn } from "../../packages/installed-packages.ts";
import { installerError } from "../../packages/installer-error.ts";
import { nameKey, noRequests, type Requirements } from "../../packages/manifests.ts";
import { pythonWanted } from "./python-manifests.ts";

export const pythonInstaller: Installer = {
  name: "pip",
  async wanted(projectFolder, { python }) {
    if (!python) return noRequests;
    const { requirements, refused } = await pythonWanted(projectFolder);
    return {
      requests: [...requirements.values()],
      depends: python,
      refused,
      async install({ folder, downloads, run }) {
        const installer = { python, run: withSettings(run, downloads) };
        const made = await installPython(requirements, join(folder, "python"), installer);
        const { python: own, libraries, ...result } = made;
        const available = availableWords([await pythonPackagesIn(libraries)], [...requirements.keys()]);
        return { ...result, available, ...(own ? { python: own, path: [dirname(own)] } : {}) };
      },
    };
  },
};

/** Whatever is set up elsewhere was read beforehand: files could say where to write, and what to run. */
function withSettings(run: InstallerRun, downloads: string): InstallerRun {
  const env = {
    ...{ PIP_CONFIG_FILE: "/dev/null", PIP_CACHE_DIR: downloads, PIP_USER: "0" },
    ...{ PYTHONNOUSERSITE: "1", PYTHONDONTWRITEBYTECODE: "1" },
  };
  return (argv, cwd) => run(argv, cwd, env);
}

interface PythonInstaller {
  python: string;
  run: InstallerRun;
}

interface PythonInstallResult extends InstallResult {
  python?: string;
  /** Where its packages lie: those of its own, and those of the surrounding one. */
  libraries: string[];
}

async function installPython(
  wanted: Requirements,
  folder: string,
  installer: PythonInstaller,
): Promise<PythonInstallResult> {
  const { python, run } = installer;
  await mkdir(folder, { recursive: true });
  const made = await run([python, "-m", "venv", "--system-site-packages", "--without-pip", "venv"], folder);
  const own = join(folder, "venv/bin/python");
  if (made.exitCode !== 0)
    return {
      ...(await installAvailable(wanted, async () => stoppedBy(made) ?? { brokeOff: installerError(made) })),
      libraries: [],
    };
  const libraries = await shareSurroundings(folder, installer);
  const outcome = await installAvailable(wanted, (left) => attempt(left, folder, { ...installer, python: own }));
  if (!outcome.spoilt) return { ...outcome, python: own, libraries };
  await rm(folder, { recursive: true, force: true });
  return { ...outcome, libraries };
}

/** Where Python itself lives in a virtual environment, that one's packages (pytest, pip) are the ones to share. */
async function shareSurroundings(folder: string, { python, run }: PythonInstaller): Promise<string[]> {
  const printed = await run([python, "-I", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], folder);
  const library = join(folder, "venv/lib");
  const own = (await readdir(library)).map((version) => join(library, version, "site-packages"));
  for (const packages of own) await writeFile(join(packages, "surroundings.pth"), printed.stdout);
  return [...own, printed.stdout.trim()];
}

const PIP = [
  ...["-m", "pip", "install", "--only-binary", ":all:", "--no-input", "--disable-pip-version-check", "--no-color"],
  ...["--quiet", "--retries", "1", "--timeout", "15", "--requirement"],
];

async function attempt(wanted: Requirements, folder: string, { python, run }: PythonInstaller): Promise<Attempt> {
  const list = join(folder, "requirements.txt");
  await writeFile(list, [...wanted.values(), ""].join("\n"));
  const result = await run([python, ...PIP, list], folder);
  if (result.status === "exited" && result.exitCode === 0 && !result.tooLarge) return { had: true };
  const stopped = stoppedBy(result);
  if (stopped) return stopped;
  const impossible = impossibleIn(result.stderr);
  if (impossible.length > 0 && !isOffline(result.stderr)) return { impossible };
  if (isOffline(result.stderr)) return { brokeOff: "the package index could not be reached" };
  return wanted.size > 1 ? oneByOne(wanted, folder, { python, run }) : { brokeOff: installerError(result) };
}

const isOffline = (text: string): boolean =>
  /NewConnectionError|NameResolutionError|ConnectTimeout|ProxyError|Max retries exceeded|connection broken by/i.test(
    text,
  );

function impossibleIn(text: string): { name: string; why: string }[] {
  const versions = /\(from versions: (.*)\)/.exec(text)?.[1];
  const why =
    versions === undefined || versions === "none" ? "no such package, or none that is built" : "no such version";
  return [...text.matchAll(/No matching distribution found for ([A-Za-z0-9][\w.-]*)/g)].map(([, name = ""]) => ({
    name: nameKey(name.replace(/[.-]+$/, "")),
    why,
  }));
}

/** If pip names no package (usually because packages exclude each other), each is tried with those before it. */
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
    const stopped = stoppedBy(result);
    if (stopped) return stopped;
    if (result.exitCode !== 0) impossible.push({ name, why: installerError(result) });
  }
  return impossible.length > 0 ? { impossible } : { had: true };
}
