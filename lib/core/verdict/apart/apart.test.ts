import { describe, expect, it } from "vitest";
import { notRun, type TestCase, type Verdict } from "../verdict.ts";
import { apartOpinion } from "./apart-opinion.ts";
import { type ApartInput, type ApartTree, apartTree } from "./apart-tree.ts";
import { pythonCanary } from "./canary.ts";
import { isPlainConfig } from "./plain-config.ts";
import { plainManifest } from "./plain-manifest.ts";
import { plainPythonSettings } from "./plain-settings.ts";
import { withCanaries } from "./turned-canaries.ts";

type Case = [name: string, status: TestCase["status"], message?: string];

function verdict(cases: Case[], over: Partial<Verdict["tests"]> = {}): Verdict {
  const none = notRun("nothing_to_check");
  const count = (status: TestCase["status"]) => cases.filter(([, each]) => each === status).length;
  const counts = {
    passed: count("passed"),
    failed: count("failed"),
    errors: count("error"),
    skipped: count("skipped"),
  };
  const listed = cases.map(([name, status, message]) => ({ name, status, ...(message ? { message } : {}) }));
  const status = counts.failed + counts.errors > 0 ? "failed" : "passed";
  return { ...none, tests: { ...none.tests, status, ...counts, cases: listed, ...over } };
}

const OURS = "tests/test_0f.py";
const ours: Case = [`${OURS}::test_0f_plain`, "failed", "assert 2 == 0"];
const given: ApartInput["tests"] = [{ path: "tests/test_a.py", text: "def test_one():\n    pass\n" }];
const treeOf = (own: Record<string, string>, over: Partial<ApartInput> = {}): ApartTree => {
  const tree = apartTree({ own: new Map(Object.entries(own)), others: [], tests: given, id: "0f", ...over });
  if (typeof tree === "string") throw new Error(tree);
  return tree;
};

describe("a test of ours that must fail", () => {
  it("is not counted where it fails, and a second look changes nothing", () => {
    const seen = withCanaries(verdict([["tests/test_a.py::test_one", "passed"], ours]), [OURS]);
    expect(seen.tests).toMatchObject({ status: "passed", passed: 1, failed: 0 });
    expect(withCanaries(seen, [OURS])).toEqual(seen);
  });

  it("hides no other failure", () => {
    const seen = withCanaries(verdict([["tests/test_a.py::test_one", "failed"], ours]), [OURS]);
    expect(seen.tests).toMatchObject({ status: "failed", passed: 0, failed: 1 });
  });

  it("shows that results are forged where it passes", () => {
    const seen = withCanaries(
      verdict([
        ["tests/test_a.py::test_one", "passed"],
        [`${OURS}::test_0f_plain`, "passed"],
      ]),
      [OURS],
    );
    expect(seen.tests).toMatchObject({ status: "crashed", reason: "tampered", passed: 1 });
    const opinion = apartOpinion(withCanaries(seen, [OURS]), { ordinary: [], tree: treeOf({}) });
    expect(opinion.status).toBe("forged");
  });

  it("is of the kind that the given ones are", () => {
    const cased = { path: "tests/test_a.py", text: "class A(unittest.TestCase):\n    def test_a(self): pass\n" };
    expect(pythonCanary([cased], "0f")?.text).not.toContain("\ndef test_");
    expect(pythonCanary(given, "0f")?.text).toContain("\ndef test_0f_plain");
    const files = { "package.json": '{"scripts":{"test":"vitest run"}}' };
    const text = 'import { test } from "vitest";\nimport { a } from "../a.js";\ntest("a", () => a());\n';
    const { laid, canaries } = treeOf(files, { tests: [{ path: "test/a.spec.ts", text }] });
    expect(canaries).toEqual(["test/0f.spec.ts"]);
    expect(laid.find(({ path }) => path === "test/0f.spec.ts")?.text).toMatch(
      /import\("\.\.\/a\.js"\)[\s\S]*expect\(1\)\.toBe\(2\)/,
    );
  });
});

