import { describe, expect, it } from "vitest";
import { isTestPath, isTestSetting, type TestChange, weakenings, weakeningsOf } from "./locked-tests.ts";

const python = `"""Tests of the calculator."""
import unittest

from calc import add, parse

LIMIT = 10


def helper(value):
    # what every test needs
    return add(value, 1)


def test_add():
    assert add(1, 2) == 3
    assert helper(1) == 2


class TestParse(unittest.TestCase):
    def setUp(self):
        self.text = "1 + 2"

    def test_parse(self):
        self.assertEqual(parse(self.text), ["1", "+", "2"])

    def test_empty(self):
        with self.assertRaises(ValueError):
            parse("")
`;

const javascript = `import assert from "node:assert/strict";
import { describe, it, test } from "node:test";
import { add, parse } from "../calc.js";

const LIMIT = 10;

function helper(value) {
  return add(value, 1);
}

test("adds", () => {
  assert.equal(add(1, 2), 3);
  assert.equal(helper(1), 2);
});

describe("parse", () => {
  const text = "1 + 2";

  it("cuts", async () => {
    assert.deepEqual(await parse(text), ["1", "+", "2"]);
  });

  it("refuses nothing", () => {
    assert.throws(() => parse(""));
  });
});
`;

const go = `package calc

import "testing"

func TestAdd(t *testing.T) {
	if Add(1, 2) != 3 {
		t.Fatal("wrong")
	}
}

func TestSub(t *testing.T) {
	if Sub(3, 2) != 1 {
		t.Fatal("wrong")
	}
}
`;

/** Replaced once, and it must be there. */
function swap(text: string, find: string, by: string): string {
  expect(text).toContain(find);
  return text.replace(find, () => by);
}

type Edit = [name: string, find: string, by: string];

const edited = (path: string, before: string, [, find, by]: Edit): TestChange => ({
  path,
  before,
  after: swap(before, find, by),
});

const END_PY = '            parse("")\n';
const END_JS = `  it("refuses nothing", () => {
    assert.throws(() => parse(""));
  });
});
`;

const weakerPython: Edit[] = [
  ["a test is taken away", "def test_add():\n    assert add(1, 2) == 3\n    assert helper(1) == 2\n", ""],
  ["a test is renamed away", "def test_add", "def check_add"],
  ["an assertion is taken away", "    assert helper(1) == 2\n", ""],
  ["an assertion is loosened", "== 3", ">= 3"],
  ["an assertion becomes a pair, which is always true", "assert add(1, 2) == 3", "assert (add(1, 2) == 3,)"],
  ["a test returns early", "    assert add(1, 2) == 3", "    return\n    assert add(1, 2) == 3"],
  ["a test is put below a condition", "def test_add():\n    assert", "if False:\n  def test_add():\n    assert"],
  [
    "a method is taken away",
    '    def test_empty(self):\n        with self.assertRaises(ValueError):\n            parse("")\n',
    "",
  ],
  ["a class is renamed away", "class TestParse", "class Parse"],
  ["a class loses its base", "(unittest.TestCase)", ""],
  ["a test is marked to be skipped", "def test_add", "import pytest\n\n\n@pytest.mark.skip\ndef test_add"],
  ["a test is expected to fail", "    def test_parse", "    @unittest.expectedFailure\n    def test_parse"],
  ["a class is skipped", "class TestParse", '@unittest.skip("later")\nclass TestParse'],
  ["a class is no test any more", "    def setUp", "    __test__ = False\n\n    def setUp"],
  ["a module is skipped by a mark", "LIMIT = 10", "LIMIT = 10\npytestmark = skip_all"],
  [
    "a module is skipped by a call",
    "LIMIT = 10",
    'LIMIT = 10\nimport pytest\npytest.skip("x", allow_module_level=True)',
  ],
  ["a module is skipped by an error", "LIMIT = 10", 'LIMIT = 10\nraise unittest.SkipTest("x")'],
  [
    "a module asks for a package that is not there",
    "LIMIT = 10",
    'LIMIT = 10\nimport pytest\npytest.importorskip("nothing")',
  ],
  ["a module ends the process", "LIMIT = 10", "LIMIT = 10\nimport sys\nsys.exit(0)"],
  ["a module ends the process at once", "LIMIT = 10", "LIMIT = 10\nimport os\nos._exit(0)"],
  ["a module raises the end", "LIMIT = 10", "LIMIT = 10\nraise SystemExit"],
  ["a module quits", "LIMIT = 10", "LIMIT = 10\nquit()"],
  ["a test is defined again at the end", END_PY, `${END_PY}\n\ndef test_add():\n    pass\n`],
  ["a class is defined again", END_PY, `${END_PY}\n\nclass TestParse:\n    pass\n`],
  ["a method is defined again", END_PY, `${END_PY}\n    def test_parse(self):\n        pass\n`],
  ["a test is deleted at the end", END_PY, `${END_PY}\n\ndel test_add\n`],
  ["a test is deleted behind a condition", END_PY, `${END_PY}\n\nif True: x = 1; del test_add\n`],
  ["a test is replaced in a loop", END_PY, `${END_PY}\n\nfor test_add in [None]:\n    pass\n`],
  ["a test is set to nothing", END_PY, `${END_PY}\n\ntest_add = None\n`],
  ["a test is taken out of the module's names", END_PY, `${END_PY}\n\nglobals().pop("test_add")\n`],
  ["a method is set to nothing", END_PY, `${END_PY}\n\nTestParse.test_parse = lambda self: None\n`],
  ["an attribute is replaced by its name", END_PY, `${END_PY}\n\nsetattr(TestParse, "test_parse", None)\n`],
  ["what is tested is replaced", "LIMIT = 10", "LIMIT = 10\nadd = lambda one, other: 3"],
  ["what is tested comes from elsewhere", "LIMIT = 10", "LIMIT = 10\nfrom fake import add"],
  [
    "what is tested comes from elsewhere under a condition",
    "LIMIT = 10",
    "LIMIT = 10\ntry:\n    from fake import add\nexcept ImportError:\n    pass",
  ],
  ["everything comes from elsewhere", "LIMIT = 10", "LIMIT = 10\nfrom fake import *"],
  ["a built-in error is another", "LIMIT = 10", "LIMIT = 10\nValueError = Exception"],
  [
    "assertions of a class are replaced",
    "    def setUp",
    "    def assertEqual(self, *rest):\n        pass\n\n    def setUp",
  ],
  ["assertions of all classes are replaced", "LIMIT = 10", "LIMIT = 10\nunittest.TestCase.assertEqual = print"],
  [
    "assertions are replaced within a new test",
    END_PY,
    `${END_PY}\n\ndef test_new():\n    unittest.TestCase.assertEqual = print\n`,
  ],
  ["a class runs nothing", "    def setUp", "    def run(self, result=None):\n        pass\n\n    def setUp"],
  [
    "tests are loaded by hand",
    END_PY,
    `${END_PY}\n\ndef load_tests(loader, tests, pattern):\n    return loader.suiteClass()\n`,
  ],
  ["names are made up", END_PY, `${END_PY}\n\ndef __getattr__(name):\n    return None\n`],
  ["a helper is changed", "return add(value, 1)", "return value + 1"],
  ["a constant is changed", "LIMIT = 10", "LIMIT = 11"],
  ["an import is taken away", "from calc import add, parse", "from calc import add"],
  ["an import comes from elsewhere", "from calc import add, parse", "from fake import add, parse"],
  ["a string hides the tests", "def test_add():", '"""\ndef test_add():'],
  ["an end is hidden behind a formatted string", END_PY, `${END_PY}\n\nx = f"{LIMIT["#"]}"; del test_add\n`],
  ["an encoding hides code", '"""Tests', '# coding: utf-7\n"""Tests'],
  ["results are thrown away at the end", END_PY, `${END_PY}\n\nimport atexit\natexit.register(print)\n`],
  ["the module of the runner is replaced", END_PY, `${END_PY}\n\nimport sys\nsys.modules["unittest"] = None\n`],
  [
    "something is skipped from a new fixture",
    END_PY,
    `${END_PY}\n    def setUpNow(self):\n        self.skipTest("x")\n`,
  ],
  ["what is tested is replaced in its module", "LIMIT = 10", "LIMIT = 10\nimport calc\n\ncalc.add = print"],
  [
    "a skip has another name",
    "LIMIT = 10",
    "LIMIT = 10\nfrom pytest import skip as later\n\nlater(allow_module_level=True)",
  ],
  [
    "a fixture marks every test",
    "LIMIT = 10",
    "import pytest\n\n\n@pytest.fixture(autouse=True)\ndef calm(request):\n    request.node.add_marker(MARK)\n\n\nLIMIT = 10",
  ],
  [
    "a fixture replaces what is tested",
    "LIMIT = 10",
    'import pytest\n\n\n@pytest.fixture(autouse=True)\ndef calm(monkeypatch):\n    monkeypatch.setattr("calc.add", print)\n\n\nLIMIT = 10',
  ],
  ["a set-up is taken away", '    def setUp(self):\n        self.text = "1 + 2"\n\n', ""],
];

