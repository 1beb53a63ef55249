/** Fetches a project with its registry's own client and lays its tree into a folder. */
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { plainEnvironment, runPlain } from "./command.ts";
import { folderName, type Project, type SourceKind } from "./project.ts";

export interface FetchParts {
  /** Kept trees, packages and downloads. */
  folder: string;
  python: string;
}

const FETCH_MS = 180_000;

/** The folder with the tree of the project, without anything installed in it. */
export async function fetchProject(project: Project, parts: FetchParts): Promise<string> {
  const tree = join(parts.folder, "trees", `${folderName(project)}-${project.version}`);
  if (existsSync(tree) && !project.files) return tree;
  const scratch = `${tree}.new`;
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true });
  const found = await FETCH[project.from](project, scratch, parts);
  rmSync(tree, { recursive: true, force: true });
  if (found === scratch) renameSync(scratch, tree);
  else {
    cpSync(found, `${scratch}.copy`, { recursive: true, verbatimSymlinks: true });
    renameSync(`${scratch}.copy`, tree);
    await run(`chmod -R u+w '${tree}' '${scratch}'`, scratch);
    rmSync(scratch, { recursive: true, force: true });
  }
  return tree;
}

type Fetch = (project: Project, scratch: string, parts: FetchParts) => Promise<string>;

const FETCH: Record<SourceKind, Fetch> = {
  pypi: async ({ name, version }, scratch, { python }) => {
    await run(`'${python}' -m pip download -q --no-deps --no-binary '${name}' '${name}==${version}'`, scratch);
    await run(
      "for f in *.tar.gz *.zip; do [ -e $f ] || continue; case $f in *.zip) unzip -q $f -d out;; *) mkdir -p out && tar -xf $f -C out;; esac; done",
      scratch,
    );
    return onlyFolder(join(scratch, "out"));
  },
  npm: async ({ name, version }, scratch) => {
    await run(`npm pack --silent --ignore-scripts '${name}@${version}' && tar -xzf *.tgz`, scratch);
    rmSync(join(scratch, readdirSync(scratch).find((each) => each.endsWith(".tgz")) ?? ""));
    return onlyFolder(scratch);
  },
  go: async ({ name, version }, scratch, parts) => {
    writeFileSync(join(scratch, "go.mod"), "module world\n");
    const printed = await run(`go mod download -json '${name}@${version}'`, scratch, goEnvironment(parts.folder));
    const found = /"Dir": "([^"]+)"/.exec(printed)?.[1];
    if (!found) throw new Error(`go named no folder: ${printed.slice(-500)}`);
    return found;
  },
  crates: async ({ name, version }, scratch, parts) => {
    const manifest = `[package]\nname = "world"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n"${name}" = "=${version}"\n`;
    writeFileSync(join(scratch, "Cargo.toml"), manifest);
    mkdirSync(join(scratch, "src"));
    writeFileSync(join(scratch, "src/lib.rs"), "");
    await run("cargo fetch --quiet", scratch, cargoEnvironment(parts.folder));
    const sources = join(parts.folder, "cargo/registry/src");
    const found = readdirSync(sources).map((index) => join(sources, index, `${name}-${version}`));
    return found.find((each) => existsSync(each)) ?? missing(`${name}-${version} below ${sources}`);
  },
  maven: async ({ name, version }, scratch, parts) => {
    const artifact = `-Dartifact='${name}:${version}:zip:source-release' -DoutputDirectory='${scratch}'`;
    await run(`mvn -q -B ${COPY} ${artifact} && unzip -q *.zip -d out`, scratch, mavenEnvironment(parts.folder));
    return onlyFolder(join(scratch, "out"));
  },
  case: async ({ files = {} }, scratch) => {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(scratch, path)), { recursive: true });
      writeFileSync(join(scratch, path), content);
    }
    return scratch;
  },
};

const COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy";

export const mavenEnvironment = (folder: string): Record<string, string> => ({
  MAVEN_OPTS: `-Dmaven.repo.local=${join(folder, "m2")} -XX:TieredStopAtLevel=1`,
});

/** Modules and compiled packages are shared by all projects, as on an author's computer. */
export const goEnvironment = (folder: string): Record<string, string> => ({
  GOMODCACHE: join(folder, "go/mod"),
  GOCACHE: join(folder, "go/build"),
  GOFLAGS: "-mod=mod",
});

export const cargoEnvironment = (folder: string): Record<string, string> => ({
  CARGO_HOME: join(folder, "cargo"),
  RUSTUP_HOME: process.env.RUSTUP_HOME ?? join(homedir(), ".rustup"),
});

async function run(command: string, cwd: string, env: Record<string, string> = {}): Promise<string> {
  const { code, tail } = await runPlain(command, { cwd, env: plainEnvironment(env), timeoutMs: FETCH_MS });
  if (code !== 0)
    throw new Error(
      `${command}: ${code === null ? "no time was left" : `ended with ${code}: ${tail.trim().slice(-500)}`}`,
    );
  return tail;
}

function onlyFolder(folder: string): string {
  const [name = missing(`a folder in ${folder}`)] = readdirSync(folder);
  return join(folder, name);
}

function missing(what: string): never {
  throw new Error(`there is no ${what}`);
}
