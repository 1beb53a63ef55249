/** How a delivered project is started: as its README says, else as its manifest or the names of its files say. Pure. */
import { posix } from "node:path";
import { parse } from "smol-toml";
import * as z from "zod";
import { extensionOf, SOURCE_LANGUAGES } from "../../core/text/source-languages.ts";

export interface DeliveredFiles {
  files: string[];
  /** The text of one of its files, where it has it. */
  read(path: string): string | undefined;
}

export interface Entry {
  /** A program and what it starts, without arguments of its own; programs are called as people call them. */
  argv: string[];
  /** The command as the README shows it, where it shows one. */
  shown?: string[];
  /** The folder that it is started in. */
  below?: string;
  /** What it starts is not in the tree: the project's own build script makes it. */
  build?: true;
  /** Another way to start the same, if the project does not say how. */
  orElse?: string[];
}

/** Those that the README shows, in its order, else the most likely one. */
export function entriesOf(delivered: DeliveredFiles): Entry[] {
  const shown = fromReadme(delivered);
  if (shown.length > 0) return shown;
  const argv = fromPackage(delivered) ?? fromPyproject(delivered);
  if (argv) return [withBuild({ argv }, delivered)];
  const named = fromNames(delivered);
  return named ? [{ argv: named, ...asModule(named) }] : [];
}

