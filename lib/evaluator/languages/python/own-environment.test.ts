import { afterAll, describe, expect, it } from "vitest";
import {
  evaluation,
  type Files,
  layTree,
  newFolder,
  pythonCan,
  removeFolders,
  toolchain,
} from "../../../../test/doubles/evaluation.ts";
import { writeWheel } from "../../../../test/doubles/package-index.ts";
import { unsealed } from "../../../sandbox/seal.ts";
import { createInstall } from "../../packages/install.ts";

afterAll(removeFolders);

const noPip = !pythonCan("import pip, venv, pytest");

/** Evaluated with what an index of these packages has for it. */
async function testsOf(files: Files, ...packages: [string, string][]) {
  const index = newFolder();
  for (const [name, version] of packages) writeWheel(index, name, version);
  const install = createInstall({
    ...{ folder: newFolder(), toolchain, seal: unsealed("tests"), isOpen: false, claim: () => {}, announce: () => {} },
    ...{ settings: async () => ({ env: { PIP_NO_INDEX: "1", PIP_FIND_LINKS: index }, readable: [] }) },
    ...{ now: Date.now, newId: () => "one" },
  });
  const environment = await install(layTree(files), { timeoutMs: 60_000 });
  const command = { argv: ["python", "-m", "pytest", "-q"] };
  const verdict = await evaluation(files, { tests: {}, command, environment });
  return { environment, tests: verdict.tests, command: verdict.command };
}

const project = (...more: string[]): string =>
  ["[project]", 'name = "l2mine"', 'version = "9.1"', ...more, ""].join("\n");

describe.skipIf(noPip)("the environment of a Python project (needs pip and pytest)", () => {
  it("has the project itself: its version, its programs and its code, in any folder", async () => {
    const files = {
      "pyproject.toml": project("[project.scripts]", 'l2-run = "l2mine:main"'),
      "src/l2mine/__init__.py": "def main(): print('started')\n",
      "tests/test_a.py": [
        "import subprocess, sys",
        "from importlib.metadata import version",
        "def test_version(): assert version('l2mine') == '9.1'",
        "def test_program(tmp_path): assert subprocess.check_output(['l2-run'], cwd=tmp_path, text=True) == 'started\\n'",
        "def test_module(tmp_path): subprocess.check_call([sys.executable, '-I', '-c', 'import l2mine'], cwd=tmp_path)",
      ].join("\n"),
    };
    const { tests, command } = await testsOf(files);
    expect(tests).toMatchObject({ status: "passed", passed: 3 });
    expect(command).toMatchObject({ status: "passed", stdout: expect.stringContaining("3 passed") });
  });

  it("has the tree's code, and never a released package of its name", async () => {
    const files = {
      "pyproject.toml": project(
        'dependencies = ["l2other"]',
        "[project.optional-dependencies]",
        'test = ["l2mine[more]", "l2two"]',
        'more = ["l2three"]',
      ),
      "requirements.txt": "l2mine\n-e .[more]\n",
      "lib/l2mine/__init__.py": "raise RuntimeError('broken')\n",
      "test_a.py": "import l2three, l2two\ndef test_a():\n    import l2mine\n",
    };
    const all: [string, string][] = ["l2mine", "l2other", "l2two", "l2three"].map((name) => [name, "1.0"]);
    const { environment, tests } = await testsOf(files, ...all);
    expect(environment.missing).toEqual([]);
    expect(tests).toMatchObject({ status: "failed", failed: 1 });
  });

  it("sees no other package of this computer", async () => {
    const files = { "requirements.txt": "l2two\n", "test_a.py": "def test_a():\n    import l2two, pip\n" };
    expect((await testsOf(files, ["l2two", "1.0"])).tests).toMatchObject({ status: "failed", failed: 1 });
  });

  it("has the versions of a lock file, and the bounds that Poetry means", async () => {
    const files = {
      "pyproject.toml":
        '[tool.poetry]\nname = "l2mine"\n[tool.poetry.dependencies]\npython = "^3.8"\nl2two = "^1.0"\nl2three = "*"\n',
      "poetry.lock": '[[package]]\nname = "l2three"\nversion = "1.0"\n',
      "test_a.py":
        "import l2two, l2three\ndef test_a(): assert (l2two.__version__, l2three.__version__) == ('1.5', '1.0')\n",
    };
    const all: [string, string][] = [
      ["l2two", "1.5"],
      ["l2two", "2.0"],
      ["l2three", "1.0"],
      ["l2three", "3.0"],
    ];
    expect((await testsOf(files, ...all)).tests).toMatchObject({ status: "passed", passed: 1 });
  });

  it("says where a lock file does not fit, takes what the manifest asks for, and excuses no other package", async () => {
    const files = {
      "pyproject.toml": '[project]\nname = "l2mine"\nversion = "1"\ndependencies = ["l2two>=2"]\n',
      "uv.lock": '[[package]]\nname = "l2two"\nversion = "1.5"\nsource = { registry = "https://pypi.org/simple" }\n',
      "test_a.py":
        "import l2two\ndef test_a():\n    assert l2two.__version__ == '2.0'\ndef test_b():\n    import l2none\n",
    };
    const { environment, tests } = await testsOf(files, ["l2two", "1.5"], ["l2two", "2.0"]);
    expect(environment.missing).toEqual([
      expect.stringMatching(/^uv\.lock: not followed, it does not fit what the project asks for .*write it again/),
    ]);
    expect(tests).toMatchObject({ status: "failed", passed: 1, failed: 1 });
  });

  it("is made of lists in other places, and of tox's", async () => {
    const files = {
      "tox.ini":
        "[testenv]\ndeps =\n    -r{toxinidir}/requirements/tests.txt\n    docs: l2nothing\n    l2three\ncommands = python -m unittest discover checks -p 'check_*.py'\n",
      "requirements/tests.txt": "-c pins.txt\nl2two\n",
      "requirements/pins.txt": "l2two==1.0\n",
      "requirements-dev.txt": "l2nothing\n",
      "checks/check_a.py":
        "import unittest, l2two, l2three\nclass A(unittest.TestCase):\n    def test_a(self): self.assertEqual(l2two.__version__, '1.0')\n",
      "test_left.py": "",
    };
    const { environment, tests } = await testsOf(files, ["l2two", "1.0"], ["l2two", "2.0"], ["l2three", "1.0"]);
    expect(environment.missing).toEqual([]);
    expect(tests).toMatchObject({ status: "passed", runner: "unittest", passed: 1 });
  });

  it("is that of a folder below the root", async () => {
    const files = {
      "backend/requirements.txt": "l2two\n",
      "backend/app/__init__.py": "one = 1\n",
      "backend/tests/test_a.py": "import l2two\nfrom app import one\ndef test_a(): assert one\n",
    };
    const { tests } = await testsOf(files, ["l2two", "1.0"]);
    expect(tests).toMatchObject({ status: "passed", passed: 1, cases: [{ name: "backend/tests/test_a.py::test_a" }] });
  });
});