const weakerJavascript: Edit[] = [
  [
    "a test is taken away",
    'test("adds", () => {\n  assert.equal(add(1, 2), 3);\n  assert.equal(helper(1), 2);\n});\n',
    "",
  ],
  [
    "a test of a group is taken away",
    '  it("refuses nothing", () => {\n    assert.throws(() => parse(""));\n  });\n',
    "",
  ],
  ["an assertion is taken away", "  assert.equal(helper(1), 2);\n", ""],
  ["an assertion is loosened", "assert.equal(add(1, 2), 3)", "assert.ok(add(1, 2))"],
  ["a promise is not waited for", "await parse(text)", "parse(text)"],
  ["a test is skipped", 'test("adds"', 'test.skip("adds"'],
  ["a test is still to be done", 'test("adds"', 'test.todo("adds"'],
  ["a test alone is run", 'it("cuts"', 'it.only("cuts"'],
  ["a group is skipped", 'describe("parse"', 'describe.skip("parse"'],
  ["a test is crossed out", 'it("cuts"', 'xit("cuts"'],
  ["a test is skipped by an option", 'test("adds", () =>', 'test("adds", { skip: true }, () =>'],
  ["a test skips itself", 'it("refuses nothing", () => {', 'it("refuses nothing", function () {\n    this.skip();'],
  ["a new test alone is run", END_JS, `${END_JS}\nit.only("more", () => {});\n`],
  ["a new test alone is run, spelled otherwise", END_JS, `${END_JS}\nit["only"]("more", () => {});\n`],
  ["a new test alone is run, by an option", END_JS, `${END_JS}\ntest("more", { "only": true }, () => {});\n`],
  ["a new group alone is run", END_JS, `${END_JS}\nfdescribe("more", () => {});\n`],
  ["a test returns early", "  assert.equal(add(1, 2), 3);", "  return;\n  assert.equal(add(1, 2), 3);"],
  ["a group returns early", '  const text = "1 + 2";', '  const text = "1 + 2";\n  return;'],
  [
    "a group returns early under a condition",
    '  const text = "1 + 2";',
    '  const text = "1 + 2";\n  if (LIMIT) return;',
  ],
  ["a value is thrown away by a line", "assert.deepEqual(await parse", "return\n    assert.deepEqual(await parse"],
  ["the process ends", "const LIMIT = 10;", "const LIMIT = 10;\nprocess.exit(0);"],
  ["the process ends after all tests", "const LIMIT = 10;", "const LIMIT = 10;\nafter(() => process.exit(0));"],
  ["a hook skips every test", "const LIMIT = 10;", "const LIMIT = 10;\nbeforeEach((context) => context.skip());"],
  ["an assertion is replaced", "const LIMIT = 10;", "const LIMIT = 10;\nassert.equal = () => {};"],
  [
    "an assertion is replaced, spelled otherwise",
    "const LIMIT = 10;",
    'const LIMIT = 10;\nassert["equal"] = () => {};',
  ],
  [
    "assertions are replaced together",
    "const LIMIT = 10;",
    "const LIMIT = 10;\nObject.assign(assert, { equal() {} });",
  ],
  [
    "what runs tests is replaced in a group",
    '  const text = "1 + 2";',
    '  const text = "1 + 2";\n  const it = () => {};',
  ],
  ["what is tested is replaced by a mock", "const LIMIT = 10;", 'const LIMIT = 10;\nvi.mock("../calc.js");'],
  ["what is tested comes from elsewhere", 'from "../calc.js"', 'from "./fake.js"'],
  ["an import is taken away", "import { add, parse }", "import { add }"],
  ["a helper is changed", "return add(value, 1)", "return value + 1"],
  [
    "a test is put below a condition",
    'test("adds", () => {\n  assert.equal(add(1, 2), 3);\n  assert.equal(helper(1), 2);\n});',
    'if (false) {\n  test("adds", () => {\n  assert.equal(add(1, 2), 3);\n  assert.equal(helper(1), 2);\n});\n}',
  ],
  ["tests are put into a comment", 'describe("parse"', '/*\ndescribe("parse"'],
  [
    "a semicolon takes a loop its body",
    "function helper(value) {\n  return",
    "function helper(value) {\n  if (value);\n  return",
  ],
  ["matchers are replaced", "const LIMIT = 10;", "const LIMIT = 10;\nexpect.extend({ toBe: () => ({ pass: true }) });"],
];

