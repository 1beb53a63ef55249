import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listeningShell } from "../../../test/doubles/listening-shell.ts";
import { lintProgramFile } from "./lint-program.ts";
import { namedProgram } from "./named-program.ts";

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "l2mac-program-"));
  mkdirSync(join(cwd, "steps"));
  writeFileSync(join(cwd, "steps", "tests.md"), "1. Write tests of {{module}}.\n");
  writeFileSync(
    join(cwd, "module.md"),
    '1. Write {{module}}.\n2. {.call program=steps/tests.md with={"module":"{{module}}"}}\n',
  );
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

async function program(words: string[], flags: Record<string, string> = {}) {
  const { shell, ...heard } = listeningShell(cwd);
  const code = await namedProgram({ words, flags: new Map(Object.entries(flags)) }, shell);
  return { code, out: heard.out(), said: heard.said };
}

describe("program", () => {
  it("puts a program with the files that it calls, lists, shows and removes it", async () => {
    expect((await program(["put", "module", "module.md"])).said.at(-1)).toContain("{.call program=module}");
    expect((await program(["list"])).out).toMatch(/^module {2}[\da-f]{12} {2}\d{4}-\d\d-\d\d {2}\d+ B\n$/);
    rmSync(join(cwd, "steps"), { recursive: true });
    expect((await program(["get", "module"])).out).toContain("Write tests of {{module}}.");
    await program(["get", "module"], { "--out": "copy.yaml" });
    expect(readFileSync(join(cwd, "copy.yaml"), "utf8")).toContain("Write tests of");
    writeFileSync(join(cwd, "caller.md"), '1. {.call program=module with={"module":"a"}}\n');
    const { shell } = listeningShell(cwd);
    expect(await lintProgramFile({ words: [], flags: new Map([["--lint", "caller.md"]]) }, shell)).toBe(0);
    await program(["remove", "module"]);
    expect((await program(["list"], { "--json": "" })).out).toBe("[]\n");
  });

  it("replaces a program only with --replace, and keeps names in it as names", async () => {
    await program(["put", "module", "module.md"]);
    writeFileSync(join(cwd, "caller.md"), '1. {.call program=module with={"module":"a"}}\n');
    await program(["put", "caller", "caller.md"]);
    expect((await program(["get", "caller"])).out).not.toContain("Write tests");
    writeFileSync(join(cwd, "module.md"), "1. Write {{module}} otherwise.\n");
    await expect(program(["put", "module", "module.md"])).rejects.toThrow("it was kept");
    expect((await program(["get", "module"])).out).toContain("Write tests");
    await program(["put", "module", "module.md"], { "--replace": "" });
    expect((await program(["get", "module"])).out).toContain("otherwise");
  });

  it("refuses what is wrong, and stores nothing", async () => {
    writeFileSync(join(cwd, "bad.md"), "1. {.repeat}\n");
    await expect(program(["put", "bad", "bad.md"])).rejects.toThrow(/bad\.md: line 1/);
    await expect(program(["put", "bad.md", "module.md"])).rejects.toThrow('"bad.md" is no name');
    await expect(program(["put", "bad"])).rejects.toThrow("program put takes a name and a file");
    await expect(program(["list", "all"])).rejects.toThrow("program list takes nothing more");
    await expect(program(["show"])).rejects.toThrow("put NAME FILE, list, get NAME or remove NAME");
    await expect(program(["list"], { "--replace": "" })).rejects.toThrow("--replace is for program put");
    await expect(program(["get", "none"])).rejects.toThrow("There is no program none in");
    await expect(program(["remove", "none"])).rejects.toThrow("There is no program none in");
    expect(existsSync(join(cwd, ".l2mac", "programs"))).toBe(false);
  });

  it("lets a check leave names to a stack", async () => {
    writeFileSync(join(cwd, "caller.md"), "1. {.call program=there}\n");
    const lint = async (flags: Record<string, string>) => {
      const { shell, ...heard } = listeningShell(cwd);
      const code = await lintProgramFile({ words: [], flags: new Map(Object.entries(flags)) }, shell);
      return { code, ...heard };
    };
    expect((await lint({ "--lint": "caller.md" })).code).toBe(2);
    const left = await lint({ "--lint": "caller.md", "--remote": "" });
    expect(left).toMatchObject({
      code: 0,
      said: expect.arrayContaining(["there is looked up where the program is submitted."]),
    });
  });
});
