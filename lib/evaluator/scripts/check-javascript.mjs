// Parses JavaScript and TypeScript as Node would, and looks whether what modules import from each other is there.
// In: {"tree": every file, "paths": those asked for, or null for all}. Out: {"findings": […], "unchecked": paths that
// only a compiler can read, "large": paths of files that are too large}.
// Or in: {"scripts": [{"path", "code", "module"}]} that are written in pages, the code at its own lines. Out: {"findings": […]}.
import { answerLines } from "./answer-lines.mjs";
import { createModules } from "./javascript-modules.mjs";
import { isBroken, newRequest, parse } from "./javascript-parse.mjs";
import { openTexts } from "./kept-texts.mjs";

const SOURCE = /\.(?:[cm]?[jt]s|[jt]sx|vue|svelte)$/;
const DECLARATIONS = /\.d\.[cm]?ts$/;

await answerLines((request) => {
  newRequest();
  return request.scripts ? checkScripts(request.scripts) : check(request);
}, isBroken);

async function check({ tree, paths }) {
  const sources = tree.filter((path) => SOURCE.test(path) && !DECLARATIONS.test(path));
  const asked = new Set(paths ?? sources);
  const files = new Set(tree);
  const texts = openTexts();
  const { isLarge } = texts;
  const read = (path) => (files.has(path) ? texts.read(path) : "");
  const stems = [...new Set([...asked].map(stemOf))];
  const modules = createModules(tree, read, isLarge);
  const findings = [];
  const unchecked = [];
  const large = [];
  for (const path of sources) {
    if (isLarge(path)) {
      if (asked.has(path)) large.push(path);
      continue;
    }
    if (!asked.has(path) && !mentions(read(path), stems)) continue;
    const parsed = parse(path, read);
    if (parsed.unchecked) {
      if (asked.has(path)) unchecked.push(path);
      continue;
    }
    if (!asked.has(path) && !modules.dependsOn(path, parsed, asked)) continue;
    findings.push(...parsed.findings.map((finding) => ({ path, ...finding })));
    findings.push(...(await modules.problemsOf(path, parsed)).map((finding) => ({ path, ...finding })));
  }
  if (paths === null || asked.has("package.json")) findings.push(...manifestFindings(tree, texts));
  return { findings, unchecked, large };
}

function checkScripts(scripts) {
  const findings = scripts.flatMap(({ path, code, module }) => {
    const name = module ? "script.mjs" : "script.js";
    const parsed = parse(name, (asked) => (asked === name ? code : ""));
    return (parsed.findings ?? []).map((finding) => ({ path, ...finding }));
  });
  return { findings };
}

/** A cheap look before parsing: a file that imports another holds its name. */
function mentions(code, stems) {
  return stems.some((stem) => code.includes(stem));
}

/** `lib/index.js` is imported as `./lib` too. */
function stemOf(path) {
  const [name] = path.slice(path.lastIndexOf("/") + 1).split(".", 1);
  return name === "index" ? (path.split("/").at(-2) ?? name) : name;
}

function manifestFindings(tree, { read, isLarge }) {
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