describe("given tests that ran apart", () => {
  const opinion = (cases: Case[], ordinary: Case[] = [["tests/test_a.py::test_one", "passed"]], over = {}) =>
    apartOpinion(withCanaries(verdict(cases, over), [OURS]), {
      ordinary: verdict(ordinary).tests.cases,
      tree: treeOf({ "conftest.py": "", "tests/test_own.py": "" }),
    });

  it("have passed where all that passed before passed again", () => {
    expect(opinion([["tests/test_a.py::test_one", "passed"], ours])).toEqual({ status: "passed" });
  });

  it("have failed where one fails by itself, which names what they passed with", () => {
    expect(opinion([["tests/test_a.py::test_one", "failed", "assert 'Q' == 'I'"], ours])).toEqual({
      status: "failed",
      detail: "tests/test_a.py::test_one fails without conftest.py, tests/test_own.py, which this run wrote",
    });
  });

  it.each<[string, Case[], object]>([
    ["what they need is gone", [["tests/test_a.py", "error", "ModuleNotFoundError: No module named 'x'"], ours], {}],
    ["a fixture is gone", [["tests/test_a.py::test_one", "error", "fixture 'number' not found"], ours], {}],
    ["a module is gone", [["tests/test_a.py::test_one", "failed", "ModuleNotFoundError: no 'x'"], ours], {}],
    ["a case is gone", [["tests/test_a.py::test_other", "passed"], ours], {}],
    ["no test of ours ran beside them", [["tests/test_a.py::test_one", "passed"]], {}],
    ["nothing ran", [], { status: "not_run", reason: "out_of_time" }],
  ])("say nothing where %s", (_, cases, over) => {
    expect(opinion(cases, undefined, over).status).toBe("not_run");
  });

  it("are the same under the names of unittest, with and without folders", () => {
    const apart: Case[] = [
      ["test_a.A.test_one", "passed"],
      [`test_0f.Test0f.test_equal`, "failed"],
    ];
    expect(opinion(apart, [["tests.test_a.A.test_one", "passed"]])).toEqual({ status: "passed" });
  });
});

describe("given tests that end early apart", () => {
  it("have failed", () => {
    const crashed = verdict([], { status: "crashed", detail: "ended with 0" });
    const opinion = apartOpinion(crashed, { ordinary: [], tree: treeOf({ "conftest.py": "" }) });
    expect(opinion).toMatchObject({ status: "failed", detail: expect.stringContaining("without conftest.py") });
  });
});

describe("the tree in which they run", () => {
  it("finds code where conftest.py said that it is", () => {
    const own = { "code/a.py": "", "tests/conftest.py": 'import sys\nsys.path.insert(0, "code")\nevil()\n' };
    const tests = [{ path: "tests/test_a.py", text: "import a\n\ndef test_one(): pass\n" }];
    const { laid } = treeOf(own, { tests });
    expect(laid[0]).toMatchObject({ path: "tests/conftest.py", text: expect.stringContaining('"../code"') });
    expect(laid[0]?.text).not.toContain("evil");
    expect(treeOf({ ...own, "tests/conftest.py": "evil()\n" }, { tests }).laid).toHaveLength(1);
  });

  it("has nothing that the run wrote to test with, and all else", () => {
    const { without, removed } = treeOf({
      "roman.py": "",
      "conftest.py": "",
      "tests/conftest.py": "",
      "tests/test_own.py": "",
      "tests/__init__.py": "",
      "tests/test_a/__init__.py": "x = 1",
      "tests/data.json": "",
      "sitecustomize.py": "",
      "evil.pth": "",
    });
    expect(without).toEqual([
      ...["conftest.py", "tests/conftest.py", "tests/test_own.py"],
      ...["tests/test_a/__init__.py", "sitecustomize.py", "evil.pth"],
    ]);
    expect(removed[0]).toBe("conftest.py");
  });

  it.each<[string, Record<string, string>, string]>([
    [
      "a runner is set up by code",
      { "vitest.config.ts": 'export default { test: { setupFiles: ["./x.ts"] } };' },
      "vitest",
    ],
    ["package.json sets up its runner", { "package.json": '{"jest":{"setupFiles":["./x.js"]}}' }, "@jest/globals"],
    ["package.json cannot be read", { "package.json": "{" }, "vitest"],
  ])("cannot be made where %s", (_, own, runner) => {
    const tests = [{ path: "test/a.test.ts", text: `import { test } from "${runner}";\ntest("a", () => {});\n` }];
    expect(typeof apartTree({ own: new Map(Object.entries(own)), others: [], tests, id: "0f" })).toBe("string");
  });

  it("cannot be made for other languages", () => {
    expect(apartTree({ own: new Map(), others: [], tests: [{ path: "a_spec.rb", text: "" }], id: "0f" })).toMatch(
      /only/,
    );
  });
});

