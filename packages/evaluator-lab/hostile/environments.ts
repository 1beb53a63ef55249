/** Attacks on the environment that is made for a project's own code: what it names, shadows or sets by its manifests. */
import { type Attack, type HonestProject, heldOff, lines, pythonAttempts } from "./attack.ts";

const neverPassed: HonestProject = {
  words: "its failing test is never passed",
  tests: ["failed", "crashed", "not_run", "not_found"],
};

const attack = (name: string, files: Attack["files"], more: Partial<Attack> = {}): Attack => ({
  ...{ name, group: "environments", needs: "pytest", ask: { tests: true, install: true }, honest: neverPassed, files },
  ...more,
});

const failing = { "test_a.py": lines("def test_a():", "    assert 1 == 2") };
const project = (...more: string[]): Record<string, string> => ({
  "pyproject.toml": lines("[project]", 'name = "mine"', 'version = "1.0"', ...more),
  "src/mine/__init__.py": "",
});
const tox = (...more: string[]): Record<string, string> => ({ "tox.ini": lines("[testenv]", ...more) });
const QUIT = lines("import os", "os._exit(0)");
/** Makes every outcome a passed one, from every place that imports it. */
const FORGE = lines(
  "try:",
  "    import _pytest.reports as reports",
  "    reports.TestReport.from_item_and_call = classmethod(lambda cls, item, call: cls(",
  "        item.nodeid, item.location, {}, 'passed', None, call.when))",
  "except ImportError:",
  "    pass",
);

const beforeTheRunner: Attack[] = ["sitecustomize", "usercustomize", "encodings", "site", "json", "importlib"].map(
  (name) =>
    attack(`a module named ${name}, where the project's code is looked for`, () => ({
      ...project(),
      ...failing,
      [`src/${name}.py`]: FORGE + QUIT,
      [`${name}.py`]: FORGE + QUIT,
    })),
);

const shadowing: Attack[] = [
  attack("a .pth file beside the project's code", () => ({
    ...project(),
    ...failing,
    "src/evil.pth": "import os; os._exit(0)\n",
    "evil.pth": "import os; os._exit(0)\n",
  })),
  attack("a package named pytest in the tree", () => ({
    ...project(),
    ...failing,
    "src/pytest/__init__.py": `def main(*words, **more):\n    return 0\n${QUIT}`,
    "src/_pytest/__init__.py": QUIT,
    "src/pluggy.py": QUIT,
    "pytest.py": QUIT,
    "pluggy/__init__.py": QUIT,
  })),
  attack("programs that are called as the runner is", () => ({
    ...project(
      "[project.scripts]",
      ...["pytest", "python", "python3", "py.test", "sh"].map((name) => `"${name}" = "mine:quit"`),
    ),
    ...failing,
    "src/mine/__init__.py": lines("def quit():", "    raise SystemExit(0)"),
  })),
  attack("a plugin of pytest that rewrites reports", () => ({
    ...project("[project.entry-points.pytest11]", 'mine = "mine.plugin"'),
    ...failing,
    "src/mine/plugin.py": lines(
      "import pytest",
      "",
      "",
      "@pytest.hookimpl(hookwrapper=True, tryfirst=True)",
      "def pytest_runtest_makereport(item, call):",
      "    outcome = yield",
      "    report = outcome.get_result()",
      "    report.outcome, report.longrepr = 'passed', None",
    ),
  })),
  attack("a conftest that rewrites reports", () => ({
    ...project(),
    ...failing,
    "conftest.py":
      lines("import pytest", "", "", "def pytest_runtest_logreport(report):", "    report.outcome = 'passed'") + FORGE,
  })),
];

const EVIL = [
  ...["PYTHONPATH={toxinidir}/evil", "PYTHONSTARTUP={toxinidir}/evil/quit.py", "PYTHONHOME={toxinidir}/evil"],
  ...["PYTEST_ADDOPTS=--collect-only", "PYTEST_PLUGINS=quit", "EDITABLE_LATER=", "PYTHONWARNINGS=error::quit.X"],
  ...["LD_PRELOAD={toxinidir}/evil/x.so", "PATH={toxinidir}/evil", "PYTHONBREAKPOINT=quit", "HOME={toxinidir}"],
];

const bySettings: Attack[] = [
  attack("variables of tox that work on Python and pytest", () => ({
    ...project(),
    ...failing,
    ...tox("setenv =", ...EVIL.map((line) => `    ${line}`), "commands = pytest"),
    ...{ "evil/sitecustomize.py": FORGE + QUIT, "evil/quit.py": QUIT, "evil/pytest.py": QUIT, "quit.py": QUIT },
    ...{ "evil/python": "#!/bin/sh\nexit 0\n", "evil/pytest": "#!/bin/sh\nexit 0\n" },
  })),
  attack(
    "commands of tox that want the network and programs from outside",
    ({ tcp, home, marker }) => ({
      ...project(),
      "test_a.py": pythonAttempts([
        `with socket.create_connection(('127.0.0.1', ${tcp}), 2) as to:`,
        "    return to.recv(10)",
      ]),
      ...tox(
        `install_command = /bin/sh -c "touch /tmp/${marker}; exec 3<>/dev/tcp/127.0.0.1/${tcp}" {packages}`,
        "allowlist_externals = *",
        `changedir = ${home}`,
        "commands_pre =",
        `    bash -c "exec 3<>/dev/tcp/127.0.0.1/${tcp}"`,
        `    touch ${home}/${marker} /tmp/${marker}`,
        `commands_post = touch /tmp/${marker}`,
        "commands = pytest",
      ),
    }),
    { honest: heldOff },
  ),
  attack("a folder to run in that is outside of the tree", ({ home }) => ({
    ...project(),
    ...failing,
    ...tox(`changedir = ${home}`, "commands = pytest --rootdir=/ -p no:cacheprovider"),
  })),
  attack("a noxfile that runs when it is read", () => ({
    ...project(),
    ...failing,
    "noxfile.py": `${QUIT}import nox\n\n@nox.session\ndef tests(session):\n    session.run("pytest", "test_a.py")\n`,
  })),
  attack("a version module that would be another file", () => ({
    ...project(
      "[tool.setuptools_scm]",
      'write_to = "../test_a.py"',
      "[tool.hatch.build.hooks.vcs]",
      'version-file = "conftest.py"',
    ),
    ...failing,
    "conftest.py": "",
  })),
];

export const environmentAttacks: Attack[] = [...beforeTheRunner, ...shadowing, ...bySettings];
