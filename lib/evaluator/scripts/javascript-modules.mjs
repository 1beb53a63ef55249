// What is certain about the modules of a project: which there are, what they export, and who asks for something else.
import { posix } from "node:path";
import { createBuilt } from "./javascript-built.mjs";
import { link, requestsOf } from "./javascript-link.mjs";
import { parse } from "./javascript-parse.mjs";
import { placeOf } from "./javascript-places.mjs";

const STAR = /export\s*\*\s*from\s*(['"])(.+?)\1/g;
/** Bundlers and compilers find files under other names than the one imported. */
const CODE = ["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "d.ts", "d.mts", "d.cts"];
const PLATFORMS = ["ios", "android", "native", "web"].flatMap((name) =>
  ["js", "jsx", "ts", "tsx"].map((end) => `${name}.${end}`),
);
const OTHERS = ["json", "vue", "svelte", "css", "scss", "sass", "less", "astro", "mdx", "wasm", "node"];
const ENDINGS = ["", ...[...CODE, ...PLATFORMS, ...OTHERS].map((end) => `.${end}`)];
const PROBLEMS_PER_FILE = 20;

export function createModules(tree, read, isLarge) {
  const files = new Set(tree);
  const exported = new Map();
  const project = { files, isBuilt: createBuilt(tree, read), read, exportsOf };

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
    dependsOn: (path, parsed, asked) => dependsOn({ path, ...parsed }, project, asked),
    problemsOf: (path, parsed) => problemsOf({ path, ...parsed }, project),
  };
}

/** {path} of a file in the tree, {near} where a tool may find one, {missing: true}, or {} where nothing can be said. */
function resolve(from, specifier, { files, isBuilt }) {
  if (!/^\.\.?(?:\/|$)/.test(specifier) || /[?#%!]/.test(specifier)) return {};
  const target = targetOf(from, specifier);
  if (target === ".." || target.startsWith("../")) return {};
  if (files.has(target)) return { path: target };
  const bare = target.replace(/\.[cm]?jsx?$/, "");
  const within = ["index", "package.json"].map((name) => posix.join(target, name));
  const near = ENDINGS.flatMap((ending) => [target + ending, bare + ending, within[0] + ending]);
  const found = [...near, within[1]].find((path) => files.has(path));
  return found || isBuilt(target) ? { near: found } : { missing: true };
}

/** A folder may be written with a slash at its end. */
const targetOf = (from, specifier) => posix.join(posix.dirname(from), specifier).replace(/\/$/, "");

function dependsOn({ path, code, format }, project, asked) {
  if (format !== "module") return false;
  return requestsOf(code).some((specifier) => {
    const { path: target, near, missing } = resolve(path, specifier, project);
    if (missing) return asked.has(targetOf(path, specifier));
    return asked.has(target ?? near ?? "");
  });
}

/** `source`: what is written, where `code` was made of it by a compiler. */
async function problemsOf({ path, code, source = code, format, typescript }, project) {
  if (format !== "module") return [];
  const specifiers = requestsOf(code);
  const missing = specifiers
    .filter((specifier) => resolve(path, specifier, project).missing)
    .map((specifier) => finding(source, { specifier, message: `cannot find "${specifier}"` }));
  // A type may be imported by its bare name: only a compiler knows which names are types.
  if (typescript || /\.[cm]?ts$/.test(path)) return missing;
  const known = new Map();
  for (const specifier of specifiers)
    known.set(specifier, await project.exportsOf(resolve(path, specifier, project).path));
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

async function findExports(path, project) {
  const { read, exportsOf } = project;
  const { code, format } = parse(path, read);
  if (format !== "module") return undefined;
  const stars = new Map();
  for (const [, , specifier] of code.matchAll(STAR)) {
    const names = await exportsOf(resolve(path, specifier, project).path);
    if (!names) return undefined;
    stars.set(specifier, names);
  }
  const { module } = await link(code, stars, { lenient: true });
  return module && Reflect.ownKeys(module.namespace).filter((name) => typeof name === "string");
}
