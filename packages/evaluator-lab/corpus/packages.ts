/** Trees with several packages, scripts that call a package manager, and what is made before tests: green and red ones. */
import { healthy, lines, type Project } from "./project.ts";

const json = (value: object): string => JSON.stringify(value);
const passing = lines('require("node:test")("a", () => {});');
const failing = lines('require("node:test")("a", () => { throw new Error("red"); });');
const script = (scripts: Record<string, string>, more: object = {}): string => json({ scripts, ...more });
const node = script({ test: "node --test" });

const project = (name: string, files: Project["files"], label: Project["label"]): Project => ({
  name: `packages: ${name}`,
  kind: "javascript",
  files,
  label,
});
const red = (...counts: [number, number, number, number]): Project["label"] => ({
  syntax: "passed",
  tests: "failed",
  counts,
});

const green: Project[] = [
  project(
    "pnpm calls a script",
    {
      "package.json": script({ test: "pnpm run unit", unit: "node --test" }, { packageManager: "pnpm@9.15.0" }),
      "a.test.js": passing,
    },
    healthy(1),
  ),
  project(
    "yarn calls a script and a program",
    {
      "package.json": script({ test: "yarn unit && yarn node -e 0", unit: "node --test" }),
      "a.test.js": passing,
    },
    healthy(1),
  ),
  project(
    "pnpm tests a workspace",
    {
      "package.json": script({ test: "pnpm -r test" }),
      "pnpm-workspace.yaml": "packages:\n  - packages/*\n",
      "packages/a/package.json": node,
      "packages/a/a.test.js": passing,
      "packages/b/package.json": script({ test: "sh -c 'exit 0'" }),
    },
    healthy(2),
  ),
  project(
    "prepare makes what is tested",
    {
      "package.json": script({ prepare: "mkdir -p dist && cp a.js dist/a.js", test: "node --test" }),
      "a.js": "exports.one = 1;\n",
      "a.test.js": 'require("node:test")("a", () => { require("./dist/a.js"); });\n',
    },
    healthy(1),
  ),
  project(
    "build makes what is tested",
    {
      "package.json": script({ build: "mkdir -p dist && cp a.js dist/a.js", test: "node --test" }),
      "a.js": "exports.one = 1;\n",
      "a.test.js": 'require("node:test")("a", () => { require("./dist/a.js"); });\n',
    },
    healthy(1),
  ),
  project(
    "a hook compiles what is required",
    {
      "package.json": script({ test: "node --require ./register.cjs main.js && echo built" }),
      "register.cjs": lines(
        'const { readFileSync } = require("node:fs");',
        'require("node:module")._extensions[".js"] = (module, path) =>',
        '  module._compile(readFileSync(path, "utf8").replace(/import (\\w+) from "(.*)";/g, "const $1 = require(\\"$2\\");"), path);',
      ),
      "main.js": 'import own from "./package.json";\nif (!own.scripts.test) throw new Error("red");\n',
    },
    healthy(1),
  ),
  project(
    "nothing of ours is in the environment",
    {
      "package.json": node,
      "a.test.js": lines(
        'require("node:test")("a", () => {',
        "  for (const name of Object.keys(process.env)) if (/^(?:NODE_OPTIONS|NO_COLOR|L2MAC.*)$/.test(name)) throw new Error(name);",
        "});",
      ),
    },
    healthy(1),
  ),
];

const wrong: Project[] = [
  project(
    "a package in a folder is red by another name than a test's",
    {
      "a.test.js": passing,
      "web/package.json": script({ test: "node check.js" }),
      "web/check.js": 'throw new Error("red");\n',
    },
    red(1, 1, 0, 0),
  ),
  project(
    "a member of a workspace is red that the script at the top leaves out",
    {
      "package.json": script({ test: "node --test a.test.js" }, { workspaces: ["packages/*"] }),
      "a.test.js": passing,
      "packages/a/package.json": node,
      "packages/a/b.test.js": failing,
    },
    red(1, 1, 0, 0),
  ),
  project(
    "a member is red in a workspace of yarn",
    {
      "package.json": script({ test: "yarn workspaces run test" }, { workspaces: { packages: ["packages/*"] } }),
      "packages/a/package.json": node,
      "packages/a/a.test.js": failing,
      "packages/b/package.json": node,
      "packages/b/b.test.js": passing,
    },
    red(1, 1, 0, 0),
  ),
  project(
    "a member declares no test, and npm takes that for a mistake",
    {
      "package.json": script({ test: "npm test --workspaces" }, { workspaces: ["packages/*"] }),
      "packages/a/package.json": json({ name: "a", scripts: { test: "node --test" } }),
      "packages/a/a.test.js": passing,
      "packages/b/package.json": json({ name: "b" }),
    },
    { syntax: "passed", tests: "failed" },
  ),
  project(
    "what is to run before the tests fails",
    {
      "package.json": script({ pretest: "node -e 'process.exit(3)'", test: "node --test" }),
      "a.test.js": passing,
    },
    red(0, 1, 0, 0),
  ),
  project(
    "what is to run after the tests fails",
    {
      "package.json": script({ test: "node --test", posttest: "node -e 'process.exit(3)'" }),
      "a.test.js": passing,
    },
    red(1, 1, 0, 0),
  ),
  project(
    "the second of two commands fails",
    {
      "package.json": script({ test: "node --test && npm run lint", lint: "node lint.js" }),
      "a.test.js": passing,
      "lint.js": "process.exitCode = 1;\n",
    },
    red(1, 1, 0, 0),
  ),
  project(
    "red behind what would install",
    {
      "package.json": script({ test: "pnpm install && node --test" }),
      "a.test.js": failing,
    },
    red(0, 1, 0, 0),
  ),
  project(
    "npx asks for what is not declared",
    {
      "package.json": script({ test: "node --test", posttest: "npx no-such-tool@1" }),
      "a.test.js": passing,
    },
    { ...red(1, 1, 0, 0), missing: ["no-such-tool"] },
  ),
  project(
    "build does not end well",
    {
      "package.json": script({ build: "node -e 'process.exit(3)'", test: "node --test" }),
      "a.test.js": 'require("./dist/a.js");\n',
    },
    red(0, 0, 1, 0),
  ),
  project(
    "prepare replaces a test",
    {
      "package.json": script({ prepare: "cp easy.js a.test.js", test: "node --test" }),
      "a.test.js": failing,
      "easy.js": passing,
    },
    { syntax: "passed", tests: "crashed: tampered" },
  ),
  project(
    "build replaces a test",
    {
      "package.json": script({ build: "mkdir dist && cp easy.js a.test.js", test: "node --test" }),
      "a.test.js": 'require("./dist/a.js");\n',
      "easy.js": passing,
    },
    { syntax: "passed", tests: "crashed: tampered" },
  ),
];

export const packageProjects: Project[] = [...green, ...wrong];
