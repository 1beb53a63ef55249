import { afterAll, describe, expect, it } from "vitest";
import { type Files, layTree, removeFolders } from "../../../../test/doubles/evaluation.ts";
import { metadataOf, readPythonManifests } from "./python-metadata.ts";
import { rootsOf } from "./python-roots.ts";
import { setupArguments } from "./setup-script.ts";
import { declaredCommand } from "./test-command.ts";
import { toxEnvironment, toxVariables } from "./tox.ts";

afterAll(removeFolders);

const manifestsOf = (files: Files) => readPythonManifests(layTree(files));
const commandOf = async (files: Files) => declaredCommand(await manifestsOf(files));
const tox = (...commands: string[]): Files => ({
  "tox.ini": ["[testenv]", "commands =", ...commands.map((line) => `    ${line}`)].join("\n"),
});

describe("the command that tests a Python project", () => {
  it.each([
    ["pytest -v --tb=short {posargs:tests}", "pytest", ["-v", "--tb=short", "tests"]],
    ["python -m pytest {posargs}", "pytest", []],
    [
      "coverage run --source=markdown -m unittest discover {toxinidir}/tests",
      "unittest",
      ["-m", "unittest", "discover", "./tests"],
    ],
    ["python -m coverage run --branch --source mine -m pytest tests", "pytest", ["tests"]],
    ["tests: coverage run -m pytest {posargs:-n auto}", "pytest", ["-n", "auto"]],
    ["- {envpython} -W error manage.py test notes", "unittest", ["manage.py", "test", "notes"]],
    ["django-admin test --settings=tests.settings", "unittest", ["-m", "django", "test", "--settings=tests.settings"]],
    ["poetry run pytest -k 'one or two'", "pytest", ["-k", "one or two"]],
  ])("is read from tox: %s", async (line, runner, words) => {
    expect(await commandOf(tox("flake8 .", line))).toEqual({ runner, arguments: words });
  });

  it.each(["pytest || true", "pytest; exit 0", "sphinx-build docs out", "lint: pytest -k none", "sh -c 'pytest'"])(
    "is not: %s",
    async (line) => {
      expect(await commandOf(tox(line))).toBeUndefined();
    },
  );

  it("runs in the folder that tox changes to, and finds the others from there", async () => {
    const lines = [
      "[testenv]",
      "changedir = {toxinidir}/src/a",
      "commands = python -m unittest discover {toxinidir}/x",
    ];
    expect(await commandOf({ "tox.ini": lines.join("\n") })).toEqual({
      ...{ runner: "unittest", arguments: ["-m", "unittest", "discover", "../../x"], folder: "src/a" },
    });
    const toml = '[env_run_base]\nchange_dir = "tests"\ncommands = [["pytest"]]\n';
    expect(await commandOf({ "tox.toml": toml })).toEqual({ runner: "pytest", arguments: [], folder: "tests" });
    for (const folder of ["{envtmpdir}", "..", "/tmp"])
      expect(await commandOf({ "tox.ini": `[testenv]\nchangedir = ${folder}\ncommands = pytest\n` })).toEqual({
        ...{ runner: "pytest", arguments: [] },
      });
  });

  it("is one where the same is said with and without coverage", async () => {
    const found = await commandOf(tox("coverage run -m pytest tests", "coverage report", "pytest tests"));
    expect(found).toEqual({ runner: "pytest", arguments: ["tests"] });
  });

  it("is none where there are several, or one that is not understood beside it", async () => {
    expect(await commandOf(tox("pytest tests/one", "pytest tests/two"))).toBeUndefined();
    expect(await commandOf(tox("pytest tests/pytest", "python -m testtools.run discover"))).toBeUndefined();
  });

  it("is read from the scripts of hatch and pdm", async () => {
    const hatch = '[tool.hatch.envs.test.scripts]\ntest = "pytest {args:tests}"\n';
    expect(await commandOf({ "pyproject.toml": hatch })).toEqual({ runner: "pytest", arguments: ["tests"] });
    const pdm = '[tool.pdm.scripts]\ntest = { cmd = "python -m unittest" }\n';
    expect(await commandOf({ "pyproject.toml": pdm })).toEqual({ runner: "unittest", arguments: ["-m", "unittest"] });
  });
});

