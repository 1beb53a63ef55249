/** Valid code is no mistake, and an import of what nothing makes is one. */
import { afterAll, describe, expect, it } from "vitest";
import { evaluation, type Files, noPython, removeFolders } from "../../../../test/doubles/evaluation.ts";

afterAll(removeFolders);

async function findings(files: Files) {
  const { syntax } = await evaluation(files, { syntax: {} });
  return syntax.errors.map(({ path, line, rule, message }) => `${path}:${line} [${rule}] ${message}`);
}
const MODULE = '{ "type": "module" }';

describe("valid TypeScript", () => {
  it.each<[string, string]>([
    ["a type exported by its name", "interface A { b: 1 }\nconst one = 1;\nexport { one, A };\n"],
    ["a declared value that is exported", "declare const data: { one: 1 };\nexport { data };\nexport default 1;\n"],
    ["a value that shares its name with an imported type", 'import { A } from "./t.ts";\nexport const A = 1;\n'],
    ["an older word for a namespace", "module A { export const b = 1 }\n"],
    ["an assertion in angle brackets", "export const a = <number>(1 as unknown);\n"],
    ["an import in the form of CommonJS", 'import fs = require("node:fs");\nexport = fs;\n'],
    ["parameter properties and decorators", "@dec\nclass A { constructor(private a: string) {} }\nexport { A };\n"],
  ])("is %s", async (_, text) => {
    const files = { "package.json": MODULE, "a.ts": text, "t.ts": "export interface A {}\n" };
    expect(await findings(files)).toEqual([]);
  });

  it("may import a folder, declarations alone, and what has another ending", async () => {
    const files = {
      "package.json": MODULE,
      "src/index.ts": 'export const one = 1;\nexport * from "./deep/";\n',
      "src/deep/index.ts": 'import "../";\nimport "..";\nimport "../..";\n',
      "index.ts": 'import "./src/";\nimport "./";\nimport ".";\n',
      "types/matchers.d.ts": "export interface M {}\n",
      "types/index.d.ts": "export const one: number;\n",
      "types/a.test.ts": 'import { M } from "./matchers";\nimport { one } from "./index.js";\n',
      "types/part/package.json": '{ "main": "x.js" }',
      "types/b.ts": 'import "./part";\nimport "./styles";\n',
      "types/styles.scss": "",
    };
    expect(await findings(files)).toEqual([]);
  });

  it("still has its mistakes", async () => {
    expect(await findings({ "a.ts": "let a: number = 1;\nlet a = 2;\n" })).toHaveLength(1);
    expect(await findings({ "a.ts": "interface A {}\nexport { A };\nconst b: = 1;\n" })).toHaveLength(1);
    const lost = { "package.json": MODULE, "a.ts": 'interface A {}\nimport "./gone.ts";\nexport { A };\n' };
    expect(await findings(lost)).toEqual(['a.ts:2 [import] cannot find "./gone.ts"']);
    expect(await findings({ "package.json": MODULE, "a.js": "export { a };\n" })).toHaveLength(1);
  });
});

describe("a mistake inside an exported block of TypeScript", () => {
  it.each(["abstract class A", "interface A", "type A =", "namespace A", "namespace A {\n} export interface B"])(
    "is found on its line: %s",
    async (head) => {
      const text = `export ${head} {\n  a: 1;\n  @@\n}\n`;
      const line = text.split("\n").findIndex((each) => each.includes("@@")) + 1;
      expect(await findings({ "a.ts": text })).toEqual([expect.stringMatching(`^a.ts:${line} \\[syntax\\]`)]);
    },
  );

  it("is found behind exports around it, and an export of nothing stays one", async () => {
    const nested = "export namespace A {\n  export namespace B {\n    export type C = {\n      @@\n    };\n  }\n}\n";
    expect(await findings({ "a.ts": nested })).toEqual([expect.stringMatching(/^a\.ts:4 /)]);
    expect(await findings({ "a.ts": "export one;\n" })).toEqual([expect.stringMatching(/^a\.ts:1 /)]);
    expect(await findings({ "a.ts": "export type;\n" })).toEqual([expect.stringMatching(/^a\.ts:1 /)]);
  });
});

describe("an imported file that is not there", () => {
  const using = { "a.js": 'import "./made/x.js";\nimport "./one.js";\n' };
  const both = ['a.js:1 [import] cannot find "./made/x.js"', 'a.js:2 [import] cannot find "./one.js"'];

  it("is a mistake, also where a package points at it without a build", async () => {
    const pointing = '{ "type": "module", "main": "one.js", "files": ["made"], "scripts": { "start": "node one.js" } }';
    expect(await findings({ ...using, "package.json": MODULE })).toEqual(both);
    expect(await findings({ ...using, "package.json": pointing })).toEqual(both);
  });

  it.each<[string, Files]>([
    ["is ignored by Git", { ".gitignore": "# made\n/made/\none.js\n", "package.json": MODULE }],
    [
      "is an output of the compiler or of a script",
      {
        "tsconfig.json": '{ "compilerOptions": { /* why */ "outDir": "./made" } }',
        "package.json": '{ "type": "module", "scripts": { "prebuild": "node make.mjs > one.js" } }',
      },
    ],
    [
      "is published by a package that is built",
      {
        "package.json":
          '{ "type": "module", "main": "./one.js", "files": ["made"], "scripts": { "build": "make all" } }',
      },
    ],
  ])("is none where it %s", async (_, files) => {
    expect(await findings({ ...using, ...files })).toEqual([]);
  });

  it("is one in an ignored folder that has files all the same", async () => {
    const ignored = { ".gitignore": "lib/\n", "package.json": MODULE, "lib/a.js": "" };
    expect(await findings({ ...ignored, "b.js": 'import "./lib/gone.js";\n' })).toHaveLength(1);
  });
});

describe("what others make code of", () => {
  it.skipIf(noPython)("is left to them (needs python3)", async () => {
    const files = {
      "package.json": '{ "type": "module", "devDependencies": { "@babel/core": "7" } }',
      "templates/a.js": "export const name = {{ name }};\n",
      "b.js": "{% if tests %}\nimport x from 'x';\n{% endif %}\n",
      "old.mjs": 'import data from "./package.json" assert { type: "json" };\n',
      "templates/c.py": "import {{ name }}\n",
      "hooks/d.py": "import sys\n{% if a %}\nsys.exit(1)\n{% endif %}\n",
      "{{name}}/e.py": "class {{ name }}:\n    pass\n",
    };
    expect(await findings(files)).toEqual([]);
    expect(await findings({ "a.py": "class {{ name }}:\n    pass\n" })).toHaveLength(1);
  });

  it.skipIf(noPython)("are modules of Python's import hooks (needs python3)", async () => {
    const user = { "a.py": "import lazy.anything\nfrom lazy.more import b\n" };
    const hook = "import sys\nsys.meta_path.append(object())\n";
    expect(await findings({ ...user, "lazy/__init__.py": "from . import _hook\n", "lazy/_hook.py": hook })).toEqual([]);
    expect(await findings({ ...user, "lazy/__init__.py": "" })).toHaveLength(2);
  });
});
