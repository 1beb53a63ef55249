import { expect, it } from "vitest";
import { decideStart, isName } from "./execution-names.ts";

it.each([
  ["start", undefined, "{}"],
  ["same", { status: "RUNNING", input: "{}" }, "{}"],
  ["refused", { status: "RUNNING", input: "{}" }, "{ }"],
  ["refused", { status: "SUCCEEDED", input: "{}" }, "{}"],
  ["refused", { status: "FAILED", input: "{}" }, "{}"],
])("says %s where the name's execution is %j", (decision, known, input) => {
  expect(decideStart(known, input)).toBe(decision);
});

it.each([
  ["01ARZ3NDEKTSV4RRFFQ69G5FAV-1", true],
  ["n".repeat(80), true],
  ["n".repeat(81), false],
  ["", false],
  ["a b", false],
  ["a:b", false],
  ["a/b", false],
])("knows whether %s can be a name", (name, can) => {
  expect(isName(name)).toBe(can);
});
