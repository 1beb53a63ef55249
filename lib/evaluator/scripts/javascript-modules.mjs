// What is certain about the modules of a project: which there are, what they export, and who asks for something else.
import { posix } from "node:path";
import { link, requestsOf } from "./javascript-link.mjs";
import { parse } from "./javascript-parse.mjs";
import { placeOf } from "./javascript-places.mjs";

const STAR = /export\s*\*\s*from\s*(['"])(.+?)\1/g;
/** Bundlers and compilers find files under other names than the one imported. */
const ENDINGS = ["", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".json", ".vue", ".svelte", ".css"];
/** What a build makes is not in the tree. */
const BUILT = /(?:^|\/)(?:dist|build|out|generated|node_modules|\.[^/]+)(?:\/|$)/;
const PROBLEMS_PER_FILE = 20;

export function createModules(tree, read, isLarge) {
  const files = new Set(tree);
  const exported = new Map();
  const project = { files, read, exportsOf };

  /** The names that a file of the tree exports, or undefined where that is not certain. */
  async function exportsOf(path) {
    if (path === undefined || !/\.m?js$/.test(path) || isLarge(path)) return undefined;
    if (!exported.has(path)) {
      exported.set(path, undefined); // Stays so for those who ask while it is being found out: a circle.
      exported.set(path, await findExports(path, project));
    }
    return exported.get(path);
  }

  return {
    dependsOn: (path, parsed, asked) => dependsOn({ path, ...parsed }, files, asked),
    problemsOf: (path, parsed) => problemsOf({ path, ...parsed }, project),
  };
}

/** {path} of a file in the tree, {near} where a tool may find one, {missing: true}, or {} where nothing can be said. */
function resolve(from, specifier, files) {
  if (!/^\.\.?\//.test(specifier) || /[?#%]/.test(specifier)) return {};
  const target = posix.join(posix.dirname(from), specifier);
  if (target.startsWith("..")) return {};
  if (files.has(target)) return { path: target };
  const bare = target.replace(/\.[cm]?jsx?$/, "");
  const near = ENDINGS.flatMap((ending) => [target + ending, bare + ending, `${target}/index${ending}`]);
  const found = near.find((path) => files.has(path));
  return found || BUILT.test(target) ? { near: found } : { missing: true };
}

function dependsOn({ path, code, format }, files, asked) {
  if (format !== "module") return false;
  return requestsOf(code).some((specifier) => {
    const { path: target, near, missing } = resolve(path, specifier, files);
    if (missing) return asked.has(posix.join(posix.dirname(path), specifier));
    return asked.has(target ?? near ?? "");
  });
}

async function problemsOf({ path, code, format, typescript }, { files, exportsOf }) {
  if (format !== "module") return [];
  const specifiers = requestsOf(code);
  const missing = specifiers
    .filter((specifier) => resolve(path, specifier, files).missing)
    .map((specifier) => finding(code, { specifier, message: `cannot find "${specifier}"` }));
  // A type may be imported by its bare name: only a compiler knows which names are types.
  if (typescript || /\.[cm]?ts$/.test(path)) return missing;
  const known = new Map();
  for (const specifier of specifiers) known.set(specifier, await exportsOf(resolve(path, specifier, files).path));
  const { unknown } = await link(code, known);
  return [...missing, ...unknown.map((wrong) => finding(code, { ...wrong, message: wordsOf(wrong) }))].slice(
    0,
    PROBLEMS_PER_FILE,
  );
}

const wordsOf = ({ specifier, name }) =>
  `"${specifier}" does not export ${name === "default" ? "a default" : `"${name}"`}`;

const finding = (code, { specifier, name, message }) => ({
  ...placeOf(code, specifier, name),
  message,
  rule: "import",
});

async function findExports(path, { files, read, exportsOf }) {
  const { code, format } = parse(path, read);
  if (format !== "module") return undefined;
  const stars = new Map();
  for (const [, , specifier] of code.matchAll(STAR)) {
    const names = await exportsOf(resolve(path, specifier, files).path);
    if (!names) return undefined;
    stars.set(specifier, names);
  }
  const { module } = await link(code, stars, { lenient: true });
  return module && Reflect.ownKeys(module.namespace).filter((name) => typeof name === "string");
}
