/** Where the packages of a Python project lie in its tree: these folders come before all that is installed. Pure. */
import { posix } from "node:path";
import { nameKey } from "../../packages/manifests.ts";
import { linesIn, pairsIn } from "./ini.ts";
import type { PythonManifests } from "./python-metadata.ts";
import { listAt, tableAt, textAt } from "./toml-values.ts";

/** `files`: of the project's folder. In the order in which they are looked at. */
export function rootsOf(manifests: PythonManifests, name: string | undefined, files: string[]): string[] {
  const sources = files.filter((path) => path.endsWith(".py"));
  const has = (folder: string): boolean => folder === "" || sources.some((path) => path.startsWith(`${folder}/`));
  const named = declaredRoots(manifests).map((root) => posix.normalize(root).replace(/^\.$|\/$/g, ""));
  const usual = ["src", ...(name === undefined ? [] : rootsHolding(name, sources)), ""];
  return [...new Set([...named, ...usual])].filter(
    (root) => !root.startsWith("..") && !posix.isAbsolute(root) && has(root),
  );
}

function declaredRoots({ pyproject, setupCfg, setupPy }: PythonManifests): string[] {
  const setuptools = tableAt(pyproject, "tool", "setuptools");
  const wheel = tableAt(pyproject, "tool", "hatch", "build", "targets", "wheel");
  const packages = listOfTables(tableAt(pyproject, "tool", "poetry")?.packages);
  const script = setupPy?.package_dir;
  const scripted = typeof script === "object" && !Array.isArray(script) ? script : {};
  const found = setupPy?.packages;
  return [
    ...rootsIn(Object.entries(tableAt(setuptools, "package-dir") ?? {})),
    ...listAt(setuptools, "packages", "find", "where"),
    ...packages.map((one) => textAt(one, "from") ?? ""),
    ...listAt(wheel, "sources"),
    ...listAt(wheel, "packages").map((path) => posix.dirname(path)),
    ...[
      textAt(pyproject, "tool", "pdm", "build", "package-dir"),
      textAt(pyproject, "tool", "maturin", "python-source"),
    ],
    textAt(pyproject, "tool", "uv", "build-backend", "module-root"),
    ...rootsIn(linesIn(setupCfg, "options", "package_dir").flatMap((line) => pairsIn([line]))),
    ...linesIn(setupCfg, "options.packages.find", "where"),
    ...rootsIn(Object.entries(scripted)),
    typeof found === "object" && !Array.isArray(found) && typeof found.where === "string" ? found.where : undefined,
  ].filter((root) => root !== undefined);
}

/** `"" = "src"`, `"one" = "src/one"`. */
const rootsIn = (pairs: [string, unknown][]): string[] =>
  pairs.flatMap(([name, folder]) => {
    if (typeof folder !== "string") return [];
    const inner = name.replaceAll(".", "/");
    if (inner === "") return [folder];
    return folder === inner || folder.endsWith(`/${inner}`) ? [folder.slice(0, -inner.length) || "."] : [];
  });

const listOfTables = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.map((one) => tableAt(one) ?? {}) : [];

/** Folders with a package or a module of the project's own name, the shallowest first. */
function rootsHolding(name: string, sources: string[]): string[] {
  const wanted = nameKey(name);
  const found = sources.flatMap((path) => {
    const parts = path.replace(/\.py$/, "").split("/");
    const at = parts.findIndex((part) => nameKey(part) === wanted);
    const isPackage =
      at !== -1 && (at === parts.length - 1 || sources.includes(`${parts.slice(0, at + 1).join("/")}/__init__.py`));
    return isPackage && !parts.slice(0, at).some((part) => BESIDE.test(part)) ? [parts.slice(0, at).join("/")] : [];
  });
  return found.toSorted((one, other) => one.split("/").length - other.split("/").length);
}

const BESIDE = /^(?:tests?|testing|docs?|examples?|samples?|scripts?|tools|benchmarks?)$/;
