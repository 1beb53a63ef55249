import { describe, expect, it } from "vitest";
import { type TestChange, weakeningsOf } from "./locked-tests.ts";

const foundIn = (change: TestChange) => weakeningsOf([change]).map(({ message }) => message);

describe("accepted tests", () => {
  it("are not judged by their text: what changes in them is run", () => {
    expect(foundIn({ path: "tests/test_a.py", before: "def test_a(): assert 1", after: "" })).toEqual([]);
    expect(foundIn({ path: "tests/test_b.py", after: "def test_b(): pass" })).toEqual([]);
    expect(foundIn({ path: "calc.py", before: "a = 1" })).toEqual([]);
  });

  it("are not deleted, nor moved to where no runner finds them", () => {
    const before = "def test_a(): pass\n";
    expect(foundIn({ path: "tests/test_a.py", before })).toEqual(["a file of accepted tests was deleted"]);
    const moved = (path: string) =>
      weakeningsOf([
        { path: "tests/test_a.py", before },
        { path, after: before },
      ]);
    expect(moved("checks/test_a.py")).toEqual([]);
    expect(moved("notes/a.py")).toHaveLength(1);
    expect(moved("build/test_a.py")).toHaveLength(1);
  });
});

type Edit = [what: string, path: string, before: string | undefined, after: string | undefined];

describe("settings of accepted tests", () => {
  it.each<Edit>([
    ["a test script", "package.json", '{"scripts":{"test":"node --test"}}', '{"scripts":{"test":"true"}}'],
    ["a test script taken away", "package.json", '{"scripts":{"test":"node --test"}}', "{}"],
    [
      "a script before the tests",
      "package.json",
      '{"scripts":{"test":"jest"}}',
      '{"scripts":{"pretest":"x","test":"jest"}}',
    ],
    ["a runner in the manifest", "web/package.json", '{"jest":{}}', '{"jest":{"testRegex":"a"}}'],
    ["a configuration", "vitest.config.ts", "export default {}", "export default { test: { exclude: ['a'] } }"],
    ["a configuration deleted", "jest.config.js", "module.exports = {}", undefined],
    [
      "pytest's options",
      "pyproject.toml",
      "[tool.pytest.ini_options]\naddopts = '-q'",
      "[tool.pytest.ini_options]\naddopts = '-k a'",
    ],
    ["pytest's options", "setup.cfg", "[tool:pytest]\ntestpaths =\n  a\n  b", "[tool:pytest]\ntestpaths =\n  a"],
    ["pytest's own file", "pytest.ini", "[pytest]\ntestpaths = tests", ""],
    ["a hook", "tests/conftest.py", "import os\n", "def pytest_collection_modifyitems(items): items.clear()\n"],
    ["a new hook", "conftest.py", undefined, 'collect_ignore = ["tests/test_total.py"]\n'],
    ["tox's command", "tox.ini", "[testenv]\ncommands = pytest", "[testenv]\ncommands = pytest -k a"],
    [
      "a task",
      "pyproject.toml",
      '[tool.poe.tasks]\ntest = "pytest"',
      '[tool.poe.tasks]\ntest = "pytest tests/test_a.py"',
    ],
    ["what cargo tests", "Cargo.toml", "[lib]\ntest = true", "[lib]\ntest = false"],
    ["what Maven tests", "pom.xml", "<skipTests>false</skipTests>", "<project><skipTests>true</skipTests></project>"],
    [
      "how Maven tests",
      "pom.xml",
      "<plugin><artifactId>maven-surefire-plugin</artifactId><configuration><includes/></configuration></plugin>",
      "<plugin><artifactId>maven-surefire-plugin</artifactId><configuration><excludes/></configuration></plugin>",
    ],
    [
      "a script before the tests",
      "package.json",
      '{"scripts":{"test":"vitest run"}}',
      '{"scripts":{"test":"vitest run","prepare":"cp fake node_modules/.bin/vitest"}}',
    ],
    ["a target", "Makefile", "test:\n\tpytest\n", "test:\n\t-pytest\n"],
    ["a shell", ".npmrc", "script-shell=/bin/sh", "script-shell=/bin/true"],
    ["a module in the runner's place", "pytest.py", undefined, "x = 1\n"],
    ["a module before the runner", "sitecustomize.py", undefined, "x = 1\n"],
  ])("are kept: %s (%s)", (_what, path, before, after) => {
    expect(foundIn({ path, before, after })).toHaveLength(1);
  });

  it.each<Edit>([
    [
      "a dependency",
      "package.json",
      '{"scripts":{"test":"jest"}}',
      '{"scripts":{"test":"jest"},"dependencies":{"a":"1"}}',
    ],
    [
      "the first test script",
      "package.json",
      '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}',
      '{"scripts":{"test":"jest"}}',
    ],
    [
      "another section",
      "pyproject.toml",
      "[tool.pytest.ini_options]\naddopts = '-q'",
      "[tool.ruff]\na = 1\n[tool.pytest.ini_options]\naddopts = '-q'",
    ],
    ["a marker", "pytest.ini", "[pytest]\naddopts = -q", "[pytest]\nmarkers =\n  slow: slow tests\naddopts = -q"],
    ["first settings", "pytest.ini", undefined, "[pytest]\ntestpaths = tests"],
    ["a fixture", "conftest.py", undefined, "import pytest\n\n@pytest.fixture\ndef app(): return 1\n"],
    ["another target", "Makefile", "test:\n\tpytest\n", "run:\n\tpython app.py\ntest:\n\tpytest\n"],
    [
      "a package for tests",
      "tox.ini",
      "[testenv]\ndeps = a\ncommands = pytest",
      "[testenv]\ndeps = b\ncommands = pytest",
    ],
    [
      "another task",
      "pyproject.toml",
      '[tool.poe.tasks]\ntest = "pytest"',
      '[tool.poe.tasks]\nserve = "python app.py"\ntest = "pytest"',
    ],
    [
      "a pom",
      "pom.xml",
      "<plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin>",
      "<dependency><scope>test</scope></dependency><plugin><artifactId>maven-surefire-plugin</artifactId></plugin>",
    ],
    ["a crate", "Cargo.toml", "[lib]\ntest = true", "[dependencies]\na = '1'\n[lib]\ntest = true"],
    ["a comment", "jest.config.js", "module.exports = {}", "// jest\nmodule.exports = {}"],
    ["a setting of something else", "tox.ini", "[flake8]\nexclude = a", "[flake8]\nexclude = b"],
  ])("may take up %s (%s)", (_what, path, before, after) => {
    expect(foundIn({ path, before, after })).toEqual([]);
  });
});
