// Parses JavaScript and TypeScript as Node would, and looks whether what modules import from each other is there.
// In: {"tree": every file, "paths": those asked for, or null for all}. Out: {"findings": […], "unchecked": paths that
// only a compiler can read, "large": paths of files that are too large}.
import { readFileSync, statSync } from "node:fs";
import { stdin, stdout } from "node:process";
import { createModules } from "./javascript-modules.mjs";
import { parse } from "./javascript-parse.mjs";

const SOURCE = /\.(?:[cm]?[jt]s|[jt]sx|vue|svelte)$/;
const LARGEST_BYTES = 1024 * 1024;
const DECLARATIONS = /\.d\.[cm]?ts$/;

let input = "";
for await (const chunk of stdin.setEncoding("utf8")) input += chunk;
stdout.write(inAscii(JSON.stringify(await check(JSON.parse(input)))));

/** The reader of the output removes invisible characters, and a path may contain some. */
function inAscii(text) {
  return text.replace(/[^\0-\x7f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

async function check({ tree, paths }) {
  const sources = tree.filter((path) => SOURCE.test(path) && !DECLARATIONS.test(path));
  const asked = new Set(paths ?? sources);
  const files = new Set(tree);
  const read = (path) => (files.has(path) ? textOf(path) : "");
  const modules = createModules(tree, read, isLarge);
  const findings = [];
  const unchecked = [];
  const large = [];
  for (const path of sources) {
    if (isLarge(path)) {
      if (asked.has(path)) large.push(path);
      continue;
    }
    if (!asked.has(path) && !mentions(read(path), asked)) continue;
    const parsed = parse(path, read);
    if (parsed.unchecked) {
      if (asked.has(path)) unchecked.push(path);
      continue;
    }
    if (!asked.has(path) && !modules.dependsOn(path, parsed, asked)) continue;
    findings.push(...parsed.findings.map((finding) => ({ path, ...finding })));
    findings.push(...(await modules.problemsOf(path, parsed)).map((finding) => ({ path, ...finding })));
  }
  if (paths === null || asked.has("package.json")) findings.push(...manifestFindings(tree, read));
  return { findings, unchecked, large };
}

/** A cheap look before parsing: a file that imports another holds its name. */
function mentions(code, asked) {
  for (const path of asked) if (code.includes(stemOf(path))) return true;
  return false;
}

/** `lib/index.js` is imported as `./lib` too. */
function stemOf(path) {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\..*$/, "");
  return name === "index" ? (path.split("/").at(-2) ?? name) : name;
}

function manifestFindings(tree, read) {
  if (!tree.includes("package.json") || isLarge("package.json")) return [];
  try {
    JSON.parse(read("package.json"));
    return [];
  } catch (problem) {
    const line = /\(line (\d+) column (\d+)\)/.exec(problem.message);
    const where = line ? { line: Number(line[1]), column: Number(line[2]) } : {};
    return [{ path: "package.json", ...where, message: problem.message, rule: "json" }];
  }
}

/** No one writes that much code into a file by hand. */
function isLarge(path) {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LARGEST_BYTES;
}

function textOf(path) {
  try {
    return isLarge(path) ? "" : readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
