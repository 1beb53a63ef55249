/** Finds the programs on this computer that checks of generated code run: Node is always there, the rest may be. */
import { spawnSync } from "node:child_process";
import { accessSync, constants, realpathSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";

export interface FoundToolchain {
  node: string;
  python?: string;
  /** npm's own script, run by `node`. */
  npm?: string;
  go?: FoundGo;
  /** Where commands are looked for: the found programs first. */
  path: string;
  /** What must be readable for these programs to work, as far as it is not the system's. */
  readable: string[];
}

export interface FoundGo {
  program: string;
  /** Comes with Go, and on some systems in a package of its own. */
  gofmt?: string;
  /** The folder of its standard library. */
  root: string;
  /** As Go writes it: `go1.26.8`. */
  version: string;
}

export interface Surroundings {
  /** The parent's environment: it finds the programs, and goes no further. */
  env: Record<string, string | undefined>;
  /** The Node that checks run with. */
  node: string;
}

export function findToolchain({ env, node }: Surroundings): FoundToolchain {
  const folders = (env.PATH ?? "").split(delimiter).filter(isAbsolute);
  const executable = realpathSync(node);
  const python = findPython(folders, env);
  const npm = findNpm(folders, executable);
  const go = findGo(folders, env);
  const programs = [executable, ...(python ? [python.executable] : []), ...(go ? [go.found.program] : [])];
  return {
    node: executable,
    ...(python ? { python: python.executable } : {}),
    ...(npm ? { npm: npm.script } : {}),
    ...(go ? { go: go.found } : {}),
    path: [...new Set([...programs.map((path) => dirname(path)), ...folders])].join(delimiter),
    readable: [
      ...new Set([executable, ...(python?.readable ?? []), ...(npm?.readable ?? []), ...(go?.readable ?? [])]),
    ],
  };
}

export function findProgram(name: string, folders: string[]): string | undefined {
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Version managers put scripts in the way: Python itself says where it is. */
const ASK_PYTHON =
  "import sys, json; print(json.dumps([sys.version_info >= (3, 8), sys.executable, sys.prefix, sys.base_prefix]))";
const PROBE_MS = 10_000;

function findPython(
  folders: string[],
  env: Surroundings["env"],
): { executable: string; readable: string[] } | undefined {
  const program = findProgram("python3", folders);
  if (!program) return undefined;
  const probe = spawnSync(program, ["-I", "-c", ASK_PYTHON], { env, encoding: "utf8", timeout: PROBE_MS });
  if (probe.status !== 0) return undefined;
  const [recent, executable, ...prefixes]: [boolean, string, ...string[]] = JSON.parse(probe.stdout);
  // The executable of a virtual environment is a link into the Python that it was made from.
  return recent ? { executable, readable: [...prefixes, dirname(dirname(realpathSync(executable)))] } : undefined;
}

function findNpm(folders: string[], node: string): { script: string; readable: string[] } | undefined {
  const beside = join(dirname(dirname(node)), "lib/node_modules/npm/bin/npm-cli.js");
  const found = [findProgram("npm", folders), beside].flatMap((path) => (path ? resolved(path) : []));
  const script = found.find((path) => path.endsWith("npm-cli.js"));
  return script ? { script, readable: [dirname(dirname(script))] } : undefined;
}

/** It is asked what it is, and neither to fetch another version of itself nor to keep count of being asked. */
function findGo(folders: string[], env: Surroundings["env"]): { found: FoundGo; readable: string[] } | undefined {
  const program = findProgram("go", folders);
  if (!program) return undefined;
  const settings = { ...env, GOTOOLCHAIN: "local", GOENV: "off", XDG_CONFIG_HOME: "/dev/null" };
  const probe = spawnSync(program, ["env", "GOROOT", "GOVERSION"], {
    env: settings,
    encoding: "utf8",
    timeout: PROBE_MS,
  });
  const [root = "", version = ""] = probe.status === 0 ? probe.stdout.trim().split("\n") : [];
  if (!isAbsolute(root) || !/^go\d/.test(version)) return undefined;
  const own = join(root, "bin");
  const gofmt = findProgram("gofmt", [own, ...folders]);
  return {
    found: { program: findProgram("go", [own]) ?? program, ...(gofmt ? { gofmt } : {}), root, version },
    readable: [root, ...resolved(root)],
  };
}

function resolved(path: string): string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}
