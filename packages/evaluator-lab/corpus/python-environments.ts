/** Python projects whose released or installed copies are well, or whose settings look so, while the tree is not. */
import { lines, type Project } from "./project.ts";

const manifest = (name: string, ...more: string[]): string =>
  lines("[project]", `name = "${name}"`, 'version = "99.0"', ...more);
const failing = lines("def test_wrong():", "    assert 1 == 2");
const passing = lines("def test_right():", "    assert 1 == 1");
const failingCase = lines(
  "import unittest",
  "class A(unittest.TestCase):",
  "    def test_a(self):",
  "        self.fail()",
);
const tox = (...commands: string[]): string =>
  lines("[testenv]", "commands =", ...commands.map((line) => `    ${line}`));

const red = (name: string, files: Project["files"], tests: Project["label"]["tests"] = "failed"): Project => ({
  name: `python: ${name}`,
  kind: "python",
  needs: "pytest",
  isInstalled: true,
  files,
  label: { syntax: "passed", tests },
});

export const pythonEnvironmentProjects: Project[] = [
  red(
    "what pytest brings along, broken in the tree",
    {
      "pyproject.toml": manifest("iniconfig", "[tool.setuptools.package-dir]", '"" = "lib"'),
      "lib/iniconfig/__init__.py": lines(
        "class IniConfig:",
        "    def __init__(self, *a, **b):",
        "        raise OSError",
      ),
      "tests/test_a.py": lines(
        "from iniconfig import IniConfig",
        "def test_a(tmp_path):",
        "    (tmp_path / 'a').write_text('[a]')",
        "    IniConfig(str(tmp_path / 'a'))",
      ),
    },
    "crashed",
  ),
  red("the released version of the project's own name", {
    "pyproject.toml": manifest("pluggy"),
    "mine.py": "one = 1\n",
    "tests/test_a.py": lines(
      "from importlib.metadata import version",
      "def test_a():",
      "    assert version('pluggy').startswith('1.')",
    ),
  }),
  red(
    "a program of the tree, started in another folder",
    {
      "pyproject.toml": manifest("iniconfig"),
      "iniconfig/__init__.py": 'raise RuntimeError("broken")\n',
      "tests/test_a.py": lines(
        "import subprocess, sys",
        "def test_a(tmp_path):",
        "    subprocess.run([sys.executable, '-c', 'import iniconfig'], cwd=tmp_path, check=True)",
      ),
    },
    "crashed",
  ),
  red("a package of this computer that no manifest declares", {
    "pyproject.toml": manifest("mine"),
    "tests/test_a.py": lines("from importlib.util import find_spec", "def test_a():", "    assert find_spec('pip')"),
  }),
  red("a command that forgives its runner", { "tox.ini": tox("- pytest"), "test_a.py": failing }),
  red("a folder that tox changes to", {
    "tox.ini": lines("[testenv]", "changedir = src", "commands = python -m unittest discover"),
    "src/mine.py": "one = 2\n",
    "src/test_a.py": lines("import mine", failingCase.replace("self.fail()", "self.assertEqual(mine.one, 1)")),
  }),
  red("a command that chooses no test", { "tox.ini": tox("pytest -k nothing"), "test_a.py": failing }, "not_found"),
  red(
    "a script in the runner's place",
    { "tox.ini": tox("python run_tests.py"), "run_tests.py": 'print("OK")\n', "test_a.py": failing },
    "not_found",
  ),
  red(
    "unittest's runner replaced",
    {
      "tox.ini": tox("python run_tests.py"),
      "run_tests.py": lines(
        "import unittest",
        "unittest.TextTestRunner.run = lambda self, suite: unittest.TestResult()",
        "unittest.main(module='test_a')",
      ),
      "test_a.py": failingCase,
    },
    "not_found",
  ),
  red(
    "unittest left in the middle",
    {
      "tox.ini": tox("python -m unittest test_a test_b"),
      "test_a.py": failingCase.replace("self.fail()", "pass"),
      "test_b.py": lines(
        "import sys, unittest",
        "def setUpModule():",
        "    sys.exit(0)",
        "class B(unittest.TestCase):",
        "    def test_b(self):",
        "        self.fail()",
      ),
    },
    "crashed",
  ),
  red(
    "tests hidden where every Python is",
    {
      "pyproject.toml": manifest("mine"),
      "conftest.py": lines(
        "import sys",
        "collect_ignore = []",
        "if sys.version_info > (3, 0):",
        '    collect_ignore.append("test_b.py")',
      ),
      "test_a.py": passing,
      "test_b.py": failing,
    },
    "crashed: tampered",
  ),
  red(
    "a plugin of its own that makes every report green",
    {
      "pyproject.toml": manifest("mine", "[project.entry-points.pytest11]", 'mine = "pytest_mine"'),
      "pytest_mine.py": lines(
        "import _pytest.runner as runner",
        "def green(item, **more):",
        "    return True",
        "runner.runtestprotocol = green",
        "runner.call_and_report = green",
      ),
      "test_a.py": failing,
    },
    "crashed: tampered",
  ),
  red("what Python loads at its start", {
    "pyproject.toml": manifest("mine"),
    "sitecustomize.py": lines(
      "import sys",
      "class Green:",
      "    def main(*a, **b):",
      "        return 0",
      "sys.modules['pytest'] = Green",
    ),
    "test_a.py": failing,
  }),
];
