// Parses one file in the format that Node would take it for. Nothing is run.
import { spawnSync } from "node:child_process";
import { stripTypeScriptTypes } from "node:module";
import { posix } from "node:path";
import { execPath } from "node:process";
import { compileFunction } from "node:vm";
import { moduleOf } from "./javascript-link.mjs";

const COMMONJS_NAMES = ["exports", "require", "module", "__filename", "__dirname"];
/** What V8 says of a module's code when it is read as a script. */
const LOOKS_LIKE_MODULE =
  /Cannot use (?:import statement|'import\.meta') outside a module|Unexpected token 'export'|await is only valid in|Identifier '(?:exports|require|module|__filename|__dirname)' has already been declared/;
/** Their projects compile JSX, also in files called .js. */
const JSX_PACKAGES = ["react", "preact", "next", "solid-js", "inferno", "@emotion/react", "gatsby"];
/** Their projects compile modules, whatever Node would take a file for. */
const COMPILERS = ["@babel/core", "webpack", "vite", "parcel", "rollup", "esbuild", "next", "react-scripts", "gatsby"];
/** Locating an error costs a process. */
const LOCATED_AT_MOST = 10;
let located = 0;

/** {code, format, findings} or {unchecked: true} where only a compiler could tell. */
export function parse(path, read) {
  if (/\.(?:[jt]sx|vue|svelte)$/.test(path)) return { unchecked: true };
  const source = read(path).replace(/^\ufeff/, "");
  const manifest = nearestManifest(path, read);
  const typed = /\.[cm]?ts$/.test(path) ? withoutTypes(source) : { code: source };
  if (typed.finding) return { code: "", format: "broken", findings: [typed.finding] };
  if (typed.code === undefined) return { code: "", format: "typescript", findings: [] };
  const parsed = parseCode(typed.code, formatOf(path, manifest));
  if (!parsed.finding)
    return { code: typed.code, format: parsed.format, typescript: typed.code !== source, findings: [] };
  if (usesJsx(parsed.finding, manifest)) return { unchecked: true };
  if (/\.[cm]?ts$/.test(path) && /^\s*@\w/m.test(source)) return { code: "", format: "typescript", findings: [] };
  return { code: "", format: "broken", findings: [parsed.finding] };
}

/** Types become blanks, so that every line and column stays. Enums and the like need a compiler: then only parsed. */
function withoutTypes(source) {
  try {
    return { code: stripTypeScriptTypes(source) };
  } catch {
    return parseForCompiler(source);
  }
}

function parseForCompiler(source) {
  try {
    stripTypeScriptTypes(source, { mode: "transform" });
    return {};
  } catch (problem) {
    return { finding: findingOf(problem) };
  }
}

function parseCode(code, format) {
  if (format === "module") return parseModule(code);
  try {
    compileFunction(code, COMMONJS_NAMES, { filename: "code" });
    return { format: "commonjs" };
  } catch (problem) {
    if (format === "unknown" && LOOKS_LIKE_MODULE.test(problem.message)) return parseModule(code);
    return { finding: findingOf(problem) };
  }
}

function parseModule(code) {
  try {
    moduleOf(code);
    return { format: "module" };
  } catch (problem) {
    return { finding: { ...findingOf(problem), ...locate(code) } };
  }
}

/** The vm keeps to itself where a module breaks; Node's own check says it. */
function locate(code) {
  if (located >= LOCATED_AT_MOST) return {};
  located += 1;
  const checked = spawnSync(execPath, ["--input-type=module", "--check", "-"], { input: code, encoding: "utf8" });
  return placeIn(checked.stderr ?? "");
}

function findingOf(problem) {
  const message = problem.message.trim().split("\n")[0].replace(/^x /, "");
  return { ...placeIn(problem.stack ?? ""), message: `SyntaxError: ${message}`, rule: "syntax" };
}

/** `name:LINE`, lines of code, carets below the place; or as older Nodes draw it for TypeScript: `LINE | code`. */
function placeIn(stack) {
  const drawn = /(\d+) \| .*\n +: ( *)\^/.exec(stack);
  if (drawn) return { line: Number(drawn[1]), column: drawn[2].length + 1 };
  const line = /^\S*:(\d+)\n/.exec(stack);
  const carets = /^( *)\^/m.exec(stack);
  return { ...(line ? { line: Number(line[1]) } : {}), ...(line && carets ? { column: carets[1].length + 1 } : {}) };
}

function formatOf(path, manifest) {
  if (/\.m[jt]s$/.test(path)) return "module";
  if (path.endsWith(".cjs")) return "commonjs";
  if (path.endsWith(".cts")) return "unknown";
  if (manifest.type === "module") return "module";
  const compiled = path.endsWith(".ts") || dependsOnAny(manifest, COMPILERS);
  return manifest.type === "commonjs" && !compiled ? "commonjs" : "unknown";
}

function nearestManifest(path, read) {
  for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
    const text = read(posix.join(folder, "package.json"));
    if (text !== "") return manifestOf(text);
    if (folder === ".") return {};
  }
}

function manifestOf(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

const usesJsx = (finding, manifest) =>
  finding.message.includes("Unexpected token '<'") && dependsOnAny(manifest, JSX_PACKAGES);

const dependsOnAny = (manifest, names) =>
  names.some((name) => manifest.dependencies?.[name] ?? manifest.devDependencies?.[name]);
