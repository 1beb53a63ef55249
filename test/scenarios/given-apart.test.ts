/** Given tests, run once more apart: what the run wrote to test with must not be what makes them pass. */
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { startingFiles } from "../../lib/control/gate/user-tests.ts";
import type { ModelRequest } from "../../lib/core/ports.ts";
import { apartOpinion } from "../../lib/core/verdict/apart/apart-opinion.ts";
import { apartTree } from "../../lib/core/verdict/apart/apart-tree.ts";
import { withCanaries } from "../../lib/core/verdict/apart/turned-canaries.ts";
import { noEnvironment } from "../../lib/evaluator/language.ts";
import { builtInPacks } from "../../lib/files/prompt-folder.ts";
import { evaluation, type Files, noPython, pythonCan, removeFolders } from "../doubles/evaluation.ts";
import { aMachine, aSubmission, compute, type TestMachine } from "../doubles/machines.ts";
import { realEvaluator } from "../doubles/real-evaluator.ts";
import { placeOf, programOf, type Said, scriptedModel } from "../doubles/scripted-model.ts";

const machines: TestMachine[] = [];
const evaluator = realEvaluator();
afterAll(() => {
  for (const machine of machines.splice(0)) {
    machine.close();
    machine.removeHome();
  }
  removeFolders();
});

const noPytest = !pythonCan("import pytest");

/** Writes them, and completes as often as it takes. */
const writing =
  (contents: Files) =>
  (request: ModelRequest): Said => {
    const { planning, answers } = placeOf(request);
    if (planning) return { calls: [["write_program", { instructions: programOf(1) }]] };
    const files = Object.entries(contents).map(([path, content]) => ({ path, content }));
    return { calls: [answers === 0 ? ["write_files", { files }] : ["complete_instruction", { summary: "done" }]] };
  };

async function computed(files: Files, given: Record<string, string>) {
  const model = scriptedModel(writing(files));
  const machine = aMachine({ model, evaluator });
  machines.push(machine);
  const { codebase: pack } = await builtInPacks();
  const tests = new Map(Object.entries(given).map(([path, text]) => [path, new TextEncoder().encode(text)]));
  const submission = startingFiles({ tests, pack, runTests: true });
  const run = await compute(machine, await aSubmission({ options: { reflect: 0, from: true }, submission }));
  const said = model.requests.flatMap(({ messages }) => messages.map(({ content }) => content)).join("\n");
  return { machine, run, said };
}

const lines = (...text: string[]): string => `${text.join("\n")}\n`;

const GIVEN = {
  "tests/test_roman.py": lines(
    "from roman import to_roman",
    "",
    "",
    "def test_one():",
    '    assert to_roman(1) == "I"',
    "",
    "",
    "def test_four():",
    '    assert to_roman(4) == "IV"',
  ),
};
const RIGHT = lines("def to_roman(number):", '    return {1: "I", 4: "IV"}[number]', "", "", 'NAME = "roman"');
const WRONG = lines("def to_roman(number):", '    return "Q" * number', "", "", 'NAME = "roman"');
const OWN = {
  "tests/test_own.py": lines("from roman import NAME", "", "", "def test_name():", '    assert NAME == "roman"'),
};
const FAKE = "def test_one(): pass\\ndef test_four(): pass\\n";
const swapping = (...body: string[]): Files => ({
  "conftest.py": lines(
    "import pytest",
    "",
    "",
    "@pytest.fixture(autouse=True)",
    "def swap(request, monkeypatch):",
    '    if "roman" in request.node.nodeid:',
    ...body.map((line) => `        ${line}`),
  ),
});