describe("plain settings", () => {
  it("of Python keep what the project is made of and where code is", () => {
    const text = `[project]
name = "a"
dependencies = [
  "b",
]
[project.entry-points.pytest11]
a = "a.plugin"
[tool.pytest.ini_options]
addopts = "-p evil --import-mode=importlib"
pythonpath = ["code"]
markers = [
  "slow: takes long",
]
python_functions = "check_*"
[tool."pytest".ini_options]
addopts = "-p evil"
[tool.hatch.envs.test]
extra-dependencies = ["c"]
scripts.test = "pytest -p evil"
[tool.hatch.envs.test.scripts]
test = "pytest -p evil"
`;
    expect(plainPythonSettings("pyproject.toml", text)).toBe(`[project]
name = "a"
dependencies = [
  "b",
]
[tool.pytest.ini_options]
addopts = "--import-mode=importlib"
pythonpath = ["code"]
markers = [
  "slow: takes long",
]
[tool.hatch.envs.test]
extra-dependencies = ["c"]
`);
  });

  it("of Python in sections keep as much", () => {
    const text =
      "[options.entry_points]\nconsole_scripts =\n  a = a:main\npytest11 =\n  a = a.plugin\n[tool:pytest]\naddopts = -p evil\npythonpath = code\n[testenv]\ndeps =\n  c\nsetenv =\n  PYTHONOPTIMIZE = 1\n";
    expect(plainPythonSettings("setup.cfg", text)).toBe(
      "[options.entry_points]\nconsole_scripts =\n  a = a:main\n[tool:pytest]\npythonpath = code\n[testenv]\ndeps =\n  c\n",
    );
  });

  it.each([
    ["node --import ./setup.mjs --test", undefined],
    ["NODE_OPTIONS='--import ./setup.mjs' node --test", undefined],
    ["node --import tsx --test test/", "node --import tsx --test"],
    ["node --import=tsxx --test", undefined],
    ["node -r ts-node/register -r ./x.js --test", "node -r ts-node/register --test"],
  ])("of JavaScript start the tests by %s", (test, expected) => {
    const manifest = JSON.stringify({ name: "a", scripts: { pretest: "x", test, build: "tsc" } });
    const plain = plainManifest(manifest, "node", []);
    expect(plain?.script).toBe(expected);
    expect(JSON.parse(plain?.text ?? "").scripts).toEqual({ build: "tsc", ...(expected ? { test: expected } : {}) });
  });

  it.each([
    [
      'import { defineConfig } from "vitest/config";\nexport default defineConfig({ test: { environment: "jsdom", globals: true, include: ["src/**/*.test.ts"] } });',
      true,
    ],
    ['module.exports = { preset: "ts-jest", testEnvironment: "node", roots: ["<rootDir>/src"] };', true],
    ['export default { test: { environment: "./fake" } };', false],
    ['export default { test: { setupFiles: ["x"] } };', false],
    ['import plugin from "./plugin";\nexport default { plugins: [plugin()] };', false],
    ["module.exports = { transform: { x: '<rootDir>/evil.js' } };", false],
  ])("of a runner: %s", (text, isPlain) => {
    expect(isPlainConfig(text)).toBe(isPlain);
  });
});