const NOX = `
import nox
nox.options.sessions = ["lint", "tests"]
EXTRAS = ["one>=1", "two"]

@nox.session
def lint(session: nox.Session) -> None:
    session.install("ruff")
    session.run("ruff", "check")

@nox.session(python=["3.11", "3.12"], reuse_venv=True)
@nox.parametrize("x", [1, 2])
def tests(session, x):
    """Runs (the) tests."""
    session.install("--only-binary", ":all:", "-r", "requirements/test.txt", "-e.[fast]", *EXTRAS, env={"A": "b"})
    session.run("pytest", "--tb=short", *session.posargs, "tests", env={"B": "c"})

@nox.session
def docs(session):
    session.install("sphinx")
    session.run("pytest", "docs")
`;

describe("a noxfile.py", () => {
  it("says by its test session what is installed and run", async () => {
    expect(await commandOf({ "noxfile.py": NOX })).toEqual({ runner: "pytest", arguments: ["--tb=short", "tests"] });
    expect(toxEnvironment(await manifestsOf({ "noxfile.py": NOX })).deps).toEqual([
      "-r requirements/test.txt",
      "-e .[fast]",
      "one>=1",
      "two",
    ]);
  });

  it("is named where what it installs is no literal, and is no session without its mark", async () => {
    const computed = NOX.replace('"-r"', "requirements()");
    expect((await manifestsOf({ "noxfile.py": computed })).refused).toEqual([expect.stringContaining("noxfile.py")]);
    const half = NOX.replace('"pytest", "--tb', '*COVERAGE, "-m", "pytest", "--tb');
    expect(await commandOf({ "noxfile.py": half })).toBeUndefined();
    expect((await manifestsOf({ "noxfile.py": NOX.replaceAll("@nox", "# @nox") })).nox).toBeUndefined();
    const path = 'ROOT = Path(__file__).parent\nHERE = ROOT / "mine" / "tests"\n';
    const session = "@nox.session\ndef tests(session):\n    session.run('pytest', *session.posargs, HERE)\n";
    expect(await commandOf({ "noxfile.py": path + session })).toEqual({
      ...{ runner: "pytest", arguments: ["./mine/tests"] },
    });
    expect(await commandOf({ "noxfile.py": NOX, ...tox("python -m unittest") })).toMatchObject({ runner: "unittest" });
  });
});

describe("tox", () => {
  const toml = `[env_run_base]
deps = ["one"]
commands = [["pytest", { replace = "posargs", default = ["tests"], extend = true }]]
set_env = { MODE = "fast", PYTHONPATH = "evil" }
`;

  it("is read from tox.toml", async () => {
    const manifests = await manifestsOf({ "tox.toml": toml });
    expect(declaredCommand(manifests)).toEqual({ runner: "pytest", arguments: ["tests"] });
    expect(toxEnvironment(manifests).deps).toEqual(["one"]);
    expect(toxVariables(manifests, "/copy")).toEqual({ MODE: "fast" });
  });

  it("has the packages of the newest Python that it names", async () => {
    const deps = async (envlist: string, ...lines: string[]) => {
      const ini = [`[tox]`, `envlist = ${envlist}`, "[testenv]", "deps =", ...lines.map((line) => `    ${line}`)];
      return toxEnvironment(await manifestsOf({ "tox.ini": ini.join("\n") })).deps;
    };
    const lines = ["idna", "py{26,27,py2}: typing", "py{27,py2}: pytest<5", "py{38,39,py3}: pytest>=5", "py39: one"];
    expect(await deps("test-py{27,38,39}", ...lines)).toEqual(["idna", "pytest>=5", "one"]);
    expect(await deps("py38,py{310,311},docs", "py{38,39}: old", "py310,py311: new")).toEqual(["new"]);
    expect(await deps("py3.9, py3.10", "py3.9: old", "py3.10: new")).toEqual(["new"]);
    expect(await deps("py27", "py27: old", "both")).toEqual(["both"]);
    expect(await deps("py39", "py3: one", "py2: old", "py38: old")).toEqual(["one"]);
  });

  it("sets variables for the tests, and none that work on Python or the runner", async () => {
    const lines = [
      "DJANGO_SETTINGS_MODULE = tests.settings",
      "DATA={toxinidir}/data",
      "py: LEVEL={env:LEVEL:3}",
      "py27: OLD=1",
      "SECRET={env:HOME}",
      ...["PYTHONPATH=x", "PYTHONSTARTUP=x", "PYTHONHOME=x", "PYTEST_ADDOPTS=-p x", "PYTEST_PLUGINS=x", "PATH=x"],
      ...["LD_PRELOAD=x", "EDITABLE_LATER=", "HOME=/", "TMPDIR=/", "VIRTUAL_ENV=/", "L2MAC_KEY=1", "BASH_ENV=x"],
    ];
    const ini = ["[testenv]", "setenv =", ...lines.map((line) => `    ${line}`)].join("\n");
    expect(toxVariables(await manifestsOf({ "tox.ini": ini }), "/copy")).toEqual({
      DJANGO_SETTINGS_MODULE: "tests.settings",
      DATA: "/copy/data",
      LEVEL: "3",
    });
  });
});

