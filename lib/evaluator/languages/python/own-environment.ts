/**
 * The environment in which a project's own code runs: the project as if it were installed editable, then what was
 * installed for it, then pytest of this computer where the project asks for none. Nothing else of this computer.
 */
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import * as z from "zod";
import { noEnvironment, type Toolchain, type Workspace, type WorkspaceCopy } from "../../language.ts";
import type { Tree } from "../../tree.ts";
import { manifestFolders } from "./python-manifests.ts";
import { metadataOf, type PythonManifests, type PythonMetadata, readPythonManifests } from "./python-metadata.ts";
import { rootsOf } from "./python-roots.ts";
import { textAt } from "./toml-values.ts";

export interface OwnPython {
  program: string;
  env: Record<string, string>;
  /** Folders of the project's packages, in the copy. */
  roots: string[];
  hasPytest: boolean;
  /** Whether that is this computer's own. */
  lendsPytest: boolean;
  /** Whether the project is itself a plugin of pytest. */
  isPlugin: boolean;
}

const Surroundings = z.object({
  program: z.string(),
  version: z.string(),
  shared: z.record(z.string(), z.array(z.string())),
});
type Surroundings = z.infer<typeof Surroundings>;

const made = new WeakMap<WorkspaceCopy, Promise<OwnPython | undefined>>();

/** One for each copy. Undefined: nothing is to be installed for this project, or nothing is known of this Python. */
export function ownPythonOf(tree: Tree, workspace: Workspace, copy: WorkspaceCopy): Promise<OwnPython | undefined> {
  const found = made.get(copy) ?? makeOwnPython(tree, workspace, copy);
  made.set(copy, found);
  return found;
}

/** The workspace as the project's commands see it, and what they get on top. */
export async function withOwnPython(
  tree: Tree,
  workspace: Workspace,
): Promise<{ workspace: Workspace; env: Record<string, string> }> {
  const own = await ownPythonOf(tree, workspace, await workspace.copy());
  if (!own) return { workspace, env: {} };
  const environment = { ...(workspace.environment ?? noEnvironment), python: own.program };
  return { workspace: { ...workspace, environment, path: own.env.PATH ?? workspace.path }, env: own.env };
}

async function makeOwnPython(tree: Tree, workspace: Workspace, copy: WorkspaceCopy): Promise<OwnPython | undefined> {
  const { toolchain, environment } = workspace;
  if (!environment || !toolchain.python) return undefined;
  const projects = await projectsOf(tree);
  if (projects.length === 0) return undefined;
  const around = await surroundingsOf(toolchain, workspace);
  if (!around) return undefined;
  const folder = await workspace.newFolder();
  const place: Place = { folder, library: `lib/python${around.version}/site-packages`, copy: copy.folder };
  await layVenv(place, around);
  const installed = environment.python ? join(dirname(dirname(environment.python)), place.library) : undefined;
  const names = installed ? await readdir(installed).catch(() => []) : [];
  await layPath(place, projects, installed);
  for (const project of projects) await layProject(place, project);
  if (environment.python) await layScripts(place, environment.python);
  const has = names.includes("pytest") || names.includes("pytest.py");
  if (!has) await sharePytest(place, around, names);
  const path = [join(folder, "bin"), workspace.path].join(delimiter);
  return {
    program: join(folder, "bin/python"),
    env: { PATH: path, VIRTUAL_ENV: folder },
    roots: projects.flatMap((project) => project.roots.map((root) => join(copy.folder, root))),
    hasPytest: has || "pytest" in around.shared,
    lendsPytest: !has,
    isPlugin: projects.some(({ metadata }) => Object.hasOwn(metadata.entryPoints, "pytest11")),
  };
}

interface Project {
  below: string;
  manifests: PythonManifests;
  metadata: PythonMetadata;
  /** Folders of its packages, from the top of the tree. */
  roots: string[];
}

async function projectsOf({ folder, files }: Tree): Promise<Project[]> {
  const found: Project[] = [];
  for (const below of await manifestFolders(folder)) {
    const manifests = await readPythonManifests(join(folder, below));
    const metadata = await metadataOf(manifests);
    const own =
      below === ""
        ? files
        : files.flatMap((path) => (path.startsWith(`${below}/`) ? [path.slice(below.length + 1)] : []));
    const roots = rootsOf(manifests, metadata.name, own).map((root) => join(below, root));
    found.push({ below, manifests, metadata, roots });
  }
  return found;
}

const known = new WeakMap<Toolchain, Promise<Surroundings | undefined>>();

function surroundingsOf(toolchain: Toolchain, workspace: Workspace): Promise<Surroundings | undefined> {
  const found = known.get(toolchain) ?? askSurroundings(toolchain, workspace);
  known.set(toolchain, found);
  return found;
}

async function askSurroundings({ python = "" }: Toolchain, workspace: Workspace): Promise<Surroundings | undefined> {
  const { stdout } = await workspace.run({
    argv: [python, "-I", "-B", join(workspace.scripts, "python_surroundings.py")],
  });
  try {
    return Surroundings.parse(JSON.parse(stdout));
  } catch {
    known.delete(workspace.toolchain);
    return undefined;
  }
}

export const LATER = "EDITABLE_LATER";

interface Place {
  folder: string;
  /** Where packages lie, from that folder. */
  library: string;
  /** The folder of the copied tree. */
  copy: string;
}

