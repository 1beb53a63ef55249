import { delimiter } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { evaluation, type Files, layTree, removeFolders, toolchain } from "../../../../test/doubles/evaluation.ts";
import { findProgram } from "../../process/find-program.ts";
import { listTree } from "../../tree.ts";
import { declarationIn } from "./declaration.ts";
import { readTap } from "./tap.ts";

afterAll(removeFolders);

const declared = async (files: Files) => declarationIn(await listTree(layTree(files)));

describe("a declared check", () => {
  it.each<[string, Files, string]>([
    ["a target of make", { Makefile: "all:\n\tcc\ntest: all\n\t./app\n" }, "make test"],
    ["one of several targets on a line", { makefile: "lint check:\n\t./app\n" }, "make check"],
    ["a command behind the target", { Makefile: "test: ; ./app --self-test\n" }, "make test"],
    ["a command on two lines", { Makefile: "test:\n\t@echo \\\n\tno; ./app\n" }, "make test"],
    ["a script", { "scripts/test.sh": "#!/bin/bash\n./app\n" }, "./scripts/test.sh"],
    ["a script where make has none", { Makefile: "all:\n\tcc\n", "test.sh": "./app\n" }, "./test.sh"],
  ])("is %s", async (_, files, name) => expect(await declared(files)).toMatchObject({ name }));

  it.each<[string, Files]>([
    ["a variable of that name", { Makefile: "test := ./app\nTEST = 1\n" }],
    ["a target that does nothing", { Makefile: ".PHONY: test\ntest:\n\t@echo no tests yet\n" }],
    ["a script of comments", { "test.sh": "#!/bin/sh\n# later\nset -e\nexit 0\n" }],
    ["a Makefile in a folder", { "lib/Makefile": "test:\n\t./app\n" }],
  ])("is not %s", async (_, files) => expect(await declared(files)).toBeUndefined());

  it("is known to call nothing but a runner that others call too", async () => {
    const calls = async (command: string) => (await declared({ Makefile: `test:\n\t${command}\n` }))?.callsKnownRunners;
    for (const command of [
      "pytest -q",
      "python3 -m unittest",
      "npm test",
      "npx jest",
      "uv run pytest",
      "go test ./...",
    ])
      expect(await calls(command)).toBe(true);
    for (const command of ["pytest && ./app", "python3 check.py", "./pytest.sh"])
      expect(await calls(command)).toBe(false);
  });
});

describe("TAP", () => {
  it("is read case by case, with what is said of a failure", () => {
    const text =
      "TAP version 14\n1..4\nok 1 - adds\nnot ok 2 - takes away\n  ---\n  found: 1\n  ...\nok 3 # SKIP no room\nnot ok 4 - one day # TODO\n";
    expect(readTap(text)).toEqual(
      [
        { name: "adds", status: "passed" },
        { name: "takes away", status: "failed", message: "---\n  found: 1\n  ..." },
        { name: "test 3", status: "skipped" },
        { name: "one day", status: "skipped" },
      ].map((one) => (one.message ? { ...one, message: expect.stringContaining("found: 1") } : one)),
    );
  });

  it("that breaks off is not whole", () => {
    expect(readTap("1..3\nok 1\nBail out! no disk\n")?.map(({ status }) => status)).toEqual([
      "passed",
      "error",
      "error",
    ]);
  });

  it("that was stopped shows how far it came, and nothing of what it did not reach", () => {
    expect(readTap("1..3\nok 1 - adds\n", false)).toEqual([{ name: "adds", status: "passed" }]);
  });

  it("needs a plan: other programs print ok as well", () => expect(readTap("ok 1 - adds\nok\n")).toBeUndefined());
});

const noMake = ["make", "cc"].some((name) => findProgram(name, toolchain.path.split(delimiter)) === undefined);

const tests = async (files: Files, parts = {}) =>
  (await evaluation({ "main.zz": "", "a.rs": "", ...files }, { tests: {} }, parts)).tests;

