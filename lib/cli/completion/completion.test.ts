/** The scripts of `l2mac completion`, loaded by the shells themselves. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aBench } from "../../../test/doubles/command.ts";
import { commands, withAllFlags } from "../commands.ts";
import { bashCompletion } from "./bash.ts";
import { fishCompletion } from "./fish.ts";
import { type CompletedCommand, completedCommands } from "./words.ts";
import { zshCompletion } from "./zsh.ts";

const isThere = (shell: string): boolean => spawnSync(shell, ["-c", "true"]).status === 0;
const skipped = (shell: string): string => (isThere(shell) ? "" : ` (skipped: ${shell} is missing)`);

let folder = "";
let all: CompletedCommand[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "l2mac-completion-"));
  all = completedCommands(await Promise.all(commands.map(withAllFlags)));
  writeFileSync(join(folder, "a file.md"), "");
  writeFileSync(join(folder, "script"), bashCompletion(all));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What bash offers for the last of these words. */
function offered(...words: string[]): string[] {
  const script = `source ./script
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _l2mac; printf '%s\n' "\${COMPREPLY[@]}"`.replaceAll("\\$", "$");
  const text = execFileSync("bash", ["--norc", "-uc", script, "bash", "l2mac", ...words], { cwd: folder });
  return String(text).split("\n").filter(Boolean);
}

describe.skipIf(!isThere("bash"))(`bash completes${skipped("bash")}`, () => {
  it("commands", () => {
    expect(offered("")).toEqual([...commands.map(({ name }) => name), "--help", "--version"]);
    expect(offered("re")).toEqual(["report", "reject", "resume", "replay", "repair"]);
  });

  it("the flags of the command, or of a run where a task is given", () => {
    expect(offered("list", "--")).toEqual(["--limit", "--json", "--remote", "--help"]);
    expect(offered("run", "a task", "--rehe")).toEqual(["--rehearse"]);
    expect(offered("a whole task", "--rehe")).toEqual(["--rehearse"]);
    expect(offered("list", "--rehe")).toEqual([]);
  });

  it("what a flag takes: choices, files with spaces in their names, or nothing that could be guessed", () => {
    expect(offered("run", "--domain", "")).toEqual(["codebase", "book", "custom"]);
    expect(offered("run", "--spec", "a")).toEqual(["a file.md"]);
    expect(offered("run", "--budget", "")).toEqual([]);
  });

  it("words of a command", () => {
    expect(offered("completion", "")).toEqual(["bash", "zsh", "fish"]);
    expect(offered("help", "mod")).toEqual(["models"]);
  });
});

describe("the script", () => {
  it.each([
    ["bash", bashCompletion],
    ["zsh", zshCompletion],
    ["fish", fishCompletion],
  ])("of %s can be read by it, where it is installed", (shell, script) => {
    const text = script(all);
    expect(text).toContain("--dry-run".slice(shell === "fish" ? 2 : 0));
    if (!isThere(shell)) return;
    const path = join(folder, shell);
    writeFileSync(path, text);
    expect(spawnSync(shell, ["-n", path], { encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
  });

  it("is printed by the command, which knows no other shell", async () => {
    const bench = aBench();
    const printed = await bench.run(["completion", "bash"]);
    const other = await bench.run(["completion", "csh"]);
    bench.remove();
    expect(printed).toMatchObject({ code: 0, stderr: "", stdout: bashCompletion(all) });
    expect(other).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("bash, zsh, fish, not csh") });
  });
});
