/** What a shell completes, and the scripts of `l2mac completion`, loaded by the shells themselves. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aBench } from "../../../test/doubles/command.ts";
import { commands, withAllFlags } from "../commands.ts";
import { candidatesFor } from "./candidates.ts";
import { SCRIPTS } from "./scripts.ts";

const offered = async (...words: string[]): Promise<string[]> =>
  (await candidatesFor(words, { commands, withAllFlags })).map((line) => line.split("\t")[0] ?? "");

describe("what is offered", () => {
  it("are commands", async () => {
    expect(await offered("")).toEqual([...commands.map(({ name }) => name), "--help", "--version"]);
    expect(await offered("re")).toEqual(["report", "reject", "resume", "replay", "repair"]);
    expect(await candidatesFor(["versi"], { commands, withAllFlags })).toEqual(["version\tPrint the version"]);
  });

  it("are the flags of the command, or of a run where a task or a flag is given", async () => {
    expect(await offered("list", "--")).toEqual(["--limit", "--json", "--remote", "--help"]);
    for (const first of ["run", "a whole task", "--quiet"])
      expect(await offered(first, "--rehe")).toEqual(["--rehearse"]);
    expect(await offered("list", "--rehe")).toEqual([]);
  });

  it("is what a flag takes: choices, files, or nothing that could be guessed", async () => {
    expect(await offered("run", "--domain", "")).toEqual(["codebase", "book", "custom"]);
    expect(await offered("run", "--spec", "a")).toEqual([":files"]);
    expect(await offered("run", "--budget", "")).toEqual([]);
  });

  it("are the words of a command", async () => {
    expect(await offered("completion", "")).toEqual(["bash", "zsh", "fish"]);
    expect(await offered("help", "mod")).toEqual(["models"]);
    expect(await offered("list", "")).toEqual([]);
  });
});

const isThere = (shell: string): boolean => spawnSync(shell, ["-c", "true"]).status === 0;
const skipped = (shell: string): string => (isThere(shell) ? "" : ` (skipped: ${shell} is missing)`);

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "l2mac-completion-"));
  writeFileSync(join(folder, "a file.md"), "");
});
afterAll(() => rmSync(folder, { recursive: true }));

const launcher = fileURLToPath(new URL("../../../bin/l2mac.mjs", import.meta.url));

/** Bash's words for the last of these, where `l2mac` is this command. */
function completedByBash(...words: string[]): string[] {
  const script = `${SCRIPTS.get("bash")}
l2mac() { '${process.execPath}' '${launcher}' "$@"; }
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _l2mac; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const text = execFileSync("bash", ["--norc", "-uc", script, "bash", "l2mac", ...words], { cwd: folder });
  return String(text).split("\n").filter(Boolean);
}

describe.skipIf(!isThere("bash"))(`bash${skipped("bash")}`, () => {
  it("asks the command for words, and looks for files itself, with spaces in their names too", () => {
    expect(completedByBash("resume", "--hin")).toEqual(["--hint"]);
    expect(completedByBash("run", "--spec", "a")).toEqual(["a file.md"]);
    expect(completedByBash("run", "--budget", "")).toEqual([]);
  });
});

describe("the script", () => {
  it.each([...SCRIPTS])("of %s is a few lines that can be read by it, where it is installed", (shell, script) => {
    expect(script.split("\n").length).toBeLessThan(15);
    if (!isThere(shell)) return;
    const path = join(folder, shell);
    writeFileSync(path, script);
    expect(spawnSync(shell, ["-n", path], { encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
  });

  it("is printed by the command, which knows no other shell", async () => {
    const bench = aBench();
    const printed = await bench.run(["completion", "bash"]);
    const other = await bench.run(["completion", "csh"]);
    bench.remove();
    expect(printed).toMatchObject({ code: 0, stderr: "", stdout: SCRIPTS.get("bash") });
    expect(other).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("bash, zsh, fish, not csh") });
  });
});