describe("a check of code that nothing here knows", () => {
  it("is one case, named as what ran, with what it printed", async () => {
    expect(await tests({ "test.sh": "#!/bin/sh\nls main.zz\n" })).toMatchObject({
      status: "passed",
      runner: "./test.sh",
      cases: [{ name: "./test.sh", status: "passed" }],
    });
    const failed = await tests({ "test.sh": "#!/bin/sh\nls nothing-here\n" });
    expect(failed).toMatchObject({ status: "failed", failed: 1 });
    expect(failed.cases[0]?.message).toContain("nothing-here");
  });

  it.each(["no-such-compiler a.rs\n", "no-such-compiler a.rs; true\n"])(
    "has not failed without its compiler: %s",
    async (body) => {
      const found = await tests({ "test.sh": `#!/bin/sh\n${body}` });
      expect(found).toMatchObject({ status: "not_run", reason: "no_toolchain", failed: 0 });
      expect(found.detail).toContain("no-such-compiler");
    },
  );

  it("has not failed without what installs packages of Python", async () => {
    const lacks = (name: string) => `#!/bin/sh\necho "ModuleNotFoundError: No module named '${name}'" >&2\nexit 1\n`;
    expect(await tests({ "test.sh": lacks("setuptools") })).toMatchObject({
      status: "not_run",
      detail: expect.stringContaining("Python's setuptools"),
    });
    expect(await tests({ "test.sh": lacks("requests") })).toMatchObject({ status: "failed" });
    expect(await tests({ "test.sh": lacks("build"), "build.py": "" })).toMatchObject({ status: "failed" });
  });

  it("has not failed without make, nor without what its first line names", async () => {
    const bare = { toolchain: { node: toolchain.node, path: "" } };
    expect(await tests({ Makefile: "test:\n\t./app\n" }, bare)).toMatchObject({ reason: "no_toolchain" });
    const odd = await tests({ "test.sh": "#!/usr/bin/env no-such-shell\nls\n" });
    expect(odd).toMatchObject({ reason: "no_toolchain", detail: expect.stringContaining("no-such-shell") });
  });

  it("is missed in words where the project declares none", async () => {
    const found = await tests({});
    expect(found).toMatchObject({ status: "not_run", reason: "no_toolchain" });
    expect(found.detail).toContain("a check for Rust is not available here, and the project declares none");
  });
});

const MAKE = "test: main\n\t./main\nmain: main.c\n\t$(CC) -o main main.c\n";

describe("C that a Makefile compiles", () => {
  const both = async (files: Files) => evaluation(files, { syntax: {}, tests: {} });
  const right = "int main(void) { return 0; }\n";

  it.skipIf(noMake)("is checked by what make compiles for the tests", async () => {
    const found = await both({ Makefile: MAKE, "main.c": right, "main.h": "" });
    expect(found).toMatchObject({ syntax: { status: "passed" }, tests: { status: "passed", passed: 1 } });
    const wrong = await both({ Makefile: MAKE, "main.c": "\nint main(void) { return 0 }\n" });
    expect(wrong).toMatchObject({ tests: { status: "failed" } });
    expect(wrong.syntax).toMatchObject({ status: "failed", errors: [{ path: "main.c", line: 2 }] });
  });

  it.skipIf(noMake)("stays unchecked where it is not compiled, and is named", async () => {
    const found = await both({ Makefile: MAKE, "main.c": right, "old/gone.c": "int (" });
    expect(found.syntax).toMatchObject({ status: "not_run", detail: expect.stringContaining("old/gone.c") });
    const hidden = "test:\n\t-cc -c main.c 2>/dev/null\n";
    expect((await both({ Makefile: hidden, "main.c": "int (" })).syntax).toMatchObject({ status: "not_run" });
    const only = "test:\n\t@echo main.c\n\t@ls\n";
    expect((await both({ Makefile: only, "main.c": "int (" })).syntax).toMatchObject({ status: "not_run" });
  });

  it.skipIf(noMake)("misses a library of this computer, and not a header of its own", async () => {
    const lacking = await both({ Makefile: MAKE, "main.c": `#include <no/such.h>\n${right}` });
    for (const { status, reason } of [lacking.syntax, lacking.tests])
      expect([status, reason]).toEqual(["not_run", "package_missing"]);
    const unlinked = await both({ Makefile: MAKE.replace("-o main", "-lnosuch -o main"), "main.c": right });
    expect(unlinked.tests).toMatchObject({ status: "not_run", detail: expect.stringContaining("libnosuch") });
    expect(lacking.syntax.detail).toContain("no/such.h");
    const misplaced = await both({ Makefile: MAKE, "main.c": `#include "such.h"\n${right}`, "in/such.h": "" });
    expect(misplaced.syntax).toMatchObject({ status: "failed", errors: [{ path: "main.c", line: 1 }] });
  });

  it("is not compiled at each write", async () => {
    const { syntax } = await evaluation({ Makefile: MAKE, "main.c": "int (" }, { syntax: { paths: ["main.c"] } });
    expect(syntax).toMatchObject({ status: "not_run", reason: "nothing_to_check" });
  });
});
