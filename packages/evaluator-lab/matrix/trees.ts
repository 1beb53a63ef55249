/** Small trees for each runner: healthy, red, with a broken import, crashing, without a test, and with very many. Pure. */

const SMALL = ["healthy", "red", "broken import", "crashing", "no tests"] as const;
type Small = (typeof SMALL)[number];
/** Of which one is red. */
export const MANY = "20,000 cases";
export const KINDS = [...SMALL, MANY] as const;
export type Kind = (typeof KINDS)[number];
export type Files = Record<string, string>;

export const RUNNERS = ["pytest", "node --test", "vitest", "jest", "mocha", "go test"] as const;
export type Runner = (typeof RUNNERS)[number];

/** `version`: of the package that the tree pins. Undefined: this runner has no such tree. */
export function treeOf(runner: Runner, kind: Kind, version: string): Files | undefined {
  const files = kind === MANY ? LARGE[runner] : TREES[runner][kind];
  return files && { ...files, ...MANIFESTS[runner](version) };
}

/** Of the tests in these trees: those that pass. */
export const PASSING: Partial<Record<Kind, number>> = { healthy: 2, red: 1, [MANY]: 19_999 };

const LARGE: Partial<Record<Runner, Files>> = {
  pytest: {
    "test_many.py": `import pytest


@pytest.mark.parametrize("number", range(20_000))
def test_is_not_the_last(number):
    assert number != 19_999
`,
  },
  "node --test": {
    "many.test.js": `import assert from "node:assert";
import { test } from "node:test";

for (let number = 0; number < 20_000; number += 1)
  test(\`is not the last: \${number}\`, () => assert.notEqual(number, 19_999));
`,
  },
};

const packageOf = (name: string, manifest: object, version: string): Files => ({
  "package.json": JSON.stringify({ name: "tree", version: "1.0.0", ...manifest, devDependencies: { [name]: version } }),
});

const MANIFESTS: Record<Runner, (version: string) => Files> = {
  pytest: (version) => ({ "requirements.txt": `pytest==${version}\n` }),
  "node --test": () => ({ "package.json": '{"type":"module","scripts":{"test":"node --test"}}\n' }),
  vitest: (version) => packageOf("vitest", { type: "module", scripts: { test: "vitest run" } }, version),
  jest: (version) => packageOf("jest", { scripts: { test: "jest" } }, version),
  mocha: (version) => packageOf("mocha", { scripts: { test: "mocha" } }, version),
  "go test": () => ({ "go.mod": "module example.com/tree\n\ngo 1.21\n" }),
};

const python = (test: string): Files => ({
  "adding.py": "def add(a, b):\n    return a + b\n",
  "test_first.py":
    "import unittest\n\n\nclass First(unittest.TestCase):\n    def test_one(self):\n        assert True\n",
  "test_second.py": test,
});

/** One module under test, one test file that passes, and the given one. `head`: of a test file. */
const javascript = (path: (name: string) => string, head: string, test: string): Files => ({
  "adding.js": head.includes("import ") ? "export const add = (a, b) => a + b;\n" : "exports.add = (a, b) => a + b;\n",
  [path("first")]: `${head}it("is one", () => {});\n`,
  [path("second")]: `${head}${test}`,
});

const inJavaScript = (path: (name: string) => string, head: string, loading: string): Record<Small, Files> => {
  const named = loading
    .replace("NAME", "add")
    .replace("FILE", path("adding").includes("/") ? "../adding.js" : "./adding.js");
  const tree = (test: string): Files => javascript(path, head, test);
  return {
    healthy: tree(`${named}describe("add", () => {
  it("adds", () => { if (add(1, 2) !== 3) throw new Error("not 3"); });
  it.skip("adds more", () => { throw new Error("later"); });
});
`),
    red: tree(`${named}it("adds", () => { if (add(1, 2) !== 4) throw new Error("3 is not 4"); });\n`),
    "broken import": tree(
      `${loading.replace("NAME", "add").replace("FILE", "./adder.js")}it("adds", () => { add(1, 2); });\n`,
    ),
    crashing: tree('it("crashes", () => { process.kill(process.pid, "SIGKILL"); for (;;) {} });\n'),
    "no tests": { "adding.js": "globalThis.add = (a, b) => a + b;\n" },
  };
};

const beside = (name: string): string => (name === "adding" ? name : `${name}.test.js`);
const inTest = (name: string): string => `test/${name}.js`;
const IMPORT = 'import { NAME } from "FILE";\n';
const REQUIRE = 'const { NAME } = require("FILE");\n';

const go = (test: string): Files => ({
  "adding.go": "package adding\n\nfunc Add(a, b int) int { return a + b }\n",
  "first_test.go": 'package adding\n\nimport "testing"\n\nfunc TestOne(t *testing.T) {}\n',
  "second_test.go": test,
});

const goTest = (body: string, imports = '"testing"'): Files =>
  go(`package adding\n\nimport (\n\t${imports}\n)\n\nfunc TestAdd(t *testing.T) { ${body} }\n`);

const TREES: Record<Runner, Record<Small, Files>> = {
  pytest: {
    healthy: python(`import pytest
from adding import add


@pytest.fixture
def two():
    return 2


def test_adds(two):
    assert add(1, two) == 3


@pytest.mark.skip(reason="later")
def test_adds_more():
    assert add(2, 2) == 5
`),
    red: python("from adding import add\n\n\ndef test_adds():\n    assert add(1, 2) == 4\n"),
    "broken import": python("from adder import add\n\n\ndef test_adds():\n    assert add(1, 2) == 3\n"),
    crashing: python("import os\n\n\ndef test_crashes():\n    os.abort()\n"),
    "no tests": { "adding.py": "def add(a, b):\n    return a + b\n" },
  },
  "node --test": inJavaScript(beside, 'import { describe, it } from "node:test";\n', IMPORT),
  vitest: inJavaScript(beside, 'import { describe, it } from "vitest";\n', IMPORT),
  jest: inJavaScript(beside, "", REQUIRE),
  mocha: inJavaScript(inTest, "", REQUIRE),
  "go test": {
    healthy: {
      ...goTest('if Add(1, 2) != 3 { t.Fatal("not 3") }'),
      "third_test.go": 'package adding\n\nimport "testing"\n\nfunc TestMore(t *testing.T) { t.Skip("later") }\n',
    },
    red: goTest('if Add(1, 2) != 4 { t.Fatal("3 is not 4") }'),
    "broken import": goTest("adder.Add(1, 2)", '"testing"\n\n\t"example.com/tree/adder"'),
    crashing: goTest("var numbers []int; _ = numbers[Add(1, 2)]"),
    "no tests": { "adding.go": "package adding\n\nfunc Add(a, b int) int { return a + b }\n" },
  },
};
