import { expect, test } from "vitest";
import { TOOL_NAMES } from "../core/tool-name.ts";
import { allTools, executionTools, planningTools, toolNamed } from "./toolbox.ts";

const names = (tools: typeof allTools) => tools.map(({ spec }) => spec.name);

test("every tool bears one of the agreed names, in the agreed order", () => {
  expect(names(allTools)).toEqual(TOOL_NAMES.filter((name) => toolNamed(name)));
  expect(new Set(names(allTools)).size).toBe(allTools.length);
});

test("planning offers write_program alone, and execution everything else", () => {
  expect(names(planningTools)).toEqual(["write_program"]);
  expect(names(executionTools())).toEqual(names(allTools).slice(1));
});

test("of the tools named, those are offered; completing is always possible, planning never", () => {
  expect(names(executionTools(["read_files", "write_program", "no_such_tool"]))).toEqual([
    "read_files",
    "complete_instruction",
  ]);
});

test("what all tools together take of every request is small", () => {
  expect(JSON.stringify(executionTools().map(({ spec }) => spec)).length).toBeLessThan(6_000);
});