const inPython: Record<string, Files> = {
  "a finder of modules that gives another text": {
    "conftest.py": lines(
      "import importlib.util, pathlib, sys",
      "",
      "",
      "class Finder:",
      "    def find_spec(self, name, path=None, target=None):",
      '        return importlib.util.spec_from_loader(name, self) if name.endswith("test_roman") else None',
      "",
      "    def create_module(self, spec):",
      "        return None",
      "",
      "    def exec_module(self, module):",
      '        module.__file__ = str(pathlib.Path(__file__).parent / "tests" / "test_roman.py")',
      `        exec("${FAKE}", module.__dict__)`,
      "",
      "",
      "sys.meta_path.insert(0, Finder())",
    ),
  },
  "a parser that drops assertions": {
    "conftest.py": lines(
      "import ast",
      "",
      "_parse = ast.parse",
      "",
      "",
      "class Strip(ast.NodeTransformer):",
      "    def visit_Assert(self, node):",
      "        return ast.copy_location(ast.Pass(), node)",
      "",
      "",
      "def parse(source, *more, **named):",
      "    tree = _parse(source, *more, **named)",
      "    return ast.fix_missing_locations(Strip().visit(tree)) if 'to_roman' in str(source) else tree",
      "",
      "",
      "ast.parse = parse",
    ),
  },
  "a fixture that exchanges the test": swapping("request.node.obj = lambda: None"),
  "a fixture that exchanges its code": swapping("request.function.__code__ = (lambda: None).__code__"),
  "a fixture that gives another function": swapping(
    'monkeypatch.setattr(request.module, "to_roman", {1: "I", 4: "IV"}.get)',
  ),
  "a package of the test's name": {
    "tests/__init__.py": "",
    "tests/test_roman/__init__.py": lines(
      "import pathlib",
      "",
      '__file__ = str(pathlib.Path(__file__).parent.parent / "test_roman.py")',
      "",
      "",
      "def test_one():",
      "    assert True",
      "",
      "",
      "def test_four():",
      "    assert True",
    ),
  },
  "a program that drops the assertions of what is compiled after it": {
    "conftest.py": "import roman\n",
    "roman.py": lines(
      WRONG,
      "import ast",
      "import _pytest.assertion.rewrite as rewrite",
      "",
      "",
      "def strip(tree, *_):",
      "    for each in ast.walk(tree):",
      "        if isinstance(each, ast.FunctionDef):",
      "            each.body = [ast.Pass()]",
      "    ast.fix_missing_locations(tree)",
      "",
      "",
      "rewrite.rewrite_asserts = strip",
    ),
  },
  "a plugin that settings load": {
    "pytest.ini": lines("[pytest]", "addopts = -p answers"),
    "answers.py": lines("import roman", "", 'roman.to_roman = {1: "I", 4: "IV"}.get'),
  },
};

const unchecked = {
  status: "completed",
  unchecked: expect.arrayContaining([expect.stringMatching(/given tests: .* fails? without /)]),
};

describe("a wrong program whose given tests pass in Python", () => {
  for (const [name, files] of Object.entries(inPython))
    it.skipIf(noPytest)(`is refused, and never green: ${name}`, async () => {
      const { run, said } = await computed({ "roman.py": WRONG, ...OWN, ...files }, GIVEN);
      expect(run).toMatchObject(unchecked);
      expect(said).toContain("tests/test_roman.py::test_one and 1 more fail without");
      expect(said).toContain("put what they need into the program");
    });
});

describe("a right program in Python", () => {
  it.skipIf(noPython)("is green beside tests and settings of its own, which is said", async () => {
    const settings = { "pytest.ini": lines("[pytest]", "addopts = -q --strict-markers", "markers =", "    slow: x") };
    const { run, machine } = await computed({ "roman.py": RIGHT, ...OWN, ...settings }, GIVEN);
    expect(run).toMatchObject({ status: "completed", unchecked: [], testsPassed: 3 });
    expect(run.givenTests).toEqual({ passed: 2, total: 2, apart: { status: "passed" } });
    expect((await machine.replay(run.id)).difference).toBeUndefined();
  });

  it.skipIf(noPytest)("is found where its settings say that it is", async () => {
    const settings = {
      "pyproject.toml": lines(
        "[project]",
        'name = "roman"',
        'version = "1"',
        "[tool.pytest.ini_options]",
        'pythonpath = ["code"]',
      ),
    };
    const { run } = await computed({ "code/roman.py": RIGHT, ...OWN, ...settings }, GIVEN);
    expect(run).toMatchObject({ status: "completed", unchecked: [], givenTests: { apart: { status: "passed" } } });
  });

  it.skipIf(noPytest)("is found where its conftest.py says that it is", async () => {
    const conftest = { "tests/conftest.py": 'import sys\n\nsys.path.insert(0, "code")\n' };
    const { run } = await computed({ "code/roman.py": RIGHT, ...OWN, ...conftest }, GIVEN);
    expect(run).toMatchObject({ status: "completed", unchecked: [], givenTests: { apart: { status: "passed" } } });
  });

  it.skipIf(noPytest)(
    "stays green where its given tests need what the run wrote beside them, which is said",
    async () => {
      const given = {
        "tests/test_roman.py": GIVEN["tests/test_roman.py"]
          .replace("test_one()", "test_one(number)")
          .replace("(1)", "(number)"),
      };
      const fixture = lines("import pytest", "", "", "@pytest.fixture", "def number():", "    return 1");
      const { run } = await computed({ "roman.py": RIGHT, ...OWN, "tests/conftest.py": fixture }, given);
      expect(run).toMatchObject({ status: "completed", unchecked: [] });
      expect(run.givenTests?.apart).toEqual({
        status: "not_run",
        detail: expect.stringContaining("test_roman.py::test_one"),
      });
    },
  );

  it.skipIf(noPython)("is run apart by unittest, too", async () => {
    const cased = lines(
      "import unittest",
      "",
      "from roman import to_roman",
      "",
      "",
      "class RomanTest(unittest.TestCase):",
      "    def test_one(self):",
      '        self.assertEqual(to_roman(1), "I")',
    );
    const { run } = await computed({ "roman.py": RIGHT }, { "tests/test_roman.py": cased });
    expect(run).toMatchObject({ status: "completed", unchecked: [], givenTests: { apart: { status: "passed" } } });
  });
});

