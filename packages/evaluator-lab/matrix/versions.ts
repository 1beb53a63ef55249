/** The versions of the matrix, and what makes each ready: its plain runner, and the programs that the evaluator finds. */
import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { plainEnvironment, runPlain } from "../world/command.ts";
import type { Runner } from "./trees.ts";

export interface Version {
  runner: Runner;
  /** Of the package that the tree pins, or of the toolchain. */
  version: string;
  /** The oldest Python that may run it, where that of this computer is too new. */
  python?: string;
  /** Whether very many cases are tried with it. */
  many?: true;
}

const all = (runner: Runner, versions: string[]): Version[] => versions.map((version) => ({ runner, version }));

/** The latest of each major version; of Node 22 the first that runs this program; of Go, a library to compile each, some. */
export const VERSIONS: Version[] = [
  ...all("go test", ["1.21.13", "1.23.12", "1.25.11"]),
  ...all("vitest", ["1.6.1", "2.1.9", "3.2.7", "4.1.12", "5.1.1"]),
  ...all("jest", ["26.6.3", "27.5.1", "28.1.3", "29.7.0", "30.5.2"]),
  ...all("mocha", ["8.4.0", "9.2.2", "10.8.2", "11.8.0"]),
  ...all("node --test", ["20.20.2", "22.16.0"]),
  { runner: "node --test", version: process.versions.node, many: true },
  ...all("node --test", ["26.10.0"]),
  ...["4.6.11", "5.4.3", "6.2.5"].map((version): Version => ({ runner: "pytest", version, python: "3.8" })),
  ...all("pytest", ["7.4.4", "8.4.2"]),
  { runner: "pytest", version: "9.2.0", many: true },
];

/** The oldest and the newest of each runner, and those with very many cases: between them a runner changes step by step. */
export const ENDS: Version[] = VERSIONS.filter((each) => {
  const alike = VERSIONS.filter(({ runner }) => runner === each.runner);
  return each.many || each === alike[0] || each === alike.at(-1);
});

/** Where trees lie that the plain runner is to run, and with what. */
export interface Ready {
  folder: string;
  command: string;
  env: Record<string, string>;
  /** Of the evaluator: the Node that checks run with, and folders of programs that come first. */
  node?: string;
  path?: string;
}

const INSTALL_MS = 300_000;

async function install(command: string, cwd: string, env: Record<string, string> = {}): Promise<void> {
  const { code, tail } = await runPlain(command, { cwd, env: plainEnvironment(env), timeoutMs: INSTALL_MS });
  if (code !== 0) throw new Error(`${command}: ${code === null ? "no time was left" : tail.slice(-500)}`);
}

const NPM = "npm install --no-audit --no-fund --loglevel=error --no-save";

export async function makeReady({ runner, version, python }: Version, home: string): Promise<Ready> {
  const folder = join(home, `${runner}-${version}`.replaceAll(" ", ""));
  mkdirSync(join(folder, "tmp"), { recursive: true });
  if (runner === "pytest") return readyPytest(folder, version, python);
  if (runner === "go test") return readyGo(folder, version, home);
  if (runner === "node --test") return readyNode(folder, version);
  await install(`${NPM} ${runner}@${version}`, folder);
  return { folder, command: "npm test", env: {} };
}

async function readyPytest(folder: string, version: string, oldest = ""): Promise<Ready> {
  const python = oldest === "" ? "python3" : olderPython(oldest);
  await install(`${python} -m venv venv && venv/bin/pip install -q pytest==${version}`, folder);
  const path = join(folder, "venv/bin");
  return { folder, command: "python -m pytest", env: { PATH: path }, path };
}

/** Versions older than Python 3.10 do not run on it at all. */
function olderPython(oldest: string): string {
  const minors = [8, 9].filter((minor) => minor >= Number(oldest.split(".")[1]));
  const kept = join(process.env.PYENV_ROOT ?? join(process.env.HOME ?? "/", ".pyenv"), "versions");
  const found = minors.flatMap((minor) => [`python3.${minor}`, ...globSync(`${kept}/3.${minor}.*/bin/python3`)]);
  return found.find((program) => spawnSync(program, ["--version"]).status === 0) ?? "python3";
}

async function readyNode(folder: string, version: string): Promise<Ready> {
  const platform = `${process.platform}-${process.arch}`;
  const isOwn = version === process.versions.node;
  if (!isOwn) await install(`${NPM} node-${platform}@${version}`, folder);
  const node = isOwn ? process.execPath : join(folder, `node_modules/node-${platform}/bin/node`);
  const path = join(folder, "bin");
  mkdirSync(path, { recursive: true });
  if (!existsSync(join(path, "node"))) symlinkSync(node, join(path, "node"));
  return { folder, command: `'${node}' --test`, env: {}, node };
}

/** From the module proxy, as Go itself does it where a go.mod asks for another version. */
async function readyGo(folder: string, version: string, home: string): Promise<Ready> {
  const env = { GOPATH: join(home, "go"), GOFLAGS: "-modcacherw", GOTOOLCHAIN: `go${version}` };
  await install("go version", folder, env);
  const [program = ""] = globSync(`${env.GOPATH}/pkg/mod/golang.org/toolchain@*go${version}.*/bin/go`);
  const plain = {
    GOTOOLCHAIN: "local",
    CGO_ENABLED: "0",
    GOCACHE: join(folder, "cache"),
    GOPATH: join(folder, "path"),
  };
  return { folder, command: `'${program}' test -v ./...`, env: plain, path: dirname(program) };
}
