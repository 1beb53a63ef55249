/** Installs Python packages into an environment of the project's own, from built packages only: none of them runs. */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Installer, InstallerResult, InstallerRun } from "../../language.ts";
import { type Attempt, type InstallResult, installAvailable, stoppedBy } from "../../packages/install-available.ts";
import { availableWords, pythonPackagesIn } from "../../packages/installed-packages.ts";
import { installerError } from "../../packages/installer-error.ts";
import { WORK } from "../../packages/installer-run.ts";
import { nameKey, noRequests, type Requirements } from "../../packages/manifests.ts";
import { pipRegistries } from "./pip-registries.ts";
import { lockProblem } from "./python-locks.ts";
import { type PythonWanted, pythonWanted } from "./python-manifests.ts";

export const pythonInstaller: Installer = {
  name: "pip",
  registries: pipRegistries,
  async wanted(projectFolder, { python }, scripts) {
    if (!python) return noRequests;
    const wanted = await pythonWanted(projectFolder);
    const { requirements, refused, pins, locks, own: names } = wanted;
    return {
      requests: [...requirements.values()],
      depends: [python, names, pins, locks],
      refused,
      async install({ folder, downloads, run }) {
        const textOf = (name: string): Promise<string> => readFile(join(scripts, name), "utf8");
        const texts = { runPip: await textOf("run-pip.py"), removePackages: await textOf("remove-packages.py") };
        const installer = { python, run: withSettings(run, downloads), ...texts };
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
    PIP_CONFIG_FILE: "/dev/null",
    PIP_CACHE_DIR: downloads,
    PIP_USER: "0",
  };
  return (argv, cwd) => run(argv, cwd, env);
}

interface PythonInstaller {
  python: string;
  run: InstallerRun;
  /** Texts of programs. */
  runPip: string;
  removePackages: string;
}

interface PythonInstallResult extends InstallResult {
  python?: string;
  /** Where its packages lie. */
  libraries: string[];
}

async function installPython(
  wanted: PythonWanted,
  folder: string,
  installer: PythonInstaller,
): Promise<PythonInstallResult> {
  const { python, run } = installer;
  const venv = join(folder, "venv");
  await mkdir(folder, { recursive: true });
  const made = await run([python, "-I", "-m", "venv", "--without-pip", venv], folder);
  const { requirements } = wanted;
  if (made.exitCode !== 0)
    return {
      ...(await installAvailable(requirements, async () => stoppedBy(made) ?? { brokeOff: installerError(made) })),
      libraries: [],
    };
  const libraries = await librariesOf(venv);
  const place = { folder, ...(await pipFor(venv, installer)), run, pins: pinsOf(wanted), problems: new Set<string>() };
  const outcome = await installAvailable(requirements, (left) => attempt(left, place));
  await removeOwn(wanted.own, libraries, installer);
  const problems = wanted.locks.flatMap((path) => [...place.problems].map((why) => lockProblem(path, why)));
  if (!outcome.spoilt)
    return {
      ...outcome,
      missing: [...outcome.missing, ...problems],
      python: join(venv, "bin/python"),
      libraries,
    };
  await rm(folder, { recursive: true, force: true });
  return { ...outcome, libraries };
}

const librariesOf = async (venv: string): Promise<string[]> =>
  (await readdir(join(venv, "lib"))).map((version) => join(venv, "lib", version, "site-packages"));

interface Place {
  folder: string;
  /** The command that is pip for this environment. */
  pip: string[];
  /** Whether it can say what it would install. */
  canTry: boolean;
  run: InstallerRun;
  pins: string[];
  /** Why the pins could not be followed. */
  problems: Set<string>;
}

/** No Python runs that sees the packages of the environment: they could bring what every Python there begins with. */
const APART = ["-I", "-S", "-B", "-c"];
const WHERE = "import os, pip; print(os.path.dirname(os.path.dirname(pip.__file__)), pip.__version__, sep='\\n')";

async function pipFor(venv: string, { python, run, runPip }: PythonInstaller): Promise<Pick<Place, "pip" | "canTry">> {
  const folder = dirname(venv);
  const { stdout } = await run([python, "-I", "-c", WHERE], folder);
  const [place = "", version = ""] = stdout.trim().split("\n");
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const canTry = major > 22 || (major === 22 && minor >= 2);
  if (place !== "") return { pip: [python, ...APART, runPip, place, venv], canTry };
  const own = join(dirname(folder), WORK, "pip");
  await run([python, "-I", "-m", "venv", own], folder);
  const [library = ""] = await librariesOf(own).catch(() => []);
  return { pip: [python, ...APART, runPip, library, venv], canTry };
}

const pinsOf = ({ pins, own }: PythonWanted): string[] => {
  const names = new Set(own.map(nameKey));
  return pins.filter((pin) => !names.has(nameKey(/^[\w.-]+/.exec(pin)?.[0] ?? "")));
};

/** A package of the index may ask for the very project that is in the tree: the tree's code is the one that counts. */
async function removeOwn(
  names: string[],
  libraries: string[],
  { python, run, removePackages }: PythonInstaller,
): Promise<void> {
  const installed = await pythonPackagesIn(libraries);
  const own = names.map(nameKey).filter((name) => [...installed.keys()].some((one) => nameKey(one) === name));
  for (const library of own.length > 0 ? libraries : [])
    await run([python, ...APART, removePackages, library, ...own], library);
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
    if (!isOffline(locked.stderr)) place.problems.add(installerError(locked));
  }
  const result = await place.run([...place.pip, ...PIP, "--requirement", list], place.folder);
  if (isDone(result)) return { had: true };
  const stopped = stoppedBy(result);
  if (stopped) return stopped;
  const impossible = impossibleIn(result.stderr, wanted);
  if (impossible.some(({ why }) => why.startsWith(NONE))) {
    const answer = await serverError(list, place);
    if (answer) return { brokeOff: `the package index answered with an error (${answer})` };
  }
  if (isOffline(result.stderr)) return { brokeOff: "the package index could not be reached" };
  if (impossible.some(({ name }) => wanted.has(name))) return { impossible };
  return wanted.size > 1 ? oneByOne(wanted, place) : { brokeOff: installerError(result) };
}

/** Only in detail does pip tell a package that there is not from an index that fails. */
async function serverError(list: string, { folder, pip, run }: Place): Promise<string | undefined> {
  const options = PIP.map((option) => (option === "--quiet" ? "-vv" : option));
  const { stdout, stderr } = await run([...pip, ...options, "--requirement", list], folder);
  return /too many (5\d\d) error responses|\b(5\d\d) Server Error\b/
    .exec(`${stdout}\n${stderr}`)
    ?.slice(1)
    .find(Boolean);
}

const isDone = ({ status, exitCode, tooLarge }: InstallerResult): boolean =>
  status === "exited" && exitCode === 0 && !tooLarge;

const isOffline = (text: string): boolean =>
  /NewConnectionError|NameResolutionError|ConnectTimeout|ProxyError|Max retries exceeded|connection broken by/i.test(
    text,
  );

const NONE = "no such package, or none that is built";

/** A package that only others ask for is the fault of the one that was wanted. */
function impossibleIn(text: string, wanted: Requirements): { name: string; why: string }[] {
  const versions = /\(from versions: (.*)\)/.exec(text)?.[1];
  const why = versions === undefined || versions === "none" ? NONE : "no such version";
  return [...text.matchAll(/No matching distribution found for ([A-Za-z0-9][\w.-]*)/g)].map(([, found = ""]) => {
    const name = nameKey(found.replace(/(?<![.-])[.-]+$/, ""));
    const other = STAND_INS.get(name);
    const reason = other === undefined ? why : `it is not built for this computer, use ${other}`;
    const asking = wanted.has(name) ? name : (askingFor(text, wanted) ?? name);
    return asking === name ? { name, why: reason } : { name: asking, why: `${reason}: ${name}, which it needs` };
  });
}

/** pip names the packages that lead to a requirement, the nearest first. */
function askingFor(text: string, wanted: Requirements): string | undefined {
  const chain = /satisfies the requirement .{1,200}? \(from (?!versions)([^()]{1,500})/.exec(text)?.[1] ?? "";
  const names = chain.split("->").map((each) => nameKey(/^[A-Za-z0-9][\w.-]*/.exec(each)?.[0] ?? ""));
  return names.find((name) => wanted.has(name));
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
async function oneByOne(wanted: Requirements, { folder, pip, canTry, run }: Place): Promise<Attempt> {
  const impossible: { name: string; why: string }[] = [];
  const list = join(folder, "one.txt");
  const install = async (lines: string[], ...options: string[]): Promise<InstallerResult> => {
    await writeFile(list, [...lines, ""].join("\n"));
    return run([...pip, ...PIP, ...options, "--requirement", list], folder);
  };
  let kept: string[] = [];
  for (const [name, requirement] of wanted) {
    // Lists that contradict each other: the later one counts.
    const tries = [...new Set([requirement, requirement.split("\n").at(-1) ?? ""])];
    let last: InstallerResult | undefined;
    for (const lines of tries) {
      last = await install([...kept, lines], ...(canTry ? ["--dry-run"] : []));
      const stopped = stoppedBy(last);
      if (stopped) return stopped;
      if (last.exitCode !== 0) continue;
      kept = [...kept, lines];
      break;
    }
    if (last && last.exitCode !== 0) impossible.push({ name, why: installerError(last) });
  }
  if (impossible.length > 0) return { impossible };
  const all = await install(kept);
  return stoppedBy(all) ?? (all.exitCode === 0 ? { had: true } : { brokeOff: installerError(all) });
}