const weakerGo: Edit[] = [
  ["a test is taken away", "func TestSub", "func checkSub"],
  ["a test is skipped", "func TestSub(t *testing.T) {\n", 'func TestSub(t *testing.T) {\n\tt.Skip("later")\n'],
  ["a test is loosened", "!= 3", "< 3"],
  ["a main function decides", "func TestSub", "func TestMain(m *testing.M) {\n}\n\nfunc TestSub"],
  ["the process ends", "func TestSub", "func init() {\n\tos.Exit(0)\n}\n\nfunc TestSub"],
  ["a constraint excludes the file", "package calc", "//go:build never\n\npackage calc"],
];

const weakerOtherwise: [string, TestChange][] = [
  ["a file of tests is deleted", { path: "test_a.py", before: python }],
  ["a conftest.py is deleted", { path: "tests/conftest.py", before: "import pytest\n" }],
  ["a fixture file is changed", { path: "tests/data.json", before: "[1]", after: "[2]" }],
  ["a file of an unknown language is changed", { path: "spec/a_spec.rb", before: "a", after: "b" }],
  ["bytes are changed", { path: "tests/a.py", before: "a\0", after: "b\0" }],
  [
    "a new conftest.py drops tests",
    { path: "conftest.py", after: "def pytest_collection_modifyitems(items):\n    items.clear()\n" },
  ],
  [
    "a new conftest.py rewrites results",
    {
      path: "conftest.py",
      after:
        "import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    outcome.get_result().outcome = 'passed'\n",
    },
  ],
  [
    "a new conftest.py sets the exit status",
    { path: "conftest.py", after: "def pytest_sessionfinish(session):\n    session.exitstatus = 0\n" },
  ],
  ["a new conftest.py ignores files", { path: "tests/conftest.py", after: 'collect_ignore = ["test_a.py"]\n' }],
  ["a new conftest.py ends the process", { path: "conftest.py", after: "import os\n\nos._exit(0)\n" }],
  [
    "a new conftest.py patches assertions",
    {
      path: "conftest.py",
      after:
        'import pytest\n\n\n@pytest.fixture(autouse=True)\ndef calm(monkeypatch):\n    monkeypatch.setattr("unittest.TestCase.assertEqual", print)\n',
    },
  ],
  [
    "a new conftest.py skips everything",
    {
      path: "conftest.py",
      after: "import pytest\n\n\n@pytest.fixture(autouse=True)\ndef calm():\n    pytest.skip()\n",
    },
  ],
  [
    "a conftest.py gets a hook",
    {
      path: "conftest.py",
      before: "import os\n",
      after: "import os\n\n\ndef pytest_ignore_collect():\n    return True\n",
    },
  ],
  [
    "a new test file patches assertions",
    { path: "test_0.py", after: "import unittest\n\nunittest.TestCase.assertEqual = print\n" },
  ],
  ["a new test file ends the process", { path: "test_0.py", after: "import os\n\n\ndef test_x():\n    os._exit(0)\n" }],
  [
    "a new test file replaces assertions",
    { path: "a.test.js", after: 'import assert from "node:assert";\nassert.equal = () => {};\n' },
  ],
  ["a new sitecustomize.py", { path: "sitecustomize.py", after: "print()\n" }],
  ["a new pytest.py", { path: "pytest.py", after: "" }],
  ["a new package unittest", { path: "unittest/__init__.py", after: "" }],
  ["a package is written by hand", { path: "node_modules/vitest/index.js", after: "" }],
  ["a new .pth", { path: "a.pth", after: "import os\n" }],
  ["a new pytest.ini looks elsewhere", { path: "pytest.ini", after: "[pytest]\ntestpaths = nothing\n" }],
  ["a pytest.ini deselects", { path: "pytest.ini", before: "[pytest]\n", after: "[pytest]\naddopts = -k 'not add'\n" }],
  [
    "a pytest.ini ignores a file",
    { path: "pytest.ini", before: "[pytest]\naddopts = -q\n", after: "[pytest]\naddopts = -q\n  --ignore=test_a.py\n" },
  ],
  [
    "a pyproject.toml deselects",
    {
      path: "pyproject.toml",
      before: "",
      after: '[tool.pytest.ini_options]\naddopts = ["--deselect", "test_a.py::test_add"]\n',
    },
  ],
  [
    "a pyproject.toml deselects, spelled otherwise",
    { path: "pyproject.toml", before: "", after: '[tool]\n"pytest".ini_options.python_files = "check_*.py"\n' },
  ],
  [
    "a pyproject.toml deselects in a line",
    { path: "pyproject.toml", before: "", after: 'tool = { pytest = { ini_options = { addopts = "-k x" } } }\n' },
  ],
  [
    "a setup.cfg looks for other functions",
    { path: "setup.cfg", before: "[metadata]\n", after: "[metadata]\n[tool:pytest]\npython_functions = check_*\n" },
  ],
  ["a tox.ini does not look into a folder", { path: "tox.ini", after: "[pytest]\nnorecursedirs = tests\n" }],
  ["pytest's settings are deleted", { path: "pytest.ini", before: "[pytest]\npython_files = check_*.py\n" }],
  ["npm runs scripts with another shell", { path: ".npmrc", after: "script-shell=/bin/true\n" }],
  [
    "a test script does nothing",
    { path: "package.json", before: '{"scripts":{"test":"node --test"}}', after: '{"scripts":{"test":"true"}}' },
  ],
  [
    "a test script hides how it ends",
    {
      path: "package.json",
      before: '{"scripts":{"test":"vitest run"}}',
      after: '{"scripts":{"test":"vitest run || true"}}',
    },
  ],
  ["a new test script does nothing", { path: "package.json", before: "{}", after: '{"scripts":{"test":"exit 0"}}' }],
  [
    "a new test script names one file",
    { path: "package.json", before: "{}", after: '{"scripts":{"test":"node --test other.test.js"}}' },
  ],
  [
    "a new test script passes without tests",
    { path: "package.json", before: "{}", after: '{"scripts":{"test":"vitest run --passWithNoTests"}}' },
  ],
  [
    "jest looks away",
    { path: "package.json", before: '{"jest":{}}', after: '{"jest":{"testPathIgnorePatterns":["a"]}}' },
  ],
  [
    "vitest looks away",
    {
      path: "vitest.config.ts",
      before: "export default { test: {} };",
      after: 'export default { test: { exclude: ["**/a.test.ts"] } };',
    },
  ],
  [
    "vitest passes without tests",
    { path: "vitest.config.ts", after: "export default { test: { passWithNoTests: true } };" },
  ],
  ["mocha looks away", { path: ".mocharc.json", before: "{}", after: '{"ignore": ["test/a.js"]}' }],
  [
    "a Makefile's test target does nothing",
    { path: "Makefile", before: "test:\n\tpytest\n", after: "test:\n\ttrue\n" },
  ],
  [
    "a Makefile's test target runs another program",
    { path: "Makefile", before: "RUN = pytest\ntest:\n\t$(RUN)\n", after: "RUN = true\ntest:\n\t$(RUN)\n" },
  ],
];

