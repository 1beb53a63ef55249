import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { processorMs } from "../../../test/doubles/enough-time.ts";
import { createLinks, isManifest } from "./reach.ts";

type Files = Record<string, string>;

function reached(files: Files, changes: { modified?: string[]; added?: string[]; deleted?: string[] }) {
  const paths = Object.keys(files);
  const links = createLinks(paths);
  const { modified = [], added = [], deleted = [] } = changes;
  for (const path of [...paths.filter(isManifest), ...paths.filter((one) => !isManifest(one))])
    links.add(path, files[path] ?? "");
  const before = [...paths.filter((path) => !added.includes(path)), ...deleted];
  const found = links.reachedFrom({ modified, added, deleted, before });
  return found && [...found].toSorted();
}

const python: Files = {
  "app/__init__.py": "",
  "app/store.py": "x = 1\n",
  "app/tasks.py": "from app import store\n",
  "app/words.py": "y = 2\n",
  "tests/test_tasks.py": "from app.tasks import x\n",
  "tests/test_words.py": "from app import (\n    # both ways (of them)\n    words,\n)\n",
};
const script: Files = {
  "package.json": '{"name":"todo-list","main":"src/index.js"}',
  "src/index.js": 'export * from "./store.js";\n',
  "src/store.js": "export const x = 1;\n",
  "src/words.js": "export const y = 2;\n",
  "test/store.test.js": 'import { x } from "../src/index.js";\n',
  "test/words.test.js": 'import { y } from "../src/words.js";\n',
};

describe("what a change reaches", () => {
  it("is what imports it, over however many modules", () => {
    expect(reached(python, { modified: ["app/store.py"] })).toEqual([
      ...["app/store.py", "app/tasks.py", "tests/test_tasks.py"],
    ]);
    expect(reached(python, { modified: ["app/words.py"] })).toEqual(["app/words.py", "tests/test_words.py"]);
    expect(reached(script, { modified: ["src/words.js"] })).toEqual(["src/words.js", "test/words.test.js"]);
    expect(reached(script, { modified: ["src/store.js"] })).toContain("test/store.test.js");
  });

  it("is itself alone if no file names it, and nothing where nothing changed", () => {
    expect(reached(python, { modified: ["tests/test_words.py"] })).toEqual(["tests/test_words.py"]);
    expect(reached(python, {})).toEqual([]);
  });

  it.each<[string, Files]>([
    [
      "patched by its name",
      { "t/test_a.py": 'from unittest.mock import patch\n@patch("app.store.x")\ndef test(): ...\n' },
    ],
    ["imported in the middle of a function", { "t/test_a.py": "def test():\n    import app.store\n" }],
    ["imported on a second line", { "t/test_a.py": "from app import \\\n    store\n" }],
    ["imported from beside", { "app/test_a.py": "from . import store\n" }],
    ["imported by a computed name", { "t/test_a.py": "import importlib\nm = importlib.import_module(name)\n" }],
    ["run as a program", { "t/test_a.py": "import subprocess\nsubprocess.run(command)\n" }],
    ["read as a text", { "t/test_a.py": 'def test(): open("app/store.py")\n' }],
    ["found in its folder", { "t/test_a.py": "def test():\n    for one in here.iterdir(): ...\n" }],
  ])("is a Python test in which the module is %s", (_, more) => {
    expect(reached({ ...python, ...more }, { modified: ["app/store.py"] })).toContain(Object.keys(more)[0]);
  });

  it.each<[string, string]>([
    ["required", 'const { x } = require("../src/store");'],
    ["imported later", 'const { x } = await import("../src/store.js");'],
    ["imported by a computed name", "const { x } = await import(folder + name);"],
    ["named by its folder", 'import { x } from "../src";'],
    ["meant by a folder without a name", 'import { x } from "..";'],
    ["meant by the package's name", 'import { x } from "todo-list";'],
    ["run as a program", 'import { execFile } from "node:child_process";'],
    ["found in its folder", 'import { readdirSync } from "node:fs";'],
    ["loaded by a page that is read", 'readFileSync("page.html");'],
  ])("is a JavaScript test in which the module is %s", (_, code) => {
    const files = { ...script, "test/a.test.js": code, "page.html": "<script type=module src=src/store.js></script>" };
    expect(reached(files, { modified: ["src/store.js"] })).toContain("test/a.test.js");
  });

  it.each<[string, Files, Parameters<typeof reached>[1]]>([
    ["a file that is no module", { "data.json": "{}" }, { modified: ["data.json"] }],
    ["a deleted file", {}, { deleted: ["app/gone.py"] }],
    ["what every test shares", { "tests/conftest.py": "from app import store\n" }, { modified: ["app/store.py"] }],
    ["a module under the name of one of Python's own", { "random.py": "" }, { added: ["random.py"] }],
    ["a module whose name cannot be seen in an import", { "app/a b.py": "" }, { modified: ["app/a b.py"] }],
    ["what settings load", { "pytest.ini": "[pytest]\naddopts = -p app.store\n" }, { modified: ["app/store.py"] }],
    [
      "what goes by another name",
      { "tsconfig.json": '{"paths":{"@x":["./a.ts"]}}', "a.ts": "" },
      { modified: ["a.ts"] },
    ],
  ])("cannot be decided of %s", (_, more, changes) => {
    expect(reached({ ...python, ...more }, changes)).toBeUndefined();
  });

  it("leaves a test alone that imports something else later, on however many lines", () => {
    const code = 'const { y } = await import(\n  "../src/words.js",\n);\n';
    expect(reached({ ...script, "test/a.test.js": code }, { modified: ["src/store.js"] })).not.toContain(
      "test/a.test.js",
    );
  });

  it("is soon found, however the files are written", () => {
    const hostile = ["(", "from os import ", "import'", 'import("', "\\ ", '"a-', "from x import (", "/", "a"];
    const files = Object.fromEntries(
      hostile.flatMap((text, at) => ["py", "js", "json"].map((kind) => [`f${at}.${kind}`, text.repeat(15_000)])),
    );
    const took = processorMs(() => void reached({ ...files, "a.py": "" }, { modified: ["a.py"] }));
    expect(took).toBeLessThan(20_000);
  });

  it("is what says the name of a folder that holds code for the first time", () => {
    const files = { ...python, "more/new.py": "", "tests/test_more.py": "from more import other\n" };
    expect(reached(files, { added: ["more/new.py"] })).toContain("tests/test_more.py");
  });

  it("a module inside a package replaces no other", () => {
    expect(reached({ ...python, "app/random.py": "" }, { added: ["app/random.py"] })).toEqual(["app/random.py"]);
  });
});