async function layVenv({ folder, library }: Place, { program, version }: Surroundings): Promise<void> {
  await mkdir(join(folder, "bin"));
  await mkdir(join(folder, library), { recursive: true });
  for (const name of ["python", "python3", `python${version}`]) await symlink(program, join(folder, "bin", name));
  const settings = [`home = ${dirname(program)}`, "include-system-site-packages = false", `version = ${version}`];
  await writeFile(join(folder, "pyvenv.cfg"), `${settings.join("\n")}\n`);
}

/** The tree's code comes before what is installed: a released package of the same name is never what is tested. */
async function layPath(
  { folder, library, copy }: Place,
  projects: Project[],
  installed: string | undefined,
): Promise<void> {
  const roots = projects.flatMap((project) => project.roots.map((root) => join(copy, root)));
  // Our runner of tests starts without the project, and takes it in when everything of its own is loaded.
  const own = `import os, sys; sys.path.extend([] if "${LATER}" in os.environ else ${JSON.stringify(roots)})`;
  const further = installed === undefined ? [] : [`import site; site.addsitedir(${JSON.stringify(installed)})`];
  await writeFile(join(folder, library, "__editable__.pth"), [own, ...further, ""].join("\n"));
}

const NAME = /^[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?$/;
const VERSION = /^[\w.!+-]+$/;

async function layProject(place: Place, { below, manifests, metadata }: Project): Promise<void> {
  const { name, entryPoints } = metadata;
  if (name === undefined || !NAME.test(name)) return;
  const version = metadata.version && VERSION.test(metadata.version) ? metadata.version : "0.0.0";
  const folder = join(place.folder, place.library, `${name.replaceAll(/[-.]+/g, "_")}-${version}.dist-info`);
  await mkdir(folder, { recursive: true });
  const groups = Object.entries(entryPoints).map(([group, pairs]) => [
    `[${group}]`,
    ...Object.entries(pairs).map(([key, value]) => `${key} = ${value}`),
    "",
  ]);
  const files = {
    METADATA: metadataText({ ...metadata, name, version }, manifests.pkgInfo),
    "entry_points.txt": groups.flat().join("\n"),
    INSTALLER: "pip\n",
    RECORD: "",
  };
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
  const scripts = { ...entryPoints.console_scripts, ...entryPoints.gui_scripts };
  for (const [script, target] of Object.entries(scripts)) await layScript(place, script, target);
  await layVersionModule(join(place.copy, below), manifests, version);
}

function metadataText(
  { name = "", version = "", dependencies, extras }: PythonMetadata,
  info: string | undefined,
): string {
  if (info !== undefined) return `${info.trimEnd()}\n`;
  const lines = Object.entries(extras).flatMap(([extra, all]) => [
    `Provides-Extra: ${extra}`,
    ...all.map(
      (line) =>
        `Requires-Dist: ${line.includes(";") ? `${line.replace(";", "; (")}) and` : `${line} ;`} extra == "${extra}"`,
    ),
  ]);
  const required = dependencies.map((line) => `Requires-Dist: ${line}`);
  return ["Metadata-Version: 2.1", `Name: ${name}`, `Version: ${version}`, ...required, ...lines]
    .map((line) => line.replaceAll("\n", " "))
    .concat("")
    .join("\n");
}

async function layScript({ folder }: Pick<Place, "folder">, name: string, target: string): Promise<void> {
  const [, module = "", object = ""] = /^([\w.]+)\s*:\s*([\w.]+)/.exec(target) ?? [];
  if (object === "" || !NAME.test(name)) return;
  const first = object.split(".")[0];
  const lines = [`#!${folder}/bin/python`, "import sys", `from ${module} import ${first}`, `sys.exit(${object}())`, ""];
  await layProgram(join(folder, "bin", name), lines.join("\n"));
}

async function layProgram(path: string, text: string): Promise<void> {
  await writeFile(path, text, { flag: "wx" }).catch(() => {});
  await chmod(path, 0o755).catch(() => {});
}

/** Programs of installed packages, run by this Python, so that they see the project too. */
async function layScripts({ folder }: Place, python: string): Promise<void> {
  for (const name of await readdir(dirname(python))) {
    if (/^(?:python|activate|Activate|pip)/.test(name)) continue;
    const text = await readFile(join(dirname(python), name), "utf8").catch(() => "");
    if (text.startsWith(`#!${python}`))
      await layProgram(join(folder, "bin", name), text.replace(/^.*/, `#!${folder}/bin/python`));
  }
}

/** A module that a build makes from the version, and that no repository holds. */
async function layVersionModule(folder: string, { pyproject }: PythonManifests, version: string): Promise<void> {
  const scm = ["version_file", "write_to"].map((key) => textAt(pyproject, "tool", "setuptools_scm", key));
  const hatch = textAt(pyproject, "tool", "hatch", "build", "hooks", "vcs", "version-file");
  const path = [...scm, hatch].find((one) => one !== undefined);
  if (path === undefined || !/^[\w/-]+\.py$/.test(path) || path.startsWith("/")) return;
  const numbers = version.split(".").map((part) => (/^\d+$/.test(part) ? part : JSON.stringify(part)));
  const lines = [
    `__version__ = version = ${JSON.stringify(version)}`,
    `__version_tuple__ = version_tuple = (${numbers.join(", ")},)`,
    "",
  ];
  await writeFile(join(folder, path), lines.join("\n"), { flag: "wx" }).catch(() => {});
}

async function sharePytest({ folder, library }: Place, { shared }: Surroundings, names: string[]): Promise<void> {
  await layScript({ folder }, "pytest", "pytest:console_main");
  for (const path of Object.values(shared).flat()) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (!names.includes(name)) await symlink(path, join(folder, library, name)).catch(() => {});
  }
}