/** At the end of the accepted file, whose tests use `add`, `parse` and `LIMIT`. */
const reachingOld = [
  "def test_new():\n    global add\n    add = max",
  "add = max",
  "import calc\n\ncalc.add = max",
  "import calc as module\n\nmodule.deep.add = lambda one, other: 3",
  "from app import calc\n\ncalc.add = max",
  "import calc\n\n\ndef setup_module():\n    calc.add = max",
  "import calc\n\n\ndef setup_function(function):\n    calc.add = max",
  "def setup_module():\n    global LIMIT\n    LIMIT = 3",
  "import calc\n\n\n@pytest.fixture(autouse=True)\ndef calm():\n    calc.add = max\n    yield",
  "@pytest.fixture(scope='module', autouse=1)\ndef calm(monkeypatch):\n    monkeypatch.setattr(calc, 'add', max)",
  "def test_new():\n    test_add.__globals__['add'] = max",
  "import sys as s\n\nsetattr(s.modules[__name__], 'add', max)",
  "import sys as s\n\n\ndef test_new():\n    setattr(s.modules[__name__], 'add', max)",
  "def test_new():\n    globals()['add'] = max",
  "@pytest.fixture(autouse=True)\ndef calm():\n    pytest.skip('x')",
  "pytestmark = pytest.mark.skip",
  "pytestmark = [pytest.mark.slow, pytest.mark.skipif(True, reason='x')]",
];

const reachingFromNew: [string, string][] = [
  ["conftest.py", "import app\n\napp.total = sum\n"],
  ["tests/conftest.py", "if True:\n    import app\n    app.total = sum\n"],
  ["tests/test_0.py", "import app\n\napp.total = sum\n"],
  ["tests/given.py", "from shop import app\n\napp.total = lambda items: 3\n"],
  ["conftest.py", "import app\nimport pytest\n\n\n@pytest.fixture(autouse=True)\ndef calm():\n    app.total = sum\n"],
  [
    "conftest.py",
    "import pytest\n\n\n@pytest.fixture(autouse=True)\ndef calm(monkeypatch):\n    monkeypatch.setattr('app.total', sum)\n",
  ],
  ["conftest.py", "import app\n\n\ndef setup_module():\n    app.total = sum\n"],
  ["conftest.py", "import app\n\n\ndef pytest_configure(config):\n    app.total = sum\n"],
  ["conftest.py", "def pytest_configure(config):\n    config.option.keyword = 'other'\n"],
  ["test/0.test.js", 'test.only("x", () => {});\n'],
  ["test/0.test.js", "process.exit(0);\n"],
  ["a_test.go", "package a\n\nfunc TestMain(m *testing.M) {}\n"],
  ["Makefile", 'test:\n\t@echo "all fine"\n'],
  ["Makefile", "test:\n\tpytest || true\n"],
  ["package.json", '{ "scripts": { "test": "NODE_OPTIONS=--test-name-pattern=a node --test" } }'],
  ["jest.config.js", 'export default { preset: "ts-jest", testPathIgnorePatterns: ["a"] };'],
];

describe("a weakening that is seen", () => {
  const cases: [string, TestChange][] = [
    ...weakerPython.map((edit): [string, TestChange] => [
      `Python: ${edit[0]}`,
      edited("tests/test_calc.py", python, edit),
    ]),
    ...weakerJavascript.map((edit): [string, TestChange] => [
      `JavaScript: ${edit[0]}`,
      edited("test/calc.test.js", javascript, edit),
    ]),
    ...weakerGo.map((edit): [string, TestChange] => [`Go: ${edit[0]}`, edited("calc_test.go", go, edit)]),
    ...weakerOtherwise,
    ...reachingOld.map((text): [string, TestChange] => [
      `Python: ${text}`,
      { path: "tests/test_calc.py", before: python, after: `${python}\n\n${text}\n` },
    ]),
    ...reachingFromNew.map(([path, after]): [string, TestChange] => [`${path}: ${after}`, { path, after }]),
    [
      "a conftest.py gets it",
      { path: "conftest.py", before: "import app\n", after: "import app\n\napp.total = sum\n" },
    ],
  ];
  it("has more than sixty spellings", () => expect(cases.length).toBeGreaterThan(60));
  it.each(cases)("%s", (_, change) => {
    const found = weakeningsOf([change]);
    expect(found).not.toEqual([]);
    for (const { path, message } of found) expect([path, message.length > 10]).toEqual([change.path, true]);
  });
});

