import { describe, expect, it } from "vitest";
import { bodyFieldOf } from "../../lib/core/run/option-forms.ts";
import { optionList } from "../../lib/core/run/option-list.ts";
import { fieldName, optionGroups, readOptions } from "./option-fields.ts";

const read = (fields: Record<string, string>) => readOptions((field) => fields[field] ?? "");

describe("the options of a new run", () => {
  it("are all that the API takes, in groups", () => {
    const own = ["domain", "model", "budget", "approve"];
    const sent = optionList.filter(({ name }) => bodyFieldOf(name) !== undefined).map(({ name }) => name);
    const shown = optionGroups.flatMap(({ fields }) => fields.map(({ name }) => name));
    expect([...shown, ...own].toSorted()).toEqual(sent.toSorted());
    expect(optionGroups.map(({ group }) => group)).toEqual(["task", "program", "model", "budget", "execution"]);
  });

  it("are read as the API takes them; what is empty is left to the server", () => {
    const entered = { "option-steps": "7", "option-tests": "off", "option-onStuck": "skip" };
    expect(read({ ...entered, "option-price": "1.5, 6", "option-tools": "read_files, write_files" })).toEqual({
      options: {
        ...{ steps: 7, tests: false, onStuck: "skip" },
        ...{ price: { input: 1.5, output: 6 }, tools: ["read_files", "write_files"] },
      },
    });
    expect(read({})).toEqual({ options: {} });
  });

  it.each([
    ["steps", "0"],
    ["steps", "many"],
    ["price", "cheap"],
    ["tools", "make_coffee"],
    ["seed", "1.5"],
  ] as const)("say what is wrong with %s %s, beside their field", (name, text) => {
    const { description = "" } = optionList.find((option) => option.name === name) ?? {};
    const problem = expect.stringContaining(description);
    expect(read({ [fieldName(name)]: text })).toEqual({ field: fieldName(name), problem });
  });
});
