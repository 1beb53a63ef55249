/** Named programs, kept in a registry and a file store as in a stack, and in the folder of one computer. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createNamedPrograms } from "../../lib/control/program/keep-programs.ts";
import { readMarkdown } from "../../lib/core/program/language/markdown/read-markdown.ts";
import { readProgramData } from "../../lib/core/program/language/read-program.ts";
import type { Program } from "../../lib/core/program/language/schema.ts";
import type { NamedPrograms } from "../../lib/core/program/named-programs.ts";
import { createFolderPrograms } from "../../lib/files/program/folder-programs.ts";
import { createMemoryFiles } from "../../lib/host/memory-files.ts";
import { openSqliteTable } from "../../lib/host/sqlite-table.ts";
import { createRegistry } from "../../lib/registry/registry.ts";
import { fakeClock } from "../doubles/fake-clock.ts";

const program = (text: string): Program => {
  const source = readMarkdown(text);
  const read = "findings" in source ? source : readProgramData(source);
  if ("program" in read) return read.program;
  throw new Error(JSON.stringify(read.findings));
};
const ONE = program("1. **Write {{part}}**\n\n   Write it.\n\n2. {.call program=other with={}}\n");
const OTHER = program("1. Write it once more.\n");

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});
function aFolder(): string {
  folders.push(mkdtempSync(join(tmpdir(), "l2mac-programs-")));
  return folders[0] ?? "";
}

function inRegistry() {
  const clock = fakeClock();
  const files = createMemoryFiles();
  const table = openSqliteTable(":memory:");
  const parts = { registry: createRegistry({ table, clock }), files, clock, random: Math.random };
  return { programs: createNamedPrograms(parts), parts };
}

describe.each<[string, () => NamedPrograms]>([
  ["a registry and a file store", () => inRegistry().programs],
  ["a folder", () => createFolderPrograms([join(aFolder(), "programs")])],
])("named programs in %s", (_, open) => {
  it("are found as they were put, by name and by hash", async () => {
    const programs = open();
    expect(await programs.list("me")).toEqual([]);
    expect(await programs.find("me", "one")).toBeUndefined();
    const put = await programs.put("me", { name: "one", program: ONE });
    expect(put).toMatchObject({ change: "created", put: { name: "one" } });
    const found = await programs.find("me", "one");
    expect(found?.program).toEqual(ONE);
    expect(await programs.find("me", `sha256:${found?.sha256}`)).toEqual(found);
    expect(await programs.find("me", `sha256:${"0".repeat(64)}`)).toBeUndefined();
    const { program: _program, ...entry } = found ?? {};
    expect(await programs.list("me")).toEqual([entry]);
  });

  it("are replaced by who names what is there, and the same program changes nothing", async () => {
    const programs = open();
    await programs.put("me", { name: "one", program: ONE });
    const [was] = await programs.list("me");
    expect(await programs.put("me", { name: "one", program: ONE })).toMatchObject({ change: "none" });
    const conflict = { conflict: { name: "one", sha256: was?.sha256 } };
    expect(await programs.put("me", { name: "one", program: OTHER })).toMatchObject(conflict);
    const wrong = { name: "one", program: OTHER, replaces: "0".repeat(64) };
    expect(await programs.put("me", wrong)).toMatchObject(conflict);
    expect((await programs.find("me", "one"))?.program).toEqual(ONE);
    const right = { ...wrong, replaces: was?.sha256 };
    expect(await programs.put("me", right)).toMatchObject({ change: "replaced" });
    expect((await programs.find("me", "one"))?.program).toEqual(OTHER);
    expect(await programs.put("me", { ...wrong, name: "new" })).toEqual({ conflict: undefined });
  });

  it("are removed, unless another one is there by now", async () => {
    const programs = open();
    await programs.put("me", { name: "one", program: ONE });
    expect(await programs.remove("me", "one", "0".repeat(64))).toBe("replaced");
    expect(await programs.remove("me", "one")).toBe("removed");
    expect(await programs.remove("me", "one")).toBe("absent");
    expect(await programs.list("me")).toEqual([]);
  });
});

describe("in a registry", () => {
  it("each owner has names of its own", async () => {
    const { programs } = inRegistry();
    await programs.put("me", { name: "one", program: ONE });
    expect(await programs.find("you", "one")).toBeUndefined();
    expect(await programs.put("you", { name: "one", program: OTHER })).toMatchObject({ change: "created" });
    expect(await programs.remove("you", "one")).toBe("removed");
    expect((await programs.find("me", "one"))?.program).toEqual(ONE);
  });

  it("of two that put at the same time one is refused, and what the other stored stays", async () => {
    const { programs } = inRegistry();
    const both = [ONE, OTHER].map((program) => programs.put("me", { name: "one", program }));
    const done = await Promise.all(both);
    expect(done.map((each) => "put" in each).toSorted()).toEqual([false, true]);
    const [first] = await programs.list("me");
    expect(done.find((each) => "put" in each)).toMatchObject({ put: first });
    const winner = [ONE, OTHER][done.findIndex((each) => "put" in each)];
    expect((await programs.find("me", "one"))?.program).toEqual(winner);
  });

  it("bytes that are gone or changed are reported, never executed", async () => {
    const { programs, parts } = inRegistry();
    await programs.put("me", { name: "one", program: ONE });
    const { body = "" } = (await parts.registry.programNamed("me", "one")) ?? {};
    await parts.files.put(body, new TextEncoder().encode('{"instructions":["Other."]}'));
    await expect(programs.find("me", "one")).rejects.toThrow("`one` is damaged");
    await parts.files.remove(body);
    await expect(programs.find("me", "one")).rejects.toThrow("`one` is damaged");
  });
});

describe("in a folder", () => {
  it("a file keeps its notation, and one that is no program is named", async () => {
    const folder = aFolder();
    writeFileSync(join(folder, "one.yaml"), "# mine\n- Write it.\n");
    const programs = createFolderPrograms([folder]);
    const [was] = await programs.list("me");
    await programs.put("me", { name: "one", program: OTHER, replaces: was?.sha256 });
    expect(readdirSync(folder)).toEqual(["one.yaml"]);
    expect((await programs.find("me", "one"))?.program).toEqual(OTHER);
    writeFileSync(join(folder, "bad.md"), "1. {.repeat}\n");
    await expect(programs.find("me", "bad")).rejects.toThrow("bad.md");
  });
});
