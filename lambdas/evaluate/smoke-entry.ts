/** How a delivered project is started: as its README says, else as its manifest or the names of its files say. Pure. */
import { parse } from "smol-toml";
import * as z from "zod";

export interface Delivered {
  files: string[];
  /** The text of one of its files, where it has it. */
  read(path: string): string | undefined;
}

export interface Entry {
  /** A program and what it starts, without arguments of its own; programs are called as people call them. */
  argv: string[];
  /** The command as the README shows it, where it shows one. */
  shown?: string[];
}

export function entryOf(delivered: Delivered): Entry | undefined {
  const told = fromReadme(delivered);
  if (told) return told;
  const argv = fromPackage(delivered) ?? fromPyproject(delivered) ?? fromNames(delivered);
  return argv && { argv };
}

const README = /^readme(?:\.(?:md|markdown|rst|txt))?$/i;
/** Between fences, or set in by four. */
const CODE = /^(?:```|~~~)[^\n]*\n([\s\S]*?)^(?:```|~~~)|^((?: {4}|\t)[^\n]+)/gm;
/** What only a shell would understand is left to people, and so is what they are to fill in. */
const SHELL = /[|;&<>`$(){}[\]*?\\"']/;

function fromReadme(delivered: Delivered): Entry | undefined {
  const readme = delivered.files.find((path) => README.test(path));
  const text = (readme && delivered.read(readme)) ?? "";
  const lines = [...text.matchAll(CODE)].flatMap(([, fenced, setIn]) => (fenced ?? setIn ?? "").split("\n"));
  for (const line of lines) {
    const command = line.trim().replace(/^[$>%]\s+/, "");
    const words = command.split(/\s+/);
    const argv = started(words, delivered);
    if (argv) return { argv, ...(SHELL.test(command) ? {} : { shown: words }) };
  }
  return undefined;
}

function started([program = "", first = "", second = ""]: string[], delivered: Delivered): string[] | undefined {
  const has = (path: string): boolean => delivered.files.includes(path.replace(/^\.\//, ""));
  if (/^python3?$/.test(program)) {
    if (first === "-m") return isModule(second, delivered) ? ["python", "-m", second] : undefined;
    return first.endsWith(".py") && has(first) ? ["python", first] : undefined;
  }
  if (program === "node") return /\.[cm]?[jt]s$/.test(first) && has(first) ? ["node", first] : undefined;
  if (program === "npm" && first === "start") return fromStartScript(delivered);
  if (program === "go" && first === "run") return isGoProgram(delivered) ? ["go", "run", second || "."] : undefined;
  return program.startsWith("./") && has(program) ? [program] : undefined;
}

/** A module of the project's own: `pytest` and `venv` are somebody else's. */
const isModule = (name: string, { files }: Delivered): boolean => {
  const path = name.replaceAll(".", "/");
  return [`${path}.py`, `${path}/__main__.py`].some((each) => files.includes(each) || files.includes(`src/${each}`));
};

const Package = z.object({
  bin: z
    .union([z.string(), z.record(z.string(), z.string())])
    .optional()
    .catch(undefined),
  scripts: z.record(z.string(), z.string()).optional().catch(undefined),
});

function packageOf({ read }: Delivered): z.infer<typeof Package> {
  try {
    return Package.safeParse(JSON.parse(read("package.json") ?? "{}")).data ?? {};
  } catch {
    return {};
  }
}

function fromPackage(delivered: Delivered): string[] | undefined {
  const { bin } = packageOf(delivered);
  const program = typeof bin === "string" ? bin : Object.values(bin ?? {})[0];
  const path = program?.replace(/^\.\//, "");
  return path !== undefined && delivered.files.includes(path) ? ["node", path] : fromStartScript(delivered);
}

/** A plain `node …` needs no npm. */
function fromStartScript(delivered: Delivered): string[] | undefined {
  const script = packageOf(delivered).scripts?.start;
  if (!script) return undefined;
  const [program, path = ""] = script.split(/\s+/);
  return program === "node" && !SHELL.test(script) && delivered.files.includes(path.replace(/^\.\//, ""))
    ? ["node", path]
    : ["npm", "start"];
}

const Pyproject = z.object({ project: z.object({ scripts: z.record(z.string(), z.string()) }) });

function fromPyproject({ read }: Delivered): string[] | undefined {
  const scripts = scriptsIn(read("pyproject.toml") ?? "");
  const target = /^([\w.]+):([\w.]+)$/.exec(scripts[0] ?? "");
  if (!target) return undefined;
  const [, module = "", callable = ""] = target;
  const [name = ""] = callable.split(".");
  return ["python", "-c", `import sys; from ${module} import ${name}; sys.exit(${callable}())`];
}

function scriptsIn(text: string): string[] {
  try {
    return Object.values(Pyproject.safeParse(parse(text)).data?.project.scripts ?? {});
  } catch {
    return [];
  }
}

const NAMES = ["main", "cli", "app", "run", "server", "index"];

function fromNames(delivered: Delivered): string[] | undefined {
  const { files } = delivered;
  if (files.includes("__main__.py")) return ["python", "."];
  const inPackage = files.map((path) => /^(?:src\/)?(\w+)\/__main__\.py$/.exec(path)?.[1]).find((name) => name);
  if (inPackage) return ["python", "-m", inPackage];
  for (const folder of ["", "src/", "bin/"])
    for (const name of NAMES) {
      if (files.includes(`${folder}${name}.py`)) return ["python", `${folder}${name}.py`];
      const script = ["js", "mjs", "cjs", "ts"].map((ending) => `${folder}${name}.${ending}`);
      const found = script.find((path) => files.includes(path));
      if (found) return ["node", found];
    }
  return isGoProgram(delivered) ? ["go", "run", "."] : undefined;
}

const isGoProgram = ({ files, read }: Delivered): boolean =>
  files.some((path) => /^[^/]+\.go$/.test(path) && /^package main\b/m.test(read(path) ?? ""));
