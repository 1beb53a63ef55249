import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import type { Tool } from "../core/turn/workbench.ts";
import { allTools, executionTools, planningTools } from "./toolbox.ts";

const names = (tools: typeof allTools) => tools.map(({ spec }) => spec.name);

test("every file that exports a tool is in the toolbox, once and under its tool's name", async () => {
  const files = readdirSync(import.meta.dirname).flatMap(
    (file) => /^(?!toolbox\b)([a-z-]+)\.ts$/.exec(file)?.[1] ?? [],
  );
  const isTool = (value: unknown): value is Tool => value instanceof Object && "spec" in value && "call" in value;
  const exported = await Promise.all(
    files.map(async (file) => {
      const tools = Object.values<unknown>(await import(`${import.meta.dirname}/${file}.ts`)).filter(isTool);
      for (const { spec } of tools) expect(file).toBe(spec.name.replaceAll("_", "-"));
      return tools;
    }),
  );
  expect(names(exported.flat()).toSorted()).toEqual(names(allTools).toSorted());
});

test("the table for other rooms is up to date (npm run reference writes it)", async () => {
  const rows = allTools.map(({ spec, category }) => `  ${spec.name}: "${category}",\n`).join("");
  await expect(`${HEADER}\nexport const TOOLS = {\n${rows}} as const;\n`).toMatchFileSnapshot(
    "../core/turn/tool-table.ts",
  );
});
const HEADER =
  "/** The names and categories of the tools in lib/tools/toolbox.ts: `npm run reference` writes this file. Pure. */";

test("planning offers write_program, with files to read also the tools that read, and execution everything else", () => {
  expect(names(planningTools())).toEqual(["write_program"]);
  expect(names(planningTools({ hasFiles: true }))).toEqual([
    "write_program",
    "list_files",
    "read_files",
    "search_files",
  ]);
  expect(names(executionTools({ tested: true, proves: true }))).toEqual(names(allTools).slice(1));
  expect(names(executionTools({ tested: true }))).not.toContain("prove");
  expect(names(executionTools({ enabled: ["read_files"], proves: true }))).toContain("prove");
});

test("a locked test can be amended where tests are run, and where files can be changed", () => {
  const offered = (enabled: string[] | undefined, tested: boolean) =>
    names(executionTools({ enabled, tested })).includes("amend_test");
  expect(offered(undefined, false)).toBe(false);
  expect(offered(["amend_test"], false)).toBe(false);
  expect(offered(undefined, true)).toBe(true);
  expect(offered(["read_files", "edit_file"], true)).toBe(true);
  expect(offered(["delete_files"], true)).toBe(true);
  expect(offered(["read_files", "run_checks"], true)).toBe(false);
});

test("of the tools named, those are offered; completing is always possible, planning never", () => {
  expect(names(executionTools({ enabled: ["read_files", "write_program", "no_such_tool"] }))).toEqual([
    "read_files",
    "complete_instruction",
  ]);
});

test("what all tools together take of every request is small", () => {
  expect(JSON.stringify(executionTools({ tested: true }).map(({ spec }) => spec)).length).toBeLessThan(6_000);
});
