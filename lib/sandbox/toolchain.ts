/** Finds the programs on this computer that checks of generated code run: Node is always there, the rest may be. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join } from "node:path";
import type { Language, Probe, Tools } from "../evaluator/language.ts";
import { LANGUAGES } from "../evaluator/languages.ts";
import { findProgram, partsOf, resolved } from "../evaluator/process/find-program.ts";

export { findProgram };

export interface FoundToolchain {
  node: string;
  python?: string;
  /** npm's own script, run by `node`. */
  npm?: string;
  tools: Tools;
  /** Programs that no probe found, each with what stays undone. */
  lacking: Record<string, string>;
  /** Where commands are looked for: the found programs first. */
  path: string;
  /** What must be readable for these programs to work, as far as it is not the system's. */
  readable: string[];
}

export interface Surroundings {
  /** The parent's environment: it finds the programs, and goes no further. */
  env: Record<string, string | undefined>;
  /** The Node that checks run with. */
  node: string;
  languages?: Pick<Language, "probes">[];
}

export function findToolchain({ env, node, languages = LANGUAGES }: Surroundings): FoundToolchain {
  const folders = (env.PATH ?? "").split(delimiter).filter(isAbsolute);
  const executable = realpathSync(node);
  const python = findPython(folders, env);
  const npm = findNpm(folders, executable);
  const tools: Tools = Object.fromEntries(
    probesOf(languages).flatMap(([name, probe]) => {
      const tool = probe.find({ env, folders });
      return tool ? [[name, tool] as const] : [];
    }),
  );
  const found = Object.values(tools).flatMap((tool) => tool ?? []);
  const own = found.filter(({ readable }) => readable.length > 0).map(({ program }) => program);
  const programs = [executable, ...(python ? [python.executable] : []), ...own];
  return {
    node: executable,
    ...(python ? { python: python.executable } : {}),
    ...(npm ? { npm: npm.script } : {}),
    tools,
    lacking: Object.fromEntries(
      probesOf(languages).flatMap(([name, { without }]) => (tools[name] ? [] : [[name, without] as const])),
    ),
    path: [...new Set([...programs.map((path) => dirname(path)), ...folders])].join(delimiter),
    readable: [
      ...new Set([
        executable,
        ...(python?.readable ?? []),
        ...(npm?.readable ?? []),
        ...found.flatMap(({ readable }) => readable),
      ]),
    ],
  };
}

const probesOf = (languages: Pick<Language, "probes">[]): [string, Probe][] =>
  languages.flatMap(({ probes }) => Object.entries(probes ?? {}));

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
  const all = [...new Set([...prefixes, dirname(dirname(realpathSync(executable)))])];
  return recent ? { executable, readable: all.flatMap(pythonParts) } : undefined;
}

/** A virtual environment may have been made in a project's own folder, beside its `lib`. */
function pythonParts(prefix: string): string[] {
  const parts = partsOf(prefix);
  const lib = join(prefix, "lib");
  if (!existsSync(join(prefix, "pyvenv.cfg")) || !existsSync(lib)) return parts;
  const libraries = readdirSync(lib).filter((name) => /^(?:python|pypy)[\d.]+$/.test(name));
  const others = parts.filter((path) => !/^(?:lib(?:64|exec)?|s(?:bin|sl))$/.test(basename(path)));
  return [...others, ...libraries.map((name) => join(lib, name))];
}

function findNpm(folders: string[], node: string): { script: string; readable: string[] } | undefined {
  const beside = join(dirname(dirname(node)), "lib/node_modules/npm/bin/npm-cli.js");
  const found = [findProgram("npm", folders), beside].flatMap((path) => (path ? resolved(path) : []));
  const script = found.find((path) => path.endsWith("npm-cli.js"));
  return script ? { script, readable: [dirname(dirname(script))] } : undefined;
}
