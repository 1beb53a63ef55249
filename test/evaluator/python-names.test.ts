import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import {
  evaluation,
  type Files,
  layTree,
  noPython,
  pythonCan,
  removeFolders,
  toolchain,
} from "../doubles/evaluation.ts";

afterAll(removeFolders);

const noFlakes = !pythonCan("import pyflakes");

async function findings(files: Files, paths?: string[]) {
  const { syntax } = await evaluation(files, { syntax: paths ? { paths } : {} });
  return syntax.errors.map(({ path, line, rule }) => `${path}:${line} ${rule}`);
}

describe.skipIf(noFlakes)("names in Python (need pyflakes)", () => {
  it("must be defined somewhere, and formats must fit", async () => {
    const files = {
      "a.py": "import json\n\ndef f(x):\n    return jsn.dumps(x)\n",
      "b.py": 'text = "%s and %s" % ("one",)\nshown = "{} {}".format(1)\n',
      "c.py": '__all__ = ["gone"]\n',
    };
    expect(await findings(files)).toEqual([
      "a.py:4 undefined-name",
      "b.py:1 format",
      "b.py:2 format",
      "c.py:1 undefined-export",
    ]);
  });

  it("are looked at in the files that were asked for, and in no others", async () => {
    const files = { "a.py": "gone()\n", "b.py": "gone()\n" };
    expect(await findings(files, ["b.py"])).toEqual(["b.py:1 undefined-name"]);
  });

  it.each<[string, string]>([
    ["unused imports and variables", "import os\n\ndef f():\n    left = 1\n"],
    ["star imports", "from tkinter import *\n\nroot = Tk()\n"],
    ["names made at run time", "globals().update(made=1)\nprint(made)\n"],
    ["names that one branch defines", "import sys\nif sys.argv:\n    a = 1\nprint(a)\n"],
    ["older versions of Python", "import sys\nif sys.version_info < (3,):\n    text = unicode\n"],
    ["the fallback for an older Python's imports", "try:\n    import abc\nexcept ImportError:\n    str = unicode\n"],
    ["names that are looked for", "try:\n    unicode\nexcept NameError:\n    unicode = str\n"],
    ["a line that says so", "print(missing)  # noqa\nprint(missing)  # type: ignore[name-defined]\n"],
    ["annotations that are not evaluated", "from __future__ import annotations\n\ndef f(x: Later) -> Later: ...\n"],
    ["annotations in text", "def f(x: 'Later') -> 'Later': ...\n"],
    ["what is meant to fail", "with context.raises(NameError):\n    gone\n".replace("context", "__builtins__")],
    ["what is deleted in the end", "def f(): return helper()\ndef helper(): return 1\nf()\ndel helper\n"],
  ])("raise no false alarm about %s", async (_, text) => expect(await findings({ "a.py": text })).toEqual([]));

  it("are looked at in fallbacks too, if no Python ever had them", async () => {
    const text = "try:\n    import abc\nexcept ImportError:\n    str = unicodee\nlast = unicode\n";
    expect(await findings({ "a.py": text })).toEqual(["a.py:4 undefined-name", "a.py:5 undefined-name"]);
  });

  it("may come from another file, which gives them to all", async () => {
    const files = { "a.py": "import builtins\nbuiltins.tell = print\n", "b.py": "tell('one')\n" };
    expect(await findings(files)).toEqual([]);
  });
});

describe.skipIf(noPython)("tests in Python (need python3)", () => {
  it("that a later one takes the place of never run, and are named", async () => {
    const files = {
      "test_a.py": "def test_a(): pass\n\n\ndef test_b(): pass\n\n\ndef test_a(): pass\n",
      "b_test.py": "class T:\n    def test_a(self): pass\n\n    def test_a(self): pass\n",
    };
    expect(await findings(files)).toEqual(["b_test.py:2 shadowed", "test_a.py:1 shadowed"]);
  });

  it.each<[string, Files]>([
    ["are no tests by their file", { "a.py": "def test_a(): pass\ndef test_a(): pass\n" }],
    ["are used in between", { "test_a.py": "def test_a(): pass\nfirst = test_a\ndef test_a(): pass\n" }],
    [
      "stand in two classes",
      { "test_a.py": "class A:\n  def test_a(self): pass\nclass B:\n  def test_a(self): pass\n" },
    ],
    ["stand in two branches", { "test_a.py": "if 1:\n  def test_a(): pass\nelse:\n  def test_a(): pass\n" }],
    [
      "belong together",
      {
        "test_a.py": "class A:\n  @property\n  def test_a(self): pass\n  @test_a.setter\n  def test_a(self, x): pass\n",
      },
    ],
  ])("that %s are left alone", async (_, files) => expect(await findings(files)).toEqual([]));

  it("are found also where neither pyflakes nor ruff is, and nothing else is lost", () => {
    const script = join(import.meta.dirname, "../../lib/evaluator/scripts/check-python.py");
    const files = { "test_a.py": "def test_a(): gone()\ndef test_a(): pass\n", "b.py": "x = = 1\n" };
    const checked = spawnSync(toolchain.python ?? "", ["-I", "-S", "-B", script], {
      cwd: layTree(files),
      env: { PATH: "" },
      input: JSON.stringify({ tree: Object.keys(files), paths: null }),
      encoding: "utf8",
    });
    const { findings: found } = JSON.parse(checked.stdout);
    expect(found).toMatchObject([
      { path: "b.py", rule: "syntax" },
      { path: "test_a.py", line: 1, rule: "shadowed" },
    ]);
  });
});
