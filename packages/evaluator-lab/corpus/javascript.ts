/** JavaScript projects: modules and CommonJS, Node's own tests and declared scripts. */
import { healthy, lines, type Project } from "./project.ts";

const module = '{ "type": "module" }\n';
const sum = lines("export function sum(a, b) {", "  return a + b;", "}");
const test = (...body: string[]): string =>
  lines(
    'import assert from "node:assert";',
    'import test from "node:test";',
    'import { sum } from "./sum.js";',
    "",
    ...body,
  );
const plainTest = (...body: string[]): string => lines('const test = require("node:test");', "", ...body);

const javascript = (name: string, more: Pick<Project, "files" | "label"> & Partial<Project>): Project => ({
  name: `javascript: ${name}`,
  kind: "javascript",
  ...more,
});

export const javascriptProjects: Project[] = [
  javascript("healthy, modules", {
    files: {
      "package.json": module,
      "sum.js": sum,
      "sum.test.js": test(
        'test("adds", () => assert.equal(sum(1, 2), 3));',
        'test("adds nothing", () => assert.equal(sum(1, 0), 1));',
      ),
    },
    label: healthy(2),
  }),
  javascript("healthy, CommonJS", {
    files: {
      "sum.js": "exports.sum = (a, b) => a + b;\n",
      "test/sum.js": lines(
        'const { sum } = require("../sum");',
        'require("node:test")("adds", () => require("node:assert").equal(sum(1, 2), 3));',
      ),
    },
    label: healthy(1),
  }),
  javascript("healthy, with a script of its own", {
    files: {
      "package.json": '{ "scripts": { "test": "node check.js" } }\n',
      "check.js": "if (1 + 1 !== 2) process.exit(1);\n",
    },
    label: healthy(1),
  }),
  javascript("healthy, with everything that only looks unfinished", {
    files: {
      "package.json": module,
      "watch.js": lines(
        "const noop = () => {};",
        "",
        "export class Shape {",
        "  constructor() {}",
        "  area() {",
        '    throw new Error("area must be overridden");',
        "  }",
        "  onResize() {}",
        "}",
        "",
        "export class Circle extends Shape {",
        "  area() {",
        "    return 3;",
        "  }",
        "  grow() {}",
        "}",
        "",
        "export function watch(file, done = noop, { log = () => {} } = {}) {",
        "  try {",
        "    log(file.replace(/[{}]/g, ''));",
        "  } catch {}",
        "  file.on('close', () => {});",
        "  // The rest of the line is for the caller.",
        "  return done({});",
        "}",
      ),
      "watch.test.js": lines(
        'import test from "node:test";',
        'import { watch } from "./watch.js";',
        "",
        'test("watches", () => watch({ on() {}, replace() {} }));',
      ),
    },
    label: healthy(1),
  }),
  javascript("healthy, a program that writes such comments itself", {
    files: {
      "template.js": lines(
        "const body = `",
        "// ... existing code ...",
        "function parse() {}",
        "`;",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the code that is looked at.
        "exports.render = (name) => '// TODO: implement ' + name + body + `${name ? '// your code here' : ''}`;",
      ),
      "template.test.js": plainTest('test("renders", () => { require("./template").render("a"); });'),
    },
    label: healthy(1),
  }),
  javascript("a brace too many", {
    files: { "package.json": module, "sum.js": lines("export function sum(a, b) {", "  return a + b;", "}", "}") },
    label: { syntax: "failed", tests: "not_found", findings: ["sum.js:4 syntax"] },
  }),
  javascript("a name declared twice", {
    files: { "a.cjs": lines("const a = 1;", "const a = 2;") },
    label: { syntax: "failed", tests: "not_found", findings: ["a.cjs:2 syntax"] },
  }),
  javascript("a text without end", {
    files: { "a.mjs": lines("const a = 1;", "const b = 'two;", "const c = 3;") },
    label: { syntax: "failed", tests: "not_found", findings: ["a.mjs:2 syntax"] },
  }),
  javascript("await where there is none", {
    files: { "a.cjs": lines("function a() {", "  await b();", "}") },
    label: { syntax: "failed", tests: "not_found", findings: ["a.cjs:2 syntax"] },
  }),
  javascript("a manifest that is no JSON", {
    files: { "package.json": '{ "type": "module", }\n', "a.mjs": "export const a = 1;\n" },
    label: { syntax: "failed", tests: "not_found", findings: ["package.json:1 json"] },
  }),
  javascript("imports a name that is not exported", {
    files: {
      "package.json": module,
      "sum.js": sum,
      "main.js": lines('import { sum, product } from "./sum.js";', "", "product(sum(1, 2));"),
    },
    label: { syntax: "failed", tests: "not_found", findings: ["main.js:1 import"] },
  }),
  javascript("imports a file that is not there", {
    files: { "package.json": module, "main.js": lines('import { sum } from "./sums.js";', "", "sum(1, 2);") },
    label: { syntax: "failed", tests: "not_found", findings: ["main.js:1 import"] },
  }),
  javascript("a failing test", {
    files: {
      "package.json": module,
      "sum.js": sum,
      "sum.test.js": test(
        'test("adds", () => assert.equal(sum(1, 2), 4));',
        'test("adds nothing", () => assert.equal(sum(1, 0), 1));',
      ),
    },
    label: { syntax: "passed", tests: "failed", counts: [1, 1, 0, 0] },
  }),
  javascript("a script of its own that fails", {
    files: { "package.json": '{ "scripts": { "test": "node check.js" } }\n', "check.js": "process.exit(3);\n" },
    label: { syntax: "passed", tests: "failed" },
  }),
  javascript("a test file that throws before its tests", {
    files: { "a.test.js": plainTest('throw new Error("no");') },
    label: { syntax: "passed", tests: "failed" },
  }),
  javascript("a test that hangs", {
    timeoutMs: 4_000,
    files: { "a.test.js": plainTest('test("hangs", () => new Promise(() => setInterval(() => {}, 1000)));') },
    label: { syntax: "passed", tests: "timed_out" },
  }),
  javascript("a loop without end", {
    timeoutMs: 4_000,
    files: { "a.test.js": plainTest('test("hangs", () => { for (;;); });') },
    label: { syntax: "passed", tests: "timed_out" },
  }),
  javascript("a script that aborts the process", {
    files: { "package.json": '{ "scripts": { "test": "node check.js" } }\n', "check.js": "process.abort();\n" },
    label: { syntax: "passed", tests: "crashed" },
  }),
  javascript("a test that ends the process as if all were well", {
    files: { "a.test.js": plainTest('test("ends", () => process.exit(0));') },
    label: { syntax: "passed", tests: "failed" },
  }),
  javascript("a test file that declares no test", {
    files: { "sum.js": "exports.sum = (a, b) => a + b;\n", "sum.test.js": plainTest('require("./sum").sum(1, 2);') },
    label: { syntax: "passed", tests: "not_found" },
  }),
  javascript("an empty test file", {
    files: { "sum.js": "exports.sum = (a, b) => a + b;\n", "sum.test.js": "// Tests of the sum\n" },
    label: { syntax: "passed", tests: "not_found" },
  }),
  // Whether a plain script checks anything is unknown: it counts as one test, decided by its exit code.
  javascript("a test file that is a plain script", {
    files: {
      "sum.js": "exports.sum = (a, b) => a + b;\n",
      "sum.test.js": 'if (require("./sum").sum(1, 2) !== 3) throw new Error("not 3");\n',
    },
    label: healthy(1),
  }),
  javascript("no tests at all", {
    files: { "sum.js": "exports.sum = (a, b) => a + b;\n" },
    label: { syntax: "passed", tests: "not_found" },
  }),
  javascript("a declared script that tests nothing", {
    files: {
      "package.json": '{ "scripts": { "test": "echo \\"Error: no test specified\\" && exit 1" } }\n',
      "a.js": "exports.a = 1;\n",
    },
    label: { syntax: "passed", tests: "not_found" },
  }),
  javascript("every test is skipped", {
    files: { "a.test.js": plainTest('test.skip("later", () => {});') },
    label: { syntax: "passed", tests: "not_found: all tests are skipped", counts: [0, 0, 0, 1] },
  }),
  javascript("a declared package is missing", {
    files: {
      "package.json": '{ "dependencies": { "no-such-parser": "1.0.0" } }\n',
      "a.test.js": plainTest('test("parses", () => { require("no-such-parser"); });'),
    },
    label: { syntax: "passed", tests: "not_run: package_missing", missing: ["no-such-parser"] },
  }),
  javascript("an undeclared package is missing", {
    files: { "a.test.js": plainTest('test("parses", () => { require("no-such-parser"); });') },
    label: { syntax: "passed", tests: "failed", missing: ["no-such-parser"] },
  }),
  javascript("JSX without a compiler", {
    files: { "App.jsx": "export const App = () => <p>Don't</p>;\n" },
    label: { syntax: "not_run: no_toolchain", tests: "not_found" },
  }),
];