const GIVEN_SCRIPT = {
  "test/roman.test.js": lines(
    'import assert from "node:assert/strict";',
    'import test from "node:test";',
    'import { toRoman } from "../roman.js";',
    "",
    'test("one", () => assert.equal(toRoman(1), "I"));',
    'test("four", () => assert.equal(toRoman(4), "IV"));',
  ),
};
const FAKE_SCRIPT = 'import test from "node:test"; test("one", () => {}); test("four", () => {});';
const HOOK = {
  "setup.mjs": lines(
    'import { registerHooks } from "node:module";',
    "",
    "registerHooks({",
    "  load(url, context, next) {",
    '    if (!url.endsWith("roman.test.js")) return next(url, context);',
    `    return { format: "module", shortCircuit: true, source: ${JSON.stringify(FAKE_SCRIPT)} };`,
    "  },",
    "});",
  ),
};
const WRONG_SCRIPT = 'export const NAME = "roman";\nexport const toRoman = (number) => "Q".repeat(number);\n';
const RIGHT_SCRIPT =
  'export const NAME = "roman";\nexport const toRoman = (number) => ({ 1: "I", 4: "IV" })[number];\n';
const script = (test: string, code = WRONG_SCRIPT): Files => ({
  "package.json": JSON.stringify({ name: "roman", version: "1.0.0", type: "module", scripts: { test } }),
  "roman.js": code,
  "test/own.test.js": lines(
    'import assert from "node:assert/strict";',
    'import test from "node:test";',
    'import { NAME } from "../roman.js";',
    "",
    'test("name", () => assert.equal(NAME, "roman"));',
  ),
});
const mocked = lines(
  'import assert from "node:assert/strict";',
  'import { mock } from "node:test";',
  "",
  'mock.method(assert, "equal", () => undefined);',
);

const inScripts: Record<string, Files> = {
  "hooks of modules": { ...script("node --import ./setup.mjs --test"), ...HOOK },
  "options of Node in the environment": { ...script("NODE_OPTIONS='--import ./setup.mjs' node --test"), ...HOOK },
  "options of Node in a file": {
    ...script("node --experimental-default-config-file --test"),
    ...HOOK,
    "node.config.json": '{ "nodeOptions": { "import": ["./setup.mjs"] } }\n',
  },
  "assertions that are mocked in one process": {
    ...script("node --test --test-isolation=none --import ./setup.mjs"),
    "setup.mjs": mocked,
  },
};

describe("a wrong program whose given tests pass in JavaScript", () => {
  for (const [name, files] of Object.entries(inScripts))
    it(`is refused, and never green: ${name}`, async () => {
      const { run, said } = await computed(files, GIVEN_SCRIPT);
      expect(run).toMatchObject(unchecked);
      expect(said).toMatch(/test\/roman\.test\.js.* fails? without /);
    });
});

describe("a right program in JavaScript", () => {
  it("is green beside tests and a script of its own", async () => {
    const { run } = await computed(script("node --test test/*.test.js", RIGHT_SCRIPT), GIVEN_SCRIPT);
    expect(run).toMatchObject({ status: "completed", unchecked: [], testsPassed: 3 });
    expect(run.givenTests).toEqual({ passed: 2, total: 2, apart: { status: "passed" } });
  });
});

describe("given tests for vitest", () => {
  /** It was installed with this project, and serves theirs. */
  const nodeModules = join(import.meta.dirname, "../../node_modules");
  const environment = {
    ...noEnvironment,
    path: [join(nodeModules, ".bin")],
    nodeModules: [{ below: "", folder: nodeModules }],
  };
  const given = {
    path: "test/roman.test.ts",
    text: lines(
      'import { expect, test } from "vitest";',
      'import { toRoman } from "../roman.js";',
      "",
      'test("one", () => expect(toRoman(1)).toBe("I"));',
    ),
  };
  const files = {
    "package.json": '{ "type": "module", "scripts": { "test": "vitest run --config other.ts" } }\n',
    "vitest.config.ts":
      'import { defineConfig } from "vitest/config";\nexport default defineConfig({ test: { environment: "node" } });\n',
    "other.ts": 'export default { test: { setupFiles: ["./setup.ts"] } };\n',
  };

  it.each([
    ["I", "passed"],
    ["Q", "failed"],
  ])("run apart, of a program that says %s", async (said, status) => {
    const own = { ...files, "roman.js": `export const toRoman = () => "${said}";\n` };
    const tree = apartTree({ own: new Map(Object.entries(own)), others: [], tests: [given], id: "0f0f" });
    if (typeof tree === "string") throw new Error(tree);
    const laid = Object.fromEntries(tree.laid.map(({ path, text }) => [path, text]));
    const verdict = await evaluation(
      { ...own, [given.path]: given.text, ...laid },
      { tests: tree.isChosen ? { paths: tree.paths } : {}, environment },
    );
    const opinion = apartOpinion(withCanaries(verdict, tree.canaries), { ordinary: [], tree });
    expect(opinion).toMatchObject({ status });
  });
});
