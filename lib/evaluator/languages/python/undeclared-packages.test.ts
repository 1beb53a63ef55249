import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import {
  evaluation,
  type Files,
  newFolder,
  pythonCan,
  removeFolders,
  toolchain,
} from "../../../../test/doubles/evaluation.ts";
import type { TreeRequest } from "../../evaluate.ts";
import { noEnvironment } from "../../language.ts";
import { withoutRepeats } from "./undeclared-packages.ts";

afterAll(removeFolders);

const noNames = !pythonCan("import sys; sys.stdlib_module_names");

interface Package {
  holds: string[];
  requires?: string[];
}

/** An environment with packages that are not there but for what an installer would have noted of them. */
function environmentWith(packages: Record<string, Package>): NonNullable<TreeRequest["environment"]> {
  const program = "import sys; print('python%d.%d' % sys.version_info[:2])";
  const version = spawnSync(toolchain.python ?? "", ["-c", program], { encoding: "utf8" }).stdout.trim();
  const venv = newFolder();
  for (const [name, { holds, requires = [] }] of Object.entries(packages)) {
    const notes = join(venv, "lib", version, "site-packages", `${name.replaceAll("-", "_")}-1.0.dist-info`);
    mkdirSync(notes, { recursive: true });
    const header = ["Metadata-Version: 2.1", `Name: ${name}`, ...requires.map((one) => `Requires-Dist: ${one}`)];
    writeFileSync(join(notes, "METADATA"), `${header.join("\n")}\n\nRequires-Dist: named-in-its-description\n`);
    writeFileSync(join(notes, "RECORD"), holds.map((path) => `${path},sha256=x,1\n`).join(""));
  }
  const path = [join(venv, "bin")];
  return { ...noEnvironment, path, python: join(venv, "bin/python"), readable: [venv] };
}

const PACKAGES = {
  "Py-Zzz": { holds: ["zzz/__init__.py", "_zzz.cpython-311-x86_64-linux-gnu.so"] },
  zweb: {
    holds: ["zweb.py"],
    requires: ["ztemplate>=2", 'zsocks; extra == "socks"', "named-nowhere ; python_version < '3'"],
  },
  ztemplate: { holds: ["ztemplate/a.py"], requires: ["zmarks", "zweb"] },
  zmarks: { holds: ["zmarks/a.py"] },
  zsocks: { holds: ["zsocks.py"] },
  "named-in-its-description": { holds: ["znamed/__init__.py"] },
  "zspace-one": { holds: ["zspace/one/a.py"] },
  "zspace-two": { holds: ["zspace/two/a.py"] },
};

async function reported(files: Files, request: Partial<TreeRequest> = {}) {
  const { syntax } = await evaluation(files, { syntax: {}, environment: environmentWith(PACKAGES), ...request });
  return (syntax.warnings ?? []).map(({ path, line, message, rule }) => `${path}:${line} ${rule} ${message}`);
}

const undeclared = (workspace: string, name: string, add: string) =>
  `${workspace} undeclared imports "${name}", which no manifest declares: add ${add} to requirements.txt or pyproject.toml`;