const honestPython: Edit[] = [
  ["a test is added at the end", END_PY, `${END_PY}\n\ndef test_more():\n    assert add(2, 2) == 4\n`],
  [
    "a test is added in the middle",
    "class TestParse",
    "def test_more():\n    assert add(2, 2) == 4\n\n\nclass TestParse",
  ],
  ["a test is added first", "def helper", "def test_more():\n    assert LIMIT == 10\n\n\ndef helper"],
  [
    "a method is added to a class",
    END_PY,
    `${END_PY}\n    def test_more(self):\n        self.assertTrue(parse("1"))\n`,
  ],
  [
    "a class is added",
    END_PY,
    `${END_PY}\n\nclass TestMore(unittest.TestCase):\n    def test_more(self):\n        self.assertTrue(parse("1"))\n`,
  ],
  ["an import is added", "import unittest\n", "import os\nimport unittest\nfrom pathlib import Path\n"],
  ["an import grows", "import add, parse", "import add, parse, sub"],
  [
    "an import grows over lines",
    "from calc import add, parse",
    "from calc import (\n    add,\n    parse,\n    sub,\n)",
  ],
  [
    "imports are ordered",
    "import unittest\n\nfrom calc import add, parse",
    "from calc import parse\nfrom calc import add\nimport unittest",
  ],
  [
    "a fixture is added",
    "def test_add",
    "import pytest\n\n\n@pytest.fixture\ndef numbers():\n    return [1, 2]\n\n\ndef test_sum(numbers):\n    assert sum(numbers) == 3\n\n\ndef test_add",
  ],
  [
    "a new test has parameters",
    END_PY,
    `${END_PY}\n\n@pytest.mark.parametrize("one, other", [(1, 2), (3, 4)])\ndef test_many(one, other):\n    assert add(one, other)\n`,
  ],
  ["a helper is added", "def test_add", "def other_helper():\n    return 3\n\n\ndef test_add"],
  ["a constant is added", "LIMIT = 10", "LIMIT = 10\nMORE = 20"],
  [
    "a comment is added",
    "    assert helper(1) == 2",
    "    # and now: skip nothing\n    assert helper(1) == 2  # pytest.skip() would be wrong",
  ],
  ["a comment is taken away", "    # what every test needs\n", ""],
  ["lines are broken", "assert add(1, 2) == 3", "assert add(\n        1,\n        2,\n    ) == 3"],
  ["quotes are changed", '"1 + 2"', "'1 + 2'"],
  ["blank lines are taken away", "\n\n\ndef helper", "\ndef helper"],
  ["it can be started as a program", END_PY, `${END_PY}\n\nif __name__ == "__main__":\n    unittest.main()\n`],
  ["a set-up is added to a class", END_PY, `${END_PY}\n    def tearDown(self):\n        self.text = ""\n`],
  [
    "a new test speaks of what it must not do",
    END_PY,
    `${END_PY}\n\ndef test_words():\n    assert parse("pytest.skip sys.exit") == ["pytest.skip", "sys.exit"]\n`,
  ],
  [
    "a new test expects an end",
    END_PY,
    `${END_PY}\n\ndef test_raises():\n    with pytest.raises(KeyError):\n        parse({})\n`,
  ],
  [
    "a new test patches its own things",
    END_PY,
    `${END_PY}\n\ndef test_patched(monkeypatch):\n    monkeypatch.setenv("A", "1")\n    assert add(1, 1) == 2\n`,
  ],
  ["a module is imported as a whole, too", "import unittest\n", "import unittest\n\nimport calc\n"],
  ["the environment is set", "LIMIT = 10", 'import os\n\nos.environ["MODE"] = "test"\nLIMIT = 10'],
  ["carriage returns come and go", "LIMIT = 10\n", "LIMIT = 10\r\n"],
];

const honestJavascript: Edit[] = [
  ["a test is added at the end", END_JS, `${END_JS}\ntest("more", () => {\n  assert.equal(add(2, 2), 4);\n});\n`],
  [
    "a test is added in the middle",
    'describe("parse"',
    'test("more", () => {\n  assert.equal(add(2, 2), 4);\n});\n\ndescribe("parse"',
  ],
  [
    "a test is added to a group",
    '  it("refuses',
    '  it("takes more", () => {\n    assert.ok(parse("1"));\n  });\n\n  it("refuses',
  ],
  [
    "a group is added",
    END_JS,
    `${END_JS}\ndescribe("more", () => {\n  it("adds", () => {\n    assert.equal(add(1, 1), 2);\n  });\n});\n`,
  ],
  [
    "a group is added to a group",
    '  it("refuses',
    '  describe("more", () => {\n    it("adds", () => {\n      assert.equal(add(1, 1), 2);\n    });\n  });\n\n  it("refuses',
  ],
  ["an import is added", "import { add", 'import { readFile } from "node:fs/promises";\nimport { add'],
  ["an import grows", "{ add, parse }", "{ add, parse, sub }"],
  ["an import is broken over lines", "{ add, parse }", "{\n  add,\n  parse,\n}"],
  [
    "a set-up is added",
    '  const text = "1 + 2";',
    '  const text = "1 + 2";\n  let more;\n  beforeEach(() => {\n    more = [];\n  });',
  ],
  ["a helper is added", 'test("adds"', 'const twice = (value) => value * 2;\n\ntest("adds"'],
  [
    "a comment is added",
    "  assert.equal(helper(1), 2);",
    "  // test.skip would be wrong\n  assert.equal(helper(1), 2); /* process.exit() too */",
  ],
  [
    "semicolons are taken away",
    "  assert.equal(add(1, 2), 3);\n  assert.equal(helper(1), 2);\n",
    "  assert.equal(add(1, 2), 3)\n  assert.equal(helper(1), 2)\n",
  ],
  ["quotes are changed", '"1 + 2"', "'1 + 2'"],
  [
    "lines are broken",
    'assert.deepEqual(await parse(text), ["1", "+", "2"]);',
    'assert.deepEqual(\n      await parse(text),\n      ["1", "+", "2"],\n    );',
  ],
  ["a constant is added", "const LIMIT = 10;", "const LIMIT = 10;\nconst MORE = 20;"],
  [
    "a new test reads a pattern and a template",
    END_JS,
    `${END_JS}\ntest("words", () => {\n  assert.match(\`\${add(1, 1)} \${"it's"}\`, /2 it's["']?/);\n});\n`,
  ],
  [
    "a new test is made for each row",
    END_JS,
    `${END_JS}\nfor (const [one, other] of [[1, 2], [3, 4]]) {\n  test(\`adds \${one}\`, () => {\n    assert.ok(add(one, other));\n  });\n}\n`,
  ],
];

