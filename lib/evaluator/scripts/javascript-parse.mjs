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
const JSX_PACKAGES = [
  "react",
  "react-native",
  "@docusaurus/core",
  "preact",
  "next",
  "solid-js",
  "inferno",
  "@emotion/react",
  "gatsby",
];
/** Their projects compile modules, whatever Node would take a file for. */
const COMPILERS = [
  "@babel/core",
  "babel-core",
  "typescript",
  "webpack",
  "vite",
  "parcel",
  "rollup",
  "esbuild",
  "next",
  "react-scripts",
  "gatsby",
];
/** Locating an error costs a process. */
const LOCATED_AT_MOST = 10;
let located = 0;
/** Node's parser of TypeScript broke down: from then on it may find mistakes in whatever it reads. */
let broken = false;

export function newRequest() {
  located = 0;
}

export const isBroken = () => broken;

/** {code, format, findings} or {unchecked: true} where only a compiler could tell. */
export function parse(path, read) {
  if (/\.(?:[jt]sx|vue|svelte)$/.test(path)) return { unchecked: true };
  const source = read(path).replace(/^\ufeff/, "");
  const manifest = nearestManifest(path, read);
  const format = formatOf(path, manifest);
  const parsed = isTyped(path) ? parseTyped(source, format) : parseCode(withAttributes(source), format);
  if (!parsed.finding) return { findings: [], ...parsed };
  if (isTemplate(path, source)) return { code: "", format: "template", findings: [] };
  if (usesJsx(parsed.finding, manifest) || isForCompiler(source, manifest)) return { unchecked: true };
  return { code: "", format: "broken", findings: [parsed.finding] };
}

const isTyped = (path) => /\.[cm]?ts$/.test(path);

/** What V8 says of names that are types, which are gone from the code that it reads. */
const MAY_BE_TYPE =
  /^SyntaxError: (?:Export '.*' is not defined in module|Identifier '(.*)' has already been declared)$/;

/** What Node's own parser of TypeScript refuses is wrong; what V8 refuses then, if it is not about names of types. */
function parseTyped(source, format) {
  const typed = withoutTypes(source);
  if (typed.code === undefined) return { code: "", format: "typescript", ...typed };
  const parsed = parseCode(typed.code, format);
  const [about, name] = MAY_BE_TYPE.exec(parsed.finding?.message ?? "") ?? [];
  if (parsed.finding && /^[ \t]*@\w/m.test(source)) return { code: "", format: "typescript" };
  if (about === undefined || (name !== undefined && !isImported(name, typed.code)))
    return { ...parsed, typescript: typed.code !== source };
  const imports = parseCode(withoutLocalExports(typed.code), format);
  return imports.finding ? { code: "", format: "typescript" } : { ...imports, typescript: true };
}

const isImported = (name, code) =>
  [...code.matchAll(/\bimport\b([^'"`;]*)\bfrom\b/g)].some(([, clause]) => clause.split(/[^\w$]+/).includes(name));

const withoutLocalExports = (code) => code.replace(/\bexport\s*\{[^{}]*\}(?!\s*from\b)/g, blank);

const blank = (text) => text.replace(/[^\n]/g, " ");

/** Older Nodes and browsers called them assertions. */
const withAttributes = (code) => code.replace(/(\bfrom\s*(?:"[^"\n]*"|'[^'\n]*')\s*)assert(?=\s*\{)/g, "$1with  ");

/** What a template engine will make code of. */
export const isTemplate = (path, source) =>
  /\{[{%]/.test(path) ||
  /^[ \t]*(?:\{%|<%|\{\{[#/!]|\{#)/m.test(source) ||
  (/(?:^|\/)[_-]*templates?\//.test(path) && /\{%|<%|\{\{/.test(source));

/** Flow's types, and proposals that Babel compiles. */
const isForCompiler = (source, manifest) =>
  /@flow\b/.test(source.slice(0, 1024)) || (/^[ \t]*@\w/m.test(source) && dependsOnAny(manifest, COMPILERS));

/** Types become blanks, so that every line and column stays. Enums and the like need a compiler: then only parsed. */
function withoutTypes(source) {
  if (broken) return { unchecked: true };
  try {
    return { code: stripTypeScriptTypes(source) };
  } catch (problem) {
    noteBreakdown(problem);
    return broken ? { unchecked: true } : parseForCompiler(source);
  }
}

function parseForCompiler(source) {
  try {
    stripTypeScriptTypes(source, { mode: "transform" });
    return {};
  } catch (problem) {
    noteBreakdown(problem);
    if (broken) return { unchecked: true };
    // What Node cannot run may be right all the same.
    return problem.code === "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX" ? {} : { finding: innerMistake(source, problem) };
  }
}

/** Node's parser reports a mistake anywhere in one of these at its first word. Without `export` it reports the place. */
const HIDING_EXPORT = /\bexport(?=[ \t]+(?:abstract|interface|type|namespace|module)\b)/;
const HIDDEN_AT_MOST = 20;

function innerMistake(source, problem) {
  const finding = findingOf(problem);
  const lines = source.split("\n");
  let inner = finding;
  for (let depth = 0; depth < HIDDEN_AT_MOST && inner.message.includes("Expected '{', got '"); depth += 1) {
    const at = inner.line - 1;
    if (!HIDING_EXPORT.test(lines[at] ?? "")) break;
    lines[at] = lines[at].replace(HIDING_EXPORT, blank);
    try {
      stripTypeScriptTypes(lines.join("\n"), { mode: "transform" });
      return finding;
    } catch (next) {
      if (next.code !== "ERR_INVALID_TYPESCRIPT_SYNTAX") return finding;
      inner = findingOf(next);
    }
  }
  return inner;
}

function noteBreakdown({ code }) {
  if (code !== "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX" && code !== "ERR_INVALID_TYPESCRIPT_SYNTAX") broken = true;
}

function parseCode(code, format) {
  if (format === "module") return parseModule(code);
  try {
    compileFunction(code, COMMONJS_NAMES, { filename: "code" });
    return { code, format: "commonjs" };
  } catch (problem) {
    if (format === "unknown" && LOOKS_LIKE_MODULE.test(problem.message)) return parseModule(code);
    return isTooDeep(problem) ? TOO_DEEP : { finding: findingOf(problem) };
  }
}

function parseModule(code) {
  try {
    moduleOf(code);
    return { code, format: "module" };
  } catch (problem) {
    return isTooDeep(problem) ? TOO_DEEP : { finding: { ...findingOf(problem), ...locate(code) } };
  }
}

/** The parser had no room left: it says nothing of the code. */
const isTooDeep = ({ name }) => name === "RangeError";
const TOO_DEEP = { code: "", format: "too deep", unchecked: true };

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
  const drawn = /(?<!\d)(\d+) \| .{0,2000}\n +: ( *)\^/.exec(stack);
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
  [manifest.dependencies, manifest.devDependencies, manifest.peerDependencies].some((declared) =>
    names.some((name) => declared?.[name]),
  );
