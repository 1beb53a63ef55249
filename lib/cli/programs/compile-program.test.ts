import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listeningShell } from "../../../test/doubles/listening-shell.ts";
import { localDefinition } from "../../local/project-definition.ts";
import { compileProgram } from "./compile-program.ts";

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "l2mac-compile-"));
  writeFileSync(join(cwd, "program.md"), "1. Write the store.\n2. Serve it.\n");
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

async function compile(words: string[], flags: Record<string, string> = { "--asl": "" }) {
  const { shell, ...heard } = listeningShell(cwd);
  const code = await compileProgram({ words, flags: new Map(Object.entries(flags)) }, shell);
  return { code, out: heard.out(), said: heard.said };
}

describe("compile", () => {
  it("prints the state machine of a program, in which each instruction has a state", async () => {
    const { code, out, said } = await compile(["program.md"]);
    expect(code).toBe(0);
    expect([...localDefinition(out).states.keys()]).toEqual(
      expect.arrayContaining(["1 Write the store", "After 1", "2 Serve it", "After 2", "Execute", "Plan", "Deliver"]),
    );
    expect(said).toEqual([expect.stringMatching(/^\d+ states, \d+ KiB\.$/)]);
  });

  it("writes it to a file that is not there yet", async () => {
    const flags = { "--asl": "", "--out": "machine.json" };
    expect(await compile(["program.md"], flags)).toMatchObject({ code: 0, out: "" });
    expect(() => localDefinition(readFileSync(join(cwd, "machine.json"), "utf8"))).not.toThrow();
    await expect(compile(["program.md"], flags)).rejects.toThrow("machine.json is there already");
    const nowhere = { "--asl": "", "--out": "nowhere/machine.json" };
    await expect(compile(["program.md"], nowhere)).rejects.toThrow("There is no folder for nowhere/machine.json");
  });

  it("refuses a program with an error, with its place, and one that this version does not execute", async () => {
    writeFileSync(join(cwd, "bad.yaml"), "- kind: repeat\n  until: {tests: true}\n  body: [Repair it.]\n");
    await expect(compile(["bad.yaml"])).rejects.toThrow(/bad\.yaml: line 1, column 3: .*atMost/);
    writeFileSync(join(cwd, "later.yaml"), "- title: Write it\n  text: Write the file.\n  model: m\n");
    await expect(compile(["later.yaml"])).rejects.toThrow(/later\.yaml: line 3/);
  });

  it("asks for a program and for the language", async () => {
    await expect(compile([])).rejects.toThrow("compile needs a program");
    await expect(compile(["program.md"], {})).rejects.toMatchObject({
      exitCode: 2,
      remedy: { command: "compile", args: ["program.md", "--asl"] },
    });
  });

  it("refuses a program that would be larger than Step Functions takes", async () => {
    const many = Array.from({ length: 2_000 }, (_, index) => `${index + 1}. Write part ${index}.`).join("\n");
    writeFileSync(join(cwd, "many.md"), many);
    await expect(compile(["many.md"])).rejects.toThrow(
      /many\.md: its state machine has \d+ bytes, and at most 1048576/,
    );
  });
});
