/** Installs Python packages into an environment of the project's own, from built packages only: none of them runs. */
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Installer, InstallerResult, InstallerRun } from "../../language.ts";
import { type Attempt, type InstallResult, installAvailable, stoppedBy } from "../../packages/install-available.ts";
import { availableWords, pythonPackagesIn } from "../../packages/installed-packages.ts";
import { installerError } from "../../packages/installer-error.ts";
import { nameKey, noRequests, type Requirements } from "../../packages/manifests.ts";
import { type PythonWanted, pythonWanted } from "./python-manifests.ts";

export const pythonInstaller: Installer = {
  name: "pip",
  async wanted(projectFolder, { python }) {
    if (!python) return noRequests;
    const wanted = await pythonWanted(projectFolder);
    const { requirements, refused, pins, own: names } = wanted;
    return {
      requests: [...requirements.values()],
      depends: [python, names, pins],
      refused,
      async install({ folder, downloads, run }) {
        const installer = { python, run: withSettings(run, downloads) };
        const made = await installPython(wanted, join(folder, "python"), installer);
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
  /** Where its packages lie. */
  libraries: string[];
}

async function installPython(
  wanted: PythonWanted,
  folder: string,
  { python, run }: PythonInstaller,
): Promise<PythonInstallResult> {
  await mkdir(folder, { recursive: true });
  const made = await run([python, "-m", "venv", "--without-pip", "venv"], folder);
  const own = join(folder, "venv/bin/python");
  const { requirements } = wanted;
  if (made.exitCode !== 0)
    return {
      ...(await installAvailable(requirements, async () => stoppedBy(made) ?? { brokeOff: installerError(made) })),
      libraries: [],
    };
  const library = join(folder, "venv/lib");
  const libraries = (await readdir(library)).map((version) => join(library, version, "site-packages"));
  const place = { folder, pip: await pipFor(own, folder, { python, run }), run, pins: pinsOf(wanted) };
  const outcome = await installAvailable(requirements, (left) => attempt(left, place));
  await removeOwn(wanted.own, libraries, place);
  if (!outcome.spoilt) return { ...outcome, python: own, libraries };
  await rm(folder, { recursive: true, force: true });
  return { ...outcome, libraries };
}

interface Place {
  folder: string;
  /** The command that is pip for this environment. */
  pip: string[];
  run: InstallerRun;
  pins: string[];
}

/** pip of the surrounding Python installs into others; older ones have to be in the environment. */
async function pipFor(own: string, folder: string, { python, run }: PythonInstaller): Promise<string[]> {
  const { stdout } = await run([python, "-I", "-c", "import pip; print(pip.__version__)"], folder);
  const [major = 0, minor = 0] = stdout.split(".").map(Number);
  if (stdout === "" || major > 22 || (major === 22 && minor >= 3)) return [python, "-m", "pip", "--python", own];
  await run([own, "-I", "-m", "ensurepip"], folder);
  return [own, "-m", "pip"];
}

const pinsOf = ({ pins, own }: PythonWanted): string[] => {
  const names = new Set(own.map(nameKey));
  return pins.filter((pin) => !names.has(nameKey(/^[\w.-]+/.exec(pin)?.[0] ?? "")));
};

/** A package of the index may ask for the very project that is in the tree: the tree's code is the one that counts. */
async function removeOwn(names: string[], libraries: string[], { folder, pip, run }: Place): Promise<void> {
  const installed = await pythonPackagesIn(libraries);
  const own = names.map(nameKey).filter((name) => [...installed.keys()].some((one) => nameKey(one) === name));
  if (own.length > 0) await run([...pip, "uninstall", "--yes", "--quiet", ...own], folder);
}

const PIP = [
  ...["install", "--only-binary", ":all:", "--no-input", "--disable-pip-version-check", "--no-color"],
  ...["--quiet", "--retries", "1", "--timeout", "15"],
];

/** First with the versions that the project's lock file names: where those cannot be had, by its manifest alone. */
async function attempt(wanted: Requirements, place: Place): Promise<Attempt> {
  const list = join(place.folder, "requirements.txt");
  await writeFile(list, [...wanted.values(), ""].join("\n"));
  if (place.pins.length > 0) {
    const pins = join(place.folder, "constraints.txt");
    await writeFile(pins, [...place.pins, ""].join("\n"));
    const locked = await place.run([...place.pip, ...PIP, "--constraint", pins, "--requirement", list], place.folder);
    if (isDone(locked)) return { had: true };
    const stopped = stoppedBy(locked);
    if (stopped) return stopped;
  }
  const result = await place.run([...place.pip, ...PIP, "--requirement", list], place.folder);
  if (isDone(result)) return { had: true };
  const stopped = stoppedBy(result);
  if (stopped) return stopped;
  const impossible = impossibleIn(result.stderr);
  if (impossible.length > 0 && !isOffline(result.stderr)) return { impossible };
  if (isOffline(result.stderr)) return { brokeOff: "the package index could not be reached" };
  return wanted.size > 1 ? oneByOne(wanted, place) : { brokeOff: installerError(result) };
}

const isDone = ({ status, exitCode, tooLarge }: InstallerResult): boolean =>
  status === "exited" && exitCode === 0 && !tooLarge;

const isOffline = (text: string): boolean =>
  /NewConnectionError|NameResolutionError|ConnectTimeout|ProxyError|Max retries exceeded|connection broken by/i.test(
    text,
  );

function impossibleIn(text: string): { name: string; why: string }[] {
  const versions = /\(from versions: (.*)\)/.exec(text)?.[1];
  const why =
    versions === undefined || versions === "none" ? "no such package, or none that is built" : "no such version";
  return [...text.matchAll(/No matching distribution found for ([A-Za-z0-9][\w.-]*)/g)].map(([, found = ""]) => {
    const name = nameKey(found.replace(/[.-]+$/, ""));
    const other = STAND_INS.get(name);
    return { name, why: other === undefined ? why : `it is not built for this computer, use ${other}` };
  });
}

/** Packages that exist as source alone, and what is installed in their place. */
const STAND_INS = new Map([
  ["psycopg2", "psycopg2-binary or psycopg[binary]"],
  ["mysqlclient", "pymysql"],
  ["mysql-python", "pymysql"],
  ["python-ldap", "ldap3"],
  ["pycrypto", "pycryptodome"],
  ["sklearn", "scikit-learn"],
  ["pil", "pillow"],
  ["uwsgi", "gunicorn"],
  ["pylibmc", "pymemcache"],
  ["pygraphviz", "graphviz"],
]);

/** If pip names no package (usually because packages exclude each other), each is tried with those before it. */
async function oneByOne(wanted: Requirements, { folder, pip, run }: Place): Promise<Attempt> {
  const impossible: { name: string; why: string }[] = [];
  for (const [name, requirement] of wanted) {
    const list = join(folder, "one.txt");
    // Lists that contradict each other: the later one counts.
    const tries = [...new Set([requirement, requirement.split("\n").at(-1) ?? ""])];
    let last: InstallerResult | undefined;
    for (const lines of tries) {
      await writeFile(list, `${lines}\n`);
      last = await run([...pip, ...PIP, "--requirement", list], folder);
      const stopped = stoppedBy(last);
      if (stopped) return stopped;
      if (last.exitCode === 0) break;
    }
    if (last && last.exitCode !== 0) impossible.push({ name, why: installerError(last) });
  }
  return impossible.length > 0 ? { impossible } : { had: true };
}