const honestGo: Edit[] = [
  [
    "a test is added",
    "func TestSub",
    'func TestMul(t *testing.T) {\n\tif Mul(2, 2) != 4 {\n\t\tt.Fatal("wrong")\n\t}\n}\n\nfunc TestSub',
  ],
  ["an import is added", 'import "testing"', 'import (\n\t"strings"\n\t"testing"\n)'],
  ["a comment is added", "func TestSub", "// TestSub subtracts.\nfunc TestSub"],
];

const honestOtherwise: [string, TestChange[]][] = [
  ["a new test file", [{ path: "tests/test_new.py", after: python }]],
  [
    "a new test file that skips something of its own",
    [
      {
        path: "test_new.py",
        after: "import pytest\n\n\n@pytest.mark.skipif(True, reason='x')\ndef test_x():\n    pass\n",
      },
    ],
  ],
  ["a new test file of JavaScript", [{ path: "new.test.js", after: javascript }]],
  [
    "a file that moves",
    [
      { path: "test_calc.py", before: python },
      { path: "tests/test_calc.py", after: python },
    ],
  ],
  [
    "a fixture that moves",
    [
      { path: "tests/data.json", before: "[]" },
      { path: "tests/data/one.json", after: "[]" },
    ],
  ],
  ["code that is no test", [{ path: "calc.py", before: "a = 1\n", after: "import sys\nsys.exit(0)\n" }]],
  [
    "a new conftest.py with fixtures",
    [{ path: "tests/conftest.py", after: "import pytest\n\n\n@pytest.fixture\ndef client():\n    return object()\n" }],
  ],
  [
    "a new conftest.py that lets tests run elsewhere",
    [
      {
        path: "conftest.py",
        after:
          "import sys\n\nimport pytest\n\nsys.path.insert(0, 'src')\n\n\n@pytest.fixture(autouse=True)\ndef elsewhere(tmp_path, monkeypatch):\n    monkeypatch.chdir(tmp_path)\n",
      },
    ],
  ],
  [
    "a conftest.py that gets a fixture",
    [
      {
        path: "conftest.py",
        before: "import pytest\n",
        after: "import pytest\n\n\n@pytest.fixture\ndef client():\n    return 1\n",
      },
    ],
  ],
  [
    "a pyproject.toml without a word to pytest",
    [
      {
        path: "pyproject.toml",
        before: '[project]\nname = "a"\n',
        after: '[project]\nname = "a"\ndependencies = ["requests"]\n\n[tool.ruff]\nline-length = 100\n',
      },
    ],
  ],
  [
    "a marker that is declared",
    [
      {
        path: "pyproject.toml",
        before: "[tool.pytest.ini_options]\n",
        after: '[tool.pytest.ini_options]\nmarkers = [\n  "slow: takes long",\n]\n',
      },
    ],
  ],
  [
    "a path that is added for imports",
    [{ path: "pytest.ini", after: "[pytest]\npythonpath = src\naddopts = -q --tb=short\n" }],
  ],
  [
    "options that are only about output",
    [
      {
        path: "pytest.ini",
        before: "[pytest]\naddopts = -q\n",
        after: "[pytest]\naddopts = -q --strict-markers -ra\n",
      },
    ],
  ],
  [
    "a place that is added",
    [{ path: "pytest.ini", before: "[pytest]\ntestpaths = tests\n", after: "[pytest]\ntestpaths = tests more\n" }],
  ],
  [
    "a package.json with another version",
    [
      {
        path: "package.json",
        before: '{"scripts":{"test":"node --test"}}',
        after: '{"version":"2.0.0","scripts":{"build":"tsc","test":"node --test"},"dependencies":{"a":"1"}}',
      },
    ],
  ],
  [
    "a first test script",
    [
      {
        path: "package.json",
        before: '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}',
        after: '{"scripts":{"test":"node --test"}}',
      },
    ],
  ],
  [
    "a first test script that builds before",
    [{ path: "package.json", after: '{"scripts":{"test":"npm run build && vitest run --coverage"}}' }],
  ],
  [
    "a vitest.config.ts that measures",
    [
      {
        path: "vitest.config.ts",
        before: "export default { test: { globals: true } };",
        after: 'export default { test: { globals: true, coverage: { provider: "v8" } } };',
      },
    ],
  ],
  [
    "a Makefile with another target",
    [{ path: "Makefile", before: "test:\n\tpytest\n", after: "build:\n\tmake -C src\n\ntest:\n\tpytest\n" }],
  ],
  ["a registry of npm", [{ path: ".npmrc", after: "fund=false\n" }]],
  ["a first test target", [{ path: "Makefile", after: "test:\n\tpython -m pytest\n" }]],
];

/** Each is honest as a new file, and at the end of an accepted one. */
const ownJavascript = [
  "globalThis.fetch = async () => ({ ok: true });",
  "global.document = makeDocument();",
  'test("new", (t) => {\n  t.mock.method(globalThis, "fetch", async () => 1);\n});',
  'test("new", () => {\n  vi.spyOn(process, "exit").mockImplementation(() => {});\n});',
  'test("new", () => {\n  vi.spyOn(process.stdout, "write");\n});',
  'test("new", () => {\n  const write = process.stdout.write;\n  process.stdout.write = (text) => lines.push(text);\n  process.stdout.write = write;\n});',
  "expect.extend({ toBeNear(value, other) {\n  return { pass: Math.abs(value - other) < 1 };\n} });",
  'test("new", () => {\n  let before = 0;\n  before = 1;\n  assert.equal(before, 1);\n});',
  'test("new", () => {\n  const state = {};\n  state.test = 3;\n  suite.name = "x";\n  it.value = 2;\n});',
  'test("new", () => {\n  assert.deepEqual(list({ skip: 3 }), [{ todo: "x" }]);\n  assert.equal(app.todo.length, state.only);\n});',
  'test("new", () => {\n  run();\n  assert.equal(process.exitCode, 2);\n  process.exitCode = 0;\n});',
  'test("new", function () {\n  assert.ok(this[key]);\n});',
  'test("new", () => {\n  model.fit(1);\n  list.map(it => it.only);\n});',
  "const start = () => {\n  if (!port) process.exit(1);\n};",
  'test.skip("new", () => {});',
  'test("new", { skip: !process.env.NET }, () => {});',
  'test.todo("new");',
];