/** Some READMEs begin with what prepares for the program. */
const TRIED = 3;
const README = /^readme(?:\.(?:md|markdown|rst|txt))?$/i;
/** Between fences, or set in by four. */
const CODE = /^(?:```|~~~)[^\n]*\n([\s\S]*?)^(?:```|~~~)|^((?:(?: {4}|\t)[^\n]+\n)*(?: {4}|\t)[^\n]+\n?)/gm;
/** What only a shell would understand is left to people, and so is what they are to fill in. */
const SHELL = /[|;&<>`$(){}[\]*?\\"']/;

function fromReadme(delivered: DeliveredFiles): Entry[] {
  const readme = delivered.files.find((path) => README.test(path));
  const text = (readme && delivered.read(readme)) ?? "";
  const found = [...text.matchAll(CODE)].flatMap(([, fenced, setIn]) => inBlock(fenced ?? setIn ?? "", delivered));
  const keyOf = ({ argv, below }: Entry): string => JSON.stringify([argv, below]);
  return found.filter((entry, at) => found.findIndex((one) => keyOf(one) === keyOf(entry)) === at).slice(0, TRIED);
}

function inBlock(block: string, delivered: DeliveredFiles): Entry[] {
  const found: Entry[] = [];
  let below = "";
  for (const command of block.split(/\n|\s&&\s/).map((line) => line.trim().replace(/^[$>%]\s+/, ""))) {
    const words = command.split(/\s+/);
    if (words[0] === "cd") below = entered(below, words[1] ?? "", delivered);
    const here = within(delivered, below);
    const argv = started(words, here);
    const shown = SHELL.test(command) ? {} : { shown: words };
    if (argv) found.push(withBuild({ argv, ...shown, ...(below === "" ? {} : { below }) }, here));
  }
  return found;
}

/** A folder that is not there is the one that all of this was fetched into. */
function entered(below: string, folder: string, { files }: DeliveredFiles): string {
  const path = posix.join(below, folder).replace(/\/$/, "");
  if (path === ".") return "";
  return files.some((file) => file.startsWith(`${path}/`)) ? path : below;
}

const within = ({ files, read }: DeliveredFiles, below: string): DeliveredFiles =>
  below === ""
    ? { files, read }
    : {
        files: files.filter((path) => path.startsWith(`${below}/`)).map((path) => path.slice(below.length + 1)),
        read: (path) => read(`${below}/${path}`),
      };

function started([program = "", first = "", second = ""]: string[], delivered: DeliveredFiles): string[] | undefined {
  const has = (path: string): boolean => delivered.files.includes(path.replace(/^\.\//, ""));
  const command = program === "python3" ? "python" : program;
  if (command === "python" && first === "-m") return isModule(second, delivered) ? ["python", "-m", second] : undefined;
  if (PROGRAMS.some((one) => one.command === command && one.extensions.includes(extensionOf(first))))
    return has(first) || (command === "node" && isBuilt(first, delivered)) ? [command, first] : undefined;
  if (program === "npm" && first === "start") return fromStartScript(delivered);
  if (program === "go" && first === "run") return isGoProgram(delivered) ? ["go", "run", second || "."] : undefined;
  return program.startsWith("./") && has(program) ? [program] : undefined;
}

/** A module of the project's own: `pytest` and `venv` are somebody else's. */
const isModule = (name: string, { files }: DeliveredFiles): boolean => {
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

function packageOf({ read }: DeliveredFiles): z.infer<typeof Package> {
  try {
    return Package.safeParse(JSON.parse(read("package.json") ?? "{}")).data ?? {};
  } catch {
    return {};
  }
}

function fromPackage(delivered: DeliveredFiles): string[] | undefined {
  const { bin } = packageOf(delivered);
  const program = typeof bin === "string" ? bin : Object.values(bin ?? {})[0];
  const path = program?.replace(/^\.\//, "");
  return path !== undefined && (delivered.files.includes(path) || isBuilt(path, delivered))
    ? ["node", path]
    : fromStartScript(delivered);
}

/** A plain `node …` needs no npm. */
function fromStartScript(delivered: DeliveredFiles): string[] | undefined {
  const script = packageOf(delivered).scripts?.start;
  if (!script) return undefined;
  const [program, path = ""] = script.split(/\s+/);
  const plain = path.replace(/^\.\//, "");
  return program === "node" &&
    !SHELL.test(script) &&
    (delivered.files.includes(plain) || (/\.[cm]?js$/.test(plain) && isBuilt(plain, delivered)))
    ? ["node", path]
    : ["npm", "start"];
}

/** In a folder of which nothing is delivered. */
const isBuilt = (path: string, delivered: DeliveredFiles): boolean => {
  const folder = posix.normalize(path).split("/")[0] ?? "";
  const isBelow = path.includes("/") && folder !== ".." && folder !== "";
  return isBelow && !hasBelow(folder, delivered) && packageOf(delivered).scripts?.build !== undefined;
};

const hasBelow = (folder: string, { files }: DeliveredFiles): boolean =>
  files.some((path) => path.startsWith(`${folder}/`));

/** The build script runs where what is to be started is not there yet. */
function withBuild(entry: Entry, delivered: DeliveredFiles): Entry {
  const { scripts } = packageOf(delivered);
  const [program, path = ""] = entry.argv;
  if (!scripts?.build || (program !== "node" && program !== "npm")) return entry;
  const named = program === "npm" ? (scripts.start ?? "").split(/\s+/) : [path];
  const isThere = named.some((word) => delivered.files.includes(word.replace(/^\.\//, "")));
  return isThere ? entry : { ...entry, build: true };
}

const Pyproject = z.object({ project: z.object({ scripts: z.record(z.string(), z.string()) }) });

function fromPyproject({ read }: DeliveredFiles): string[] | undefined {
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

const PROGRAMS = SOURCE_LANGUAGES.flatMap(({ program }) => program ?? []);
/** Endings of files that may be programs by their names alone, each with what starts it. */
const STARTED = PROGRAMS.filter(({ isNamedByReadme }) => !isNamedByReadme).flatMap(({ command, extensions }) =>
  extensions.map((ending) => [ending, command] as const),
);
const NAMES = ["main", "cli", "app", "run", "server", "index"];

function fromNames(delivered: DeliveredFiles): string[] | undefined {
  const inPages = loadedByPages(delivered);
  const files = delivered.files.filter((path) => !inPages.has(path));
  if (files.includes("__main__.py")) return ["python", "."];
  const inPackage = files.map((path) => /^(?:src\/)?(\w+)\/__main__\.py$/.exec(path)?.[1]).find((name) => name);
  if (inPackage) return ["python", "-m", inPackage];
  for (const folder of ["", "src/", "bin/"])
    for (const name of NAMES) {
      const found = STARTED.find(([ending]) => files.includes(`${folder}${name}.${ending}`));
      if (found) return [found[1], `${folder}${name}.${found[0]}`];
    }
  return isGoProgram(delivered) ? ["go", "run", "."] : undefined;
}

/** A script of a page is no program. */
function loadedByPages({ files, read }: DeliveredFiles): Set<string> {
  const pages = files.filter((path) => /\.html?$/i.test(path));
  const loaded = pages.flatMap((page) =>
    [...(read(page) ?? "").matchAll(/<script\b[^>]*?\ssrc\s*=\s*["']?([^"'\s>?#]+)/gi)].map(([, source = ""]) =>
      source.startsWith("/") ? source.slice(1) : posix.join(posix.dirname(page), source),
    ),
  );
  return new Set(loaded);
}

/** A program that imports its own folder by name is started from beside it. */
function asModule([program, path = ""]: string[]): Pick<Entry, "orElse"> {
  const isNested = program === "python" && /^\w+(?:\/\w+)+\.py$/.test(path);
  return isNested ? { orElse: ["python", "-m", path.slice(0, -3).replaceAll("/", ".")] } : {};
}

const isGoProgram = ({ files, read }: DeliveredFiles): boolean =>
  files.some((path) => /^[^/]+\.go$/.test(path) && /^package main\b/m.test(read(path) ?? ""));
