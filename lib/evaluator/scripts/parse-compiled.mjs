// Parses files that Node cannot read (JSX) with a compiler among the project's packages, and looks for what they import.
// In: {"tree": every file, "files": [{"path", "modules": folders of packages, nearest first}]}. Out: {"findings",
// "unchecked": paths for which there is no compiler}.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { posix } from "node:path";
import { stdin, stdout } from "node:process";
import { createModules } from "./javascript-modules.mjs";
import { isTemplate } from "./javascript-parse.mjs";

/** Each takes {path, source, isTyped}, and answers with plain code that imports the same, or throws. No process starts. */
const PARSERS = {
  "@babel/parser": ({ parse: parseBabel }, { source, isTyped }) => {
    const plugins = ["jsx", isTyped ? "typescript" : "flow", "decorators", "decoratorAutoAccessors"];
    const options = { sourceType: "unambiguous", allowReturnOutsideFunction: true, plugins };
    return importsIn(parseBabel(source, options).program.body);
  },
  "rolldown/parseAst": ({ parseAst }, { path, source, isTyped }) =>
    importsIn(parseAst(source, { lang: isTyped ? "tsx" : "jsx" }, path).body),
  "rollup/parseAst": ({ parseAst }, { source, isTyped }) => {
    if (isTyped) throw new Error("It reads no types.");
    try {
      return importsIn(parseAst(source, { jsx: true, allowReturnOutsideFunction: true }).body);
    } catch (problem) {
      throw problem?.code === "PARSE_ERROR" ? Object.assign(problem, { loc: placeOf(source, problem.pos) }) : problem;
    }
  },
};

/** Of an offset in UTF-8. */
function placeOf(source, at) {
  const before = Buffer.from(source).subarray(0, at).toString();
  const lines = before.split("\n");
  return { line: lines.length, column: lines.at(-1).length };
}

async function check({ tree, files }) {
  const modules = createModules(tree, textOf, () => false);
  const findings = [];
  const unchecked = [];
  for (const { path, modules: folders } of files) {
    const source = textOf(path);
    const parsed = parse({ path, source, isTyped: /\.tsx$/.test(path) }, folders);
    if (!parsed) unchecked.push(path);
    else if (parsed.finding) findings.push({ path, rule: "syntax", ...parsed.finding });
    else findings.push(...(await importProblems(modules, path, { source, code: parsed.code })));
  }
  return { findings, unchecked };
}

function parse(file, folders) {
  for (const folder of folders)
    for (const [name, parseWith] of Object.entries(PARSERS)) {
      const compiler = packageIn(folder, name);
      if (!compiler) continue;
      try {
        return { code: parseWith(compiler, file) };
      } catch (problem) {
        const finding = findingOf(problem);
        if (finding && isTemplate(file.path, file.source)) return { code: "" };
        if (finding && isPlain(file)) return { finding };
      }
    }
  return undefined;
}

/** What one compiler refuses, another one may read: Flow's types, decorators, JSX in files called .js. */
const isPlain = ({ path, source }) =>
  /\.[jt]sx$/.test(path) && !/@flow\b/.test(source.slice(0, 1024)) && !/^[ \t]*@\w/m.test(source);

function packageIn(folder, name) {
  try {
    return createRequire(posix.join(folder, "none.js"))(name);
  } catch {
    return undefined;
  }
}

/** Undefined where the compiler itself failed. */
function findingOf(problem) {
  const { line, column } = problem?.loc ?? {};
  if (!Number.isInteger(line) || !Number.isInteger(column)) return undefined;
  const lines = String(problem.message).split("\n");
  const message = (lines[0].startsWith("Parse failed") ? lines[1] : lines[0]) ?? "";
  return { line, column: column + 1, message: `SyntaxError: ${message.replace(/ \(\d+:\d+\)$/, "")}` };
}

const importsIn = (statements) =>
  statements
    .filter(({ importKind, exportKind }) => importKind !== "type" && importKind !== "typeof" && exportKind !== "type")
    .flatMap(({ source }) => (typeof source?.value === "string" ? [`import ${JSON.stringify(source.value)};\n`] : []))
    .join("");

async function importProblems(modules, path, parsed) {
  try {
    const found = await modules.problemsOf(path, { ...parsed, format: "module", typescript: true });
    return found.map((problem) => ({ path, ...problem }));
  } catch {
    return []; // Compiled to a script that no module could hold.
  }
}

function textOf(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

let input = "";
for await (const chunk of stdin.setEncoding("utf8")) input += chunk;
const said = JSON.stringify(await check(JSON.parse(input)));
stdout.write(said.replace(/[^\0-\x7f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`));