const SETUP = `
from setuptools import setup, find_packages
import re
extras = {"test": ["one>=1", 'two'], "docs": ["sphinx"]}
needs = ["three"] + ["four; python_version < '3'"]
with open("x") as f: text = f.read()
setup(
    name="my-" "name", # its name
    version=re.search("v", text).group(1),
    packages=find_packages(where="lib"),
    package_dir={"": "lib"},
    install_requires=needs,
    extras_require=extras,
    entry_points={"console_scripts": ["mine = mine.cli:main"]},
    zip_safe=not False,
)
`;

describe("what a Python project says of itself", () => {
  it("is read from a setup.py, as far as it is literal", () => {
    expect(setupArguments(SETUP)).toMatchObject({
      name: "my-name",
      install_requires: ["three", "four; python_version < '3'"],
      extras_require: { test: ["one>=1", "two"] },
    });
    expect(setupArguments(SETUP)?.version).toBeUndefined();
    expect(setupArguments("def setup(name='x'): pass\n")).toBeUndefined();
  });

  it.each(["[", "(", "{", "{'a':", "dict(a="])("is read from a setup.py that never ends nesting %s", (opening) => {
    const deep = `a = ${opening.repeat(3_000)}\nsetup(name="x", install_requires=${opening.repeat(3_000)}`;
    expect(setupArguments(deep.slice(deep.indexOf("\n")))).toMatchObject({ name: "x" });
    expect(() => setupArguments(deep)).not.toThrow();
  });

  it("has its names, scripts and folders, by any tool", async () => {
    const manifests = await manifestsOf({ "setup.py": SETUP });
    expect(await metadataOf(manifests)).toMatchObject({
      name: "my-name",
      dependencies: ["three", "four; python_version < '3'"],
      entryPoints: { console_scripts: { mine: "mine.cli:main" } },
    });
    expect(rootsOf(manifests, "my-name", ["lib/mine/__init__.py", "tests/test_a.py"])).toEqual(["lib", ""]);
  });

  it("has the version that its own module names", async () => {
    const files = {
      "pyproject.toml":
        '[project]\nname = "a"\ndynamic = ["version"]\n[tool.setuptools.dynamic]\nversion = {attr = "a.__version__"}\n',
      "src/a/__init__.py": '__version__ = "1.2.3"\n',
    };
    expect((await metadataOf(await manifestsOf(files))).version).toBe("1.2.3");
  });

  it("leaves the tree for nothing", async () => {
    const files = {
      "pyproject.toml":
        '[tool.setuptools.package-dir]\n"" = "../../etc"\n[tool.setuptools.packages.find]\nwhere = ["/etc"]\n',
    };
    expect(rootsOf(await manifestsOf(files), undefined, ["a.py"])).toEqual([""]);
  });
});