/** Modules that import earlier ones, each in one of the ways there are. */
const graph = fc.array(fc.array(fc.record({ of: fc.nat(), way: fc.nat() }), { maxLength: 3 }), {
  minLength: 1,
  maxLength: 12,
});

const WAYS = {
  py: [
    (name: string) => `import pkg.${name}`,
    (name: string) => `from pkg import ${name}`,
    (name: string) => `from .${name} import x`,
    (name: string) => `from . import (\n    ${name},\n)`,
    (name: string) => `def late():\n    from pkg.${name} import x as y`,
    (name: string) => `try:\n    import pkg.${name} as z\nexcept ImportError:\n    pass`,
  ],
  js: [
    (name: string) => `import "./${name}.js";`,
    (name: string) => `export * from './${name}.js';`,
    (name: string) => `const { x } = require("./${name}");`,
    (name: string) => `await import("./${name}.js");`,
    (name: string) => `import{x}from"./${name}.js"`,
  ],
};

describe.each(["py", "js"] as const)("of any graph of %s modules", (language) => {
  it("a change reaches everything that depends on it, and leaves out what does not", () => {
    fc.assert(
      fc.property(graph, fc.nat(), (links, chosen) => {
        const name = (index: number): string => `module-${index}`.replace("-", language === "py" ? "_" : "-");
        const path = (index: number): string => `pkg/${name(index)}.${language}`;
        const imports = links.map((some, at) => some.filter(() => at > 0).map(({ of, way }) => ({ of: of % at, way })));
        const files = Object.fromEntries(
          imports.map((some, at) => {
            const ways = WAYS[language];
            const lines = some.map(({ of, way }) => ways[way % ways.length]?.(name(of)));
            return [path(at), lines.join("\n")];
          }),
        );
        const changed = chosen % links.length;
        const truth = new Set([changed]);
        imports.forEach((some, at) => {
          if (some.some(({ of }) => truth.has(of))) truth.add(at);
        });
        expect(reached(files, { modified: [path(changed)] })).toEqual([...truth].map(path).toSorted());
      }),
    );
  });
});
