import { spawnSync } from "node:child_process";
import { afterAll, describe, expect, it } from "vitest";
import { evaluation, type Files, removeFolders, toolchain } from "../../../../test/doubles/evaluation.ts";

afterAll(removeFolders);

/** On some systems sh is bash. */
const plainShell = spawnSync("sh", ["-n", "-c", "a=(b)"]).status !== 0;

const syntaxOf = async (files: Files, paths?: string[]) =>
  (await evaluation(files, { syntax: paths ? { paths } : {} })).syntax;
const findings = async (files: Files) =>
  (await syntaxOf(files)).errors.map(({ path, line, rule }) => `${path}:${line} ${rule}`);

describe("the syntax of shell scripts", () => {
  it("is that of the shell which the first line names", async () => {
    const array = "names=(a b)\n";
    expect(await findings({ "a.sh": `#!/usr/bin/env bash\n${array}`, "bin/b": `#!/bin/bash -e\n${array}` })).toEqual(
      [],
    );
    expect(await findings({ "a.sh": `#!/bin/sh\n${array}` })).toEqual(plainShell ? ["a.sh:2 shell"] : []);
    expect(await findings({ "bin/run": "#!/usr/bin/env -S sh -e\nif true; then\n" })).toHaveLength(1);
  });

  it.each<[string, string, number]>([
    ["a word that nothing opened", "echo a\nfi\n", 2],
    ["a loop without its end", "for a in b; do\n  echo $a\n", 1],
    ["a here-document that never ends", "echo a\ncat <<END\nb\n", 2],
    ["a quote that never ends", "echo a\necho 'b\n", 2],
  ])("is broken by %s", async (_, text, line) => {
    const [found] = (await syntaxOf({ "a.sh": text })).errors;
    expect(found).toMatchObject({ path: "a.sh", rule: "shell" });
    expect(Math.abs((found?.line ?? Number.NaN) - line)).toBeLessThanOrEqual(2);
  });

  it("is broken by the line ends of Windows, and that is reported once", async () => {
    expect(await findings({ "a.sh": "#!/bin/bash\nif true; then\r\n  echo a\r\nfi\r\n" })).toEqual(["a.sh:2 shell"]);
  });

  it("may need what the script would turn on", async () => {
    expect(await findings({ "a.sh": "#!/bin/bash\nshopt -s extglob\nrm !(keep)\n" })).toEqual([]);
  });

  it("is looked at in files without an ending only where their first line says so", async () => {
    expect(await syntaxOf({ "bin/tool": "#!/usr/bin/env python3\nfi\n", notes: "fi\n" })).toMatchObject({
      reason: "nothing_to_check",
    });
  });

  it("executes nothing", async () => {
    const files = { "a.sh": "echo $(exit 3) > /tmp/never; exit 7\n", "-n.sh": "echo\n", "with space.sh": "fi\n" };
    expect(await findings(files)).toEqual(["with space.sh:1 shell"]);
  });

  it("cannot be known without that shell", async () => {
    const none = { toolchain: { ...toolchain, path: "" } };
    const { syntax } = await evaluation({ "a.sh": "fi\n", "a.json": "{}" }, { syntax: {} }, none);
    expect(syntax).toMatchObject({ status: "not_run", reason: "no_toolchain" });
  });

  it("is checked in the files that were asked for", async () => {
    expect(await syntaxOf({ "a.sh": "fi\n", "b.sh": "echo\n" }, ["b.sh", "gone.sh"])).toMatchObject({
      status: "passed",
    });
  });
});

describe("the tests of shell scripts", () => {
  it("are none that anybody knows of", async () => {
    expect((await evaluation({ "a.sh": "echo a\n" }, { tests: {} })).tests.status).toBe("not_found");
    expect((await evaluation({ notes: "a\n" }, { tests: {} })).tests).toMatchObject({ reason: "nothing_to_check" });
  });
});

describe.skipIf(spawnSync("shellcheck", ["--version"]).status !== 0)("where shellcheck is there", () => {
  it("its errors are errors, and all else is a warning", async () => {
    const text = "#!/bin/bash\nif [ $1 ]; then rm $1/*; fi\nif [[ $1==2 ]]; then echo; fi\n";
    const syntax = await syntaxOf({ "a.sh": text });
    expect(syntax.errors).toContainEqual(expect.objectContaining({ path: "a.sh", line: 3, rule: "SC2077" }));
    expect(syntax.warnings).toContainEqual(expect.objectContaining({ path: "a.sh", line: 2, rule: "SC2086" }));
  });
});
