/** Python projects and the packages that they declare, or forget to, while the computer has them: those of pytest. */
import { healthy, type Label, lines, type Project } from "./project.ts";

const test = lines(
  "from versions import newest",
  "",
  "",
  "def test_newest():",
  "    assert newest(['1.9', '1.10']) == '1.10'",
);
const versions = (...imports: string[]): string =>
  lines(...imports, "", "", "def newest(all):", "    return max(all, key=Version)");
const direct = versions("from packaging.version import Version");
const guarded = versions(
  "try:",
  "    from packaging.version import Version",
  "except ImportError:",
  "    Version = len",
);

const project = (name: string, files: Record<string, string>, warnings: string[] = []): Project => ({
  name: `python: packages, ${name}`,
  kind: "python",
  needs: "pytest",
  files: { "versions.py": direct, "test_versions.py": test, ...files },
  label: { ...healthy(1), warnings } satisfies Label,
});

export const undeclaredProjects: Project[] = [
  project("undeclared, and no manifest at all", {}, ["versions.py:1 undeclared"]),
  project("undeclared beside others", { "requirements.txt": "pluggy\n" }, ["versions.py:1 undeclared"]),
  project("undeclared in pyproject.toml", { "pyproject.toml": '[project]\nname = "versions"\nversion = "1"\n' }, [
    "versions.py:1 undeclared",
  ]),
  project(
    "undeclared in a function",
    {
      "versions.py": lines(
        "def newest(all):",
        "    from packaging.version import Version",
        "    return max(all, key=Version)",
      ),
    },
    ["versions.py:2 undeclared"],
  ),
  project(
    "undeclared in several files, reported once",
    { "more.py": "import packaging\n", "app/__init__.py": "import packaging\n" },
    ["app/__init__.py:1 undeclared"],
  ),
  project("a test runner in code that is no test", { "versions.py": `import pytest\n\n${guarded}` }, [
    "versions.py:1 undeclared",
  ]),
  project("declared", { "requirements.txt": "packaging>=20\n" }),
  project("declared for its developers", { "requirements-dev.txt": "packaging\n" }),
  project("declared under another name", { "requirements.txt": "packaging\nPyYAML\n", "settings.py": "import yaml\n" }),
  project("declared transitively", { "requirements.txt": "pytest>=7\n" }),
  project("declared in pyproject.toml", {
    "pyproject.toml": '[project]\nname = "versions"\nversion = "1"\ndependencies = ["packaging >= 20"]\n',
  }),
  project("declared in a group that is not installed", {
    "pyproject.toml":
      '[project]\nname = "versions"\nversion = "1"\n\n[project.optional-dependencies]\nsorted = ["packaging"]\n',
  }),
  project("optional", { "versions.py": guarded }),
  project("optional as a whole module", {
    "versions.py": lines("try:", "    from exact import newest", "except ImportError:", "    newest = max"),
    "exact.py": direct,
  }),
  project("used by tests alone, whose runner brings them", {
    "versions.py": lines("def newest(all):", "    return max(all, key=len)"),
    "test_versions.py": `import packaging, pluggy, pytest\n${test}`,
    "conftest.py": "import pytest\n",
  }),
  project("a module of its own that is called like one", {
    "versions.py": versions("from pyflakes import Version"),
    "pyflakes.py": "Version = len\n",
  }),
  project("a package of its own in src that is called like one", {
    "versions.py": versions("Version = len"),
    "src/pluggy/__init__.py": "",
    "src/app.py": "import pluggy\n",
  }),
  project("a script with one beside it that is called like one", {
    "versions.py": versions("Version = len"),
    "bin/pluggy.py": "",
    "bin/run.py": "import pluggy\n",
  }),
  project("declared by a program that is not read", {
    "setup.py": "from setuptools import setup\n\nsetup(install_requires=['pack' + 'aging'])\n",
  }),
];
