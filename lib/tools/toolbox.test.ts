import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { categoryOf, TOOL_NAMES } from "../core/turn/tools.ts";
import { allTools, executionTools, planningTools } from "./toolbox.ts";

const names = (tools: typeof allTools) => tools.map(({ spec }) => spec.name);

test("every tool is found under its own name, and every name has a tool", () => {
  expect(names(allTools)).toEqual(TOOL_NAMES);
});

test("the table in docs/prompts.md lists every tool with its category", () => {
  const docs = readFileSync(new URL("../../docs/prompts.md", import.meta.url), "utf8");
  const rows = Array.from(docs.matchAll(/^\| `(\w+_\w+)` +\| (\w+) +\|/gm), ([, name, category]) => ({
    name,
    category,
  }));
  expect(rows).toEqual(TOOL_NAMES.map((name) => ({ name, category: categoryOf(name) })));
});

test("planning offers write_program alone, and execution everything else", () => {
  expect(names(planningTools)).toEqual(["write_program"]);
  expect(names(executionTools({ tested: true }))).toEqual(names(allTools).slice(1));
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