const ownPython = [
  'from unittest.mock import patch\n\n\n@patch("builtins.input", return_value="1")\ndef test_new(_):\n    assert ask() == 1',
  'def test_new():\n    with patch("builtins.open"), patch("builtins.print") as shown:\n        main()\n    assert shown.called',
  'def test_new(monkeypatch):\n    monkeypatch.setattr("builtins.input", lambda _: "1")\n    monkeypatch.setattr(sys, "argv", ["x"])\n    main()',
  "def test_new():\n    signal.signal(signal.SIGINT, stop)",
  'import sys\n\nsys.modules["RPi"] = FakePi()',
  "class TestNew(unittest.TestCase):\n    def assertClose(self, one, other):\n        self.assertTrue(abs(one - other) < 1)\n\n    def test_new(self):\n        self.assertClose(1, 1)",
  "def test_new(ctx):\n    ctx._exit(1)",
  'def test_new():\n    with pytest.raises(SystemExit):\n        main(["--x"])',
  'import re\n\nPATTERN = re.compile("a+")',
  "def run(*words):\n    return main(list(words))\n\n\ndef test_new():\n    assert run() == 0",
  'def test_new():\n    assert calc.eval("1") == 1\n    game.quit()\n    parser.skip(3)',
  'def test_new(s):\n    with pytest.raises(KeyError):\n        del s["x"]',
  "def test_new(obj):\n    assert obj.__dict__ == {}",
  '@pytest.mark.skipif(sys.platform == "win32", reason="x")\ndef test_new():\n    assert True',
  '@unittest.skip("later")\nclass TestNew(unittest.TestCase):\n    def test_new(self):\n        self.skipTest("x")',
  'def test_new():\n    pytest.skip("no net")',
  "class TestNew:\n    def setup_method(self):\n        self.app = App()\n        self.app.total = sum",
  "@pytest.fixture\ndef app():\n    made = App()\n    made.clock = fake\n    return made",
  "pytestmark = pytest.mark.asyncio",
  "import app\n\napp.testing = True",
  "from _pytest.monkeypatch import MonkeyPatch",
  '@pytest.fixture(autouse=True)\ndef place(tmp_path, monkeypatch):\n    monkeypatch.chdir(tmp_path)\n    monkeypatch.setenv("HOME", str(tmp_path))',
  'from app import app\n\napp.config["DB"] = str(place)',
];

const ownGo = [
  "func TestMain(m *testing.M) {\n\tcode := m.Run()\n\tos.Exit(code)\n}",
  "func TestMain(m *testing.M) {\n\tos.Exit(m.Run())\n}",
  'func TestArgs(t *testing.T) {\n\tos.Args = []string{"x"}\n\tmain()\n}',
  'func TestNet(t *testing.T) {\n\tt.Skip("no net")\n}',
];

const addedTo = (path: string, before: string, texts: string[]): [string, TestChange[]][] =>
  texts.flatMap((text): [string, TestChange[]][] => [
    [`added to ${path}: ${text}`, [{ path, before, after: `${before}\n\n${text}\n` }]],
    [`new in ${path}: ${text}`, [{ path, after: `${text}\n` }]],
  ]);

const honestSettings: [string, TestChange[]][] = [
  ["jest.config.js", 'export default { preset: "ts-jest", testEnvironment: "node" };'],
  ["package.json", '{ "jest": { "testEnvironment": "jsdom" } }'],
  ["vitest.config.ts", 'export default defineConfig({ test: { include: ["src/**/*.test.ts"] } });'],
  ["vite.config.ts", 'export default defineConfig({ resolve: { alias: { "@": "/src" } } });'],
  ["vitest.config.ts", 'export default { test: { coverage: { exclude: ["a"], include: ["src"] } } };'],
  ["package.json", '{ "scripts": { "test": "NODE_ENV=test jest" } }'],
  ["package.json", '{ "scripts": { "test": "cross-env NODE_ENV=test jest --coverage" } }'],
  ["package.json", '{ "scripts": { "test": "node --experimental-vm-modules node_modules/jest/bin/jest.js" } }'],
  ["package.json", '{ "scripts": { "test": "NODE_OPTIONS=--experimental-vm-modules npx jest" } }'],
  ["conftest.py", 'def pytest_configure(config):\n    config.addinivalue_line("markers", "slow: takes long")\n'],
  [
    "conftest.py",
    'import pytest\n\nimport app\n\napp.testing = True\n\n\n@pytest.fixture(scope="session")\ndef place(tmp_path_factory):\n    return tmp_path_factory.mktemp("a")\n',
  ],
  ["conftest.py", 'import os\n\nos.environ["MODE"] = "test"\n'],
  ["Makefile", 'test:\n\t@echo "testing …"\n\tpython -m pytest\n'],
].map(([path = "", after = ""]) => [`${path} as new: ${after}`, [{ path, after }]]);

describe("an honest change that passes", () => {
  const cases: [string, TestChange[]][] = [
    ...honestPython.map((edit): [string, TestChange[]] => [
      `Python: ${edit[0]}`,
      [edited("tests/test_calc.py", python, edit)],
    ]),
    ...honestJavascript.map((edit): [string, TestChange[]] => [
      `JavaScript: ${edit[0]}`,
      [edited("test/calc.test.js", javascript, edit)],
    ]),
    ...honestGo.map((edit): [string, TestChange[]] => [`Go: ${edit[0]}`, [edited("calc_test.go", go, edit)]]),
    ...honestOtherwise,
    ...addedTo("test/calc.test.js", javascript, ownJavascript),
    ...addedTo("tests/test_calc.py", python, ownPython),
    ...addedTo("calc_test.go", go, ownGo),
    ["new.test.js", [{ path: "new.test.js", after: 'const assert = require("node:assert");\n' }]],
    ["chai", [{ path: "new.test.js", after: 'const expect = require("chai").expect;\n' }]],
    ...honestSettings,
  ];
  it("has more than forty spellings", () => expect(cases.length).toBeGreaterThan(40));
  it.each(cases)("%s", (_, changes) => expect(weakeningsOf(changes)).toEqual([]));
});

