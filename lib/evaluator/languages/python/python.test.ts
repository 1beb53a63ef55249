import { afterAll, describe, expect, it } from "vitest";
import { evaluation, type Files, noPython, removeFolders } from "../../../../test/doubles/evaluation.ts";

afterAll(removeFolders);

async function findings(files: Files, paths?: string[]) {
  const { syntax } = await evaluation(files, { syntax: paths ? { paths } : {} });
  return syntax.errors.map(({ path, line, column, message }) => `${path}:${line ?? "-"}:${column ?? "-"} ${message}`);
}

describe.skipIf(noPython)("the syntax of Python (needs python3)", () => {
  it("is fine in every encoding that Python reads", async () => {
    const files = {
      "plain.py": "x = 1\n",
      "bom.py": "\ufeffx = 1\n",
      "latin.py": Buffer.from("# -*- coding: latin-1 -*-\nx = '\xe9'\n", "latin1"),
      "empty.py": "",
      "types.py": "def json(): pass\n",
    };
    expect(await findings(files)).toEqual([]);
  });

  it.each<[string, string | Uint8Array, RegExp]>([
    ["a missing colon", "x = 1\nif x\n  pass\n", /^a\.py:2:\d+ SyntaxError/],
    ["what only the compiler sees", "\nreturn 1\n", /^a\.py:2:\d+ SyntaxError: 'return' outside function/],
    ["mixed tabs and spaces", "def f():\n\tx = 1\n        y = 2\n", /^a\.py:3:.* (TabError|IndentationError)/],
    ["a null byte", "x = 1\0\n", /^a\.py:.*null bytes/],
    ["bytes that are not UTF-8", Buffer.from("x = '\xe9'\n", "latin1"), /^a\.py:1:.*(utf-8|encoding)/],
    ["an unknown encoding", "# coding: nonsense\n", /^a\.py:.*nonsense/],
  ])("names the place of %s", async (_, content, expected) => {
    const found = await findings({ "a.py": content, "fine.py": "" });
    expect(found).toEqual([expect.stringMatching(expected)]);
  });
});

describe.skipIf(noPython)("what Python modules import (needs python3)", () => {
  it("must be there, absolutely and relatively", async () => {
    const files = {
      "pkg/__init__.py": "",
      "pkg/a.py": "from .b import c\nfrom . import gone\n",
      "main.py": "import pkg.nothing\nfrom pkg.neither import x\n",
    };
    expect(await findings(files)).toEqual([
      'main.py:1:1 there is no module "pkg.nothing" in the project',
      'main.py:2:1 there is no module "pkg.neither" in the project',
      'pkg/a.py:1:1 there is no module ".b" in the project',
      'pkg/a.py:2:1 cannot import name "gone" from "."',
    ]);
  });

  it("must be bound in its module, at any place", async () => {
    const bound = [
      "import os as system",
      "if system: early = 1",
      "try: late = 1",
      "except OSError as problem: pass",
      "for each in []: pass",
      "def f():\n  global made\n  made = 1",
      "class C: pass",
      "(walrus := 1)",
    ].join("\n");
    const names = "system, early, late, problem, each, f, made, C, walrus, __doc__";
    const files = { "m.py": bound, "main.py": `from m import ${names}\nfrom m import nope\n` };
    expect(await findings(files)).toEqual(['main.py:2:1 cannot import name "nope" from "m"']);
  });

  it.each<[string, Files]>([
    ["star imports", { "m.py": "from os import *\n", "a.py": "from m import anything\n" }],
    ["__getattr__", { "m.py": "def __getattr__(name): return 1\n", "a.py": "from m import anything\n" }],
    ["names made at run time", { "m.py": "globals()['x'] = 1\n", "a.py": "from m import x\n" }],
    ["imports in a try", { "m.py": "", "a.py": "try:\n  from m import x\nexcept ImportError: x = None\n" }],
    ["imports under a condition", { "m.py": "", "a.py": "if False:\n  from m import x\n" }],
    ["packages from elsewhere", { "a.py": "import flask.cli\nfrom numpy import array\n" }],
    ["folders called like a package", { "docker/build.py": "", "a.py": "from docker.errors import APIError\n" }],
    ["modules called like the standard library's", { "types.py": "", "a.py": "from types import SimpleNamespace\n" }],
    ["compiled parts", { "p/__init__.py": "", "p/_fast.pyx": "", "a.py": "from p._fast import x\n" }],
    ["a script's own folder", { "bin/redis.py": "", "bin/a.py": "from redis import Redis\n" }],
    ["modules with an error", { "m.py": "def f(:\n", "a.py": "from m import x\n" }],
  ])("raises no false alarm about %s", async (_, files) => {
    expect((await findings(files)).filter((found) => found.startsWith("a.py"))).toEqual([]);
  });

  it("is checked in files that depend on the changed one, and in no others", async () => {
    const files = {
      "src/app/__init__.py": "",
      "src/app/models.py": "class User: pass\n",
      "src/app/views.py": "from .models import Usr\n",
      "src/app/other.py": "from .nothing import x # models\n",
      "tests/test_app.py": "from app.models import User, Admin\n",
    };
    expect(await findings(files, ["src/app/models.py"])).toEqual([
      'src/app/views.py:1:1 cannot import name "Usr" from ".models"',
      'tests/test_app.py:1:1 cannot import name "Admin" from "app.models"',
    ]);
  });

  it("is checked in files that imported what was deleted", async () => {
    const files = { "pkg/__init__.py": "", "main.py": "from pkg import gone\n" };
    expect(await findings(files, ["pkg/gone.py"])).toEqual(['main.py:1:1 cannot import name "gone" from "pkg"']);
  });
});