describe.skipIf(noNames)("a package that is here and declared nowhere (needs python3 from 3.10 on)", () => {
  it("is reported once, at the first place in the code, under the name that it is to be declared by", async () => {
    const files = {
      "b.py": "import os\nimport zzz.parts\n",
      "a_test.py": "from zzz import x\n",
      "c.py": "import zzz\n",
    };
    expect(await reported(files)).toEqual([undeclared("b.py:2", "zzz", "Py-Zzz")]);
  });

  it.each<[string, Files]>([
    ["other packages", { "requirements.txt": "zmarks\n", "a.py": "import zzz" }],
    ["an extra that is not asked for", { "requirements.txt": "zweb\nPy.Zzz\n", "a.py": "import zsocks" }],
    ["what only a description names", { "requirements.txt": "zweb\n", "a.py": "import znamed" }],
    ["a manifest of its own", { "pyproject.toml": "[project]\nname = 'a'\n", "a.py": "import zweb" }],
    ["a README and a Dockerfile", { Dockerfile: "RUN pip install -r requirements.txt", "a.py": "import zsocks" }],
    ["an `if` elsewhere", { "a.py": "try:\n  import json\nexcept ValueError: pass\nimport zzz" }],
    [
      "a package of its own around it",
      { "p/__init__.py": "import zzz", "p/b.py": "try:\n  import p\nexcept ImportError: pass" },
    ],
    ["several packages that it could come from", { "requirements.txt": "zweb\n", "a.py": "import zspace.one" }],
    ["a function without a doubt", { "a.py": "def f():\n  import zzz" }],
  ])("is reported beside %s", async (_, files) => {
    expect(await reported(files)).toEqual([expect.stringMatching(/^(?:a|p\/__init__)\.py:\d undeclared imports "z/)]);
  });

  it.each<[string, Files]>([
    ["declared under its other name", { "requirements.txt": "py_zzz>=1\n", "a.py": "import zzz, _zzz" }],
    ["brought by another package", { "requirements.txt": "zweb\n", "a.py": "import zweb, ztemplate.b, zmarks" }],
    ["brought by an extra", { "requirements.txt": "zweb[socks]\n", "a.py": "import zsocks" }],
    ["one of a namespace", { "requirements.txt": "zspace-one\n", "a.py": "import zspace.one" }],
    ["declared under a condition", { "requirements.txt": 'Py-Zzz; python_version > "3"\n', "a.py": "import zzz" }],
    [
      "declared in a list in a folder",
      {
        "back/requirements-extra.txt": "-r requirements.txt\nPy-Zzz\n",
        "back/requirements.txt": "",
        "a.py": "import zzz",
      },
    ],
    [
      "declared in a group",
      { "pyproject.toml": "[project.optional-dependencies]\nfast = ['Py-Zzz']", "a.py": "import zzz" },
    ],
    [
      "declared in a tool's way",
      { "pyproject.toml": "[tool.hatch.envs.x]\ndependencies = ['Py-Zzz']", "a.py": "import zzz" },
    ],
    [
      "declared for Poetry",
      {
        "pyproject.toml": "[tool.poetry.dependencies]\nzweb = {version='^1', extras=['socks']}",
        "a.py": "import zsocks",
      },
    ],
    ["declared in the file", { "a.py": "# /// script\n# dependencies = ['py-zzz']\n# ///\nimport zzz" }],
    ["optional", { "a.py": "try:\n  import zzz\nexcept ImportError:\n  zzz = None" }],
    ["for types alone", { "a.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n  import zzz" }],
    [
      "looked for first",
      { "a.py": "from importlib.util import find_spec\nHAS = find_spec('zzz')\ndef f():\n  import zzz" },
    ],
    ["waited for by who calls", { "a.py": "def f():\n  import zzz\ntry:\n  f()\nexcept ModuleNotFoundError:\n  pass" }],
    [
      "waited for by who imports the module",
      { "a.py": "try:\n  from . import b\nexcept ImportError:\n  b = None", "b.py": "import zzz" },
    ],
    [
      "in a module that may be loaded by name",
      { "a.py": "import importlib\ntry: importlib.import_module(x)\nexcept Exception: pass", "b.py": "import zzz" },
    ],
    ["the project's own, beside", { "bin/zzz.py": "", "bin/a.py": "import zzz" }],
    ["the project's own, in src", { "src/zzz/__init__.py": "", "a.py": "import zzz" }],
    ["the project's own, compiled", { "zzz.pyx": "", "a.py": "import zzz" }],
    ["not there", { "a.py": "import zzzz" }],
    ["what a tool brings along", { "noxfile.py": "import zzz" }],
  ])("is not reported if it is %s", async (_, files) => {
    expect(await reported(files)).toEqual([]);
  });

  it.each<[string, Files]>([
    ["is a program", { "setup.py": "" }],
    ["is another tool's", { Pipfile: "" }],
    ["is another tool's, deeper", { "deploy/environment.yml": "" }],
    ["cannot be read", { "pyproject.toml": "[" }],
    ["leaves it to others", { "pyproject.toml": "[project]\nname = 'a'\ndynamic = ['dependencies']" }],
    ["names a list that is not there", { "requirements.txt": "-r gone.txt" }],
    ["names an address", { "requirements.txt": "git+https://example.org/x.git" }],
    ["wants what is not here", { "requirements.txt": "no-such-parser" }],
    ["is a Dockerfile that names packages", { Dockerfile: "RUN pip install --no-cache-dir \\\n  flask" }],
  ])("is not reported if a manifest %s", async (_, more) => {
    expect(await reported({ "a.py": "import zzz", ...more })).toEqual([]);
  });

  it("is reported only in the requested files", async () => {
    const files = { "a.py": "import zzz", "b.py": "import zmarks" };
    expect(await reported(files, { syntax: { paths: ["b.py"] } })).toEqual([undeclared("b.py:1", "zmarks", "zmarks")]);
  });

  it("is not reported if the metadata of installed packages is too large or malformed", async () => {
    const request = (requires: string[]) => ({
      environment: environmentWith({ ...PACKAGES, huge: { holds: [], requires } }),
    });
    const files = { "requirements.txt": "huge\n", "a.py": "import zzz" };
    expect(await reported(files, request(["zmarks"]))).toHaveLength(1);
    expect(await reported(files, request(["x".repeat(17 * 1024 * 1024)]))).toEqual([]);
    const endless = Array.from({ length: 5_000 }, (_, at) => `huge[x${at}]`);
    expect(await reported(files, request(endless))).toEqual([]);
    expect(await reported(files, request(["::: no requirement"]))).toEqual([]);
  });

  it("blocks nothing", async () => {
    const environment = environmentWith(PACKAGES);
    expect(await evaluation({ "a.py": "import zzz" }, { syntax: {}, environment })).toMatchObject({
      syntax: { status: "passed", errors: [] },
    });
  });
});

describe.skipIf(noNames)("a delivery that uses such a package (needs python3 from 3.10 on)", () => {
  const smokeOf = async (files: Files) =>
    (await evaluation(files, { smoke: true, environment: { ...environmentWith(PACKAGES), python: PYTHON } })).smoke;
  /** The environment's own is none: what is here is what the toolchain's has. */
  const PYTHON = toolchain.python ?? "";
  const noPackaging = !pythonCan("import packaging");

  it.skipIf(noPackaging)("fails even where it starts, and says where", async () => {
    const found = await smokeOf({
      "main.py": "import sys\nimport packaging\nprint('usage: it')",
      "core.py": "import packaging",
    });
    expect(found).toEqual({
      status: "failed",
      detail: undeclared("core.py:1", "packaging", "packaging").replace(" undeclared", ""),
      exitCode: null,
      output: "usage: it",
    });
  });

  it.skipIf(noPackaging)("passes where only its tests do, or where it declares it", async () => {
    const files = {
      "main.py": "print('usage: it')",
      "test_main.py": "import packaging",
      "docs/a.py": "import packaging",
    };
    expect(await smokeOf(files)).toMatchObject({ status: "passed" });
    const declared = { "main.py": "import packaging; print('usage: it')", "requirements.txt": "packaging" };
    expect(await smokeOf(declared)).toMatchObject({ status: "passed" });
  });
});

it("tells of so many packages only, and of all other advice", () => {
  const many = Array.from({ length: 30 }, (_, at) => ({
    path: "a.py",
    line: at,
    message: `${at}`,
    rule: "undeclared",
  }));
  const other = { path: "a.sh", line: 1, message: "quote this", rule: "SC2086" };
  expect(withoutRepeats([other, other, ...many])).toEqual([...many.slice(0, 20), other, other]);
});