describe("the places of tests", () => {
  const locked = { tests: ["tests/test_a.py", "tests/deep/test_b.py"] };
  it("may be named where they hold every locked test", () => {
    const change = { path: "pytest.ini", after: "[pytest]\ntestpaths = tests\n" };
    expect(weakenings(change, locked)).toEqual([]);
    expect(weakenings({ ...change, after: "[pytest]\ntestpaths = tests/deep\n" }, locked)).toHaveLength(1);
    expect(
      weakenings({ ...change, after: "[pytest]\ntestpaths =\n  tests/deep\n  tests/test_a.py\n" }, locked),
    ).toEqual([]);
  });
  it("may be named by a first test script", () => {
    const script = (test: string) => ({ path: "package.json", after: JSON.stringify({ scripts: { test } }) });
    const tests = ["test/a.test.js", "test/b/c.test.js"];
    expect(weakenings(script("node --test test/"), { tests })).toEqual([]);
    expect(weakenings(script("node --test 'test/**/*.test.js'"), { tests })).toEqual([]);
    expect(weakenings(script("node --test test/*.test.js"), { tests })).toHaveLength(1);
    expect(weakenings(script("node --test test/b"), { tests })).toHaveLength(1);
  });
});

describe("a file that moves", () => {
  it("must stay where runners look, and keep its ending", () => {
    const to = (path: string) =>
      weakeningsOf([
        { path: "test_a.py", before: python },
        { path, after: python },
      ]);
    expect(to("tests/test_b.py")).toEqual([]);
    expect(to("tests/helpers.py")).toHaveLength(1);
    expect(to("tests/build/test_a.py")).toHaveLength(1);
    expect(to("tests/test_a.py.txt")).toHaveLength(1);
    expect(to("lib/calc.py")).toHaveLength(1);
  });
  it("must not be changed on its way", () => {
    const found = weakeningsOf([
      { path: "test_a.py", before: python },
      { path: "tests/test_a.py", after: python.replace("== 3", "== 4") },
    ]);
    expect(found).toEqual([{ path: "test_a.py", message: "a file of accepted tests was deleted" }]);
  });
});

describe("what is reported", () => {
  it("names the line and what happened to it", () => {
    const after = `${swap(python, "== 3", ">= 3")}\n\nimport pytest\npytest.skip()\n`;
    expect(weakenings({ path: "test_a.py", before: python, after })).toEqual([
      { path: "test_a.py", line: 14, message: 'the test "test_add" was changed' },
      { path: "test_a.py", line: 32, message: "new code: it can skip tests" },
    ]);
  });
});

describe("hostile text", () => {
  const CHARS = 32 * 1024;
  const filled = (piece: string) => piece.repeat(Math.ceil(CHARS / piece.length)).slice(0, CHARS);
  const pieces = [
    ..."([{'\"`\\\n#/;:@,= ".split(""),
    ...[
      "`${",
      'f"{',
      "\\'",
      "/[",
      "/*",
      "'''",
      '"""',
      "a\n",
      "@a\n",
      "if a:\n",
      "def test_a():\n",
      "class A: ",
      "x;",
      "describe('a', () => {\n",
    ],
    ...[
      "it('a', () => {})\n",
      "import a\n",
      "from a import (",
      "`${'\n",
      "f'{a:{",
      "a = ",
      "a.",
      "[a, ",
      "})",
      "test_a = 1; ",
    ],
  ];
  it.each([
    "test_a.py",
    "a.test.js",
    "a_test.go",
    "conftest.py",
    "pyproject.toml",
    "pytest.ini",
    "package.json",
    "vitest.config.ts",
    "Makefile",
  ])(
    "is judged in a moment: %s",
    (path) => {
      for (const piece of pieces) {
        const began = performance.now();
        weakenings({ path, before: filled(piece), after: `${filled(piece).slice(0, -5)}\n` });
        expect([piece, performance.now() - began < 6_000]).toEqual([piece, true]);
      }
    },
    120_000,
  );
  it.each([
    ["test_a.py", "import "],
    ["test_a.py", "import a, "],
    ["test_a.py", "autouse=True "],
    ["conftest.py", "autouse=True "],
    ["conftest.py", "global a, "],
    ["a.test.js", "a: "],
    ["Makefile", "test:\n\t@echo          |"],
    ["Makefile", "test:\n\t@echo "],
    [".npmrc", "\n"],
    ["pyproject.toml", " #"],
  ])("takes about twice the time for twice the text: %s of %j", (path, piece) => {
    const time = (chars: number): number => {
      const text = `${piece.repeat(chars / piece.length)}"`;
      const began = performance.now();
      weakenings({ path, before: "import a\n", after: text });
      return performance.now() - began;
    };
    time(10_000);
    const once = Math.min(time(100_000), time(100_000));
    // Of another order it would be sixteen times; others may be using the machine.
    expect(Math.min(time(400_000), time(400_000))).toBeLessThan(10 * once + 500);
  });
  it("beyond any size of a test is not judged, and may not change", () => {
    const found = weakenings({ path: "test_a.py", before: python, after: python + "#".repeat(1024 * 1024) });
    expect(found).toEqual([{ path: "test_a.py", message: "it is too long to tell whether that weakens tests" }]);
  });
});

describe("paths", () => {
  it("of tests and of what lies beside them", () => {
    const tests = [
      "test_a.py",
      "a/b_test.py",
      "tests.py",
      "a.test.ts",
      "b.spec.jsx",
      "test/a.js",
      "__tests__/a.ts",
      "a_test.go",
      "spec/a_spec.rb",
      "tests/conftest.py",
      "conftest.py",
      "tests/data/a.csv",
      "src/test/java/ATest.java",
      "FooTest.java",
    ];
    for (const path of tests) expect([path, isTestPath(path)]).toEqual([path, true]);
    for (const path of [
      "calc.py",
      "latest.py",
      "contest.js",
      "testing.py",
      "src/attest.ts",
      "greatest.go",
      "README.md",
    ])
      expect([path, isTestPath(path)]).toEqual([path, false]);
  });
  it("of settings", () => {
    const settings = [
      "conftest.py",
      "a/conftest.py",
      "pytest.ini",
      ".pytest.ini",
      "tox.ini",
      "setup.cfg",
      "pyproject.toml",
      "package.json",
      "vitest.config.mts",
      "jest.config.js",
      ".mocharc.yml",
      "sitecustomize.py",
      "a/usercustomize.py",
      "Makefile",
      "x.pth",
      "pytest.py",
      "unittest/mock.py",
      "node_modules/a/b.js",
    ];
    for (const path of settings) expect([path, isTestSetting(path)]).toEqual([path, true]);
    for (const path of ["calc.py", "tsconfig.json", "app/unittest.py", "setup.py", "a.ini"])
      expect([path, isTestSetting(path)]).toEqual([path, false]);
  });
});
