import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UserError } from "../errors.ts";
import { fill, templateProblems } from "./template.ts";

describe("a template", () => {
  it("takes values into its slots", () => {
    expect(fill("{{a}} and {{ b }}, {{a}} again", { a: "one", b: "two" })).toBe("one and two, one again");
  });

  it("leaves template-like text in the values as it is", () => {
    const hostile = "{{b}} {{#b}}x{{/b}} {{nobody}} $& $1";
    expect(fill("[{{a}}]", { a: hostile, b: "secret" })).toBe(`[${hostile}]`);
  });

  it("gives back any value unchanged, whatever it holds", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (value) => {
        expect(fill("<{{#a}}{{a}}{{/a}}>", { a: value })).toBe(`<${value}>`);
      }),
    );
  });

  it("keeps a section where its slot is filled and drops it where the slot is empty", () => {
    const template = "start\n{{#note}}\nNote: {{note}}\n{{/note}}\nend\n";
    expect(fill(template, { note: "look" })).toBe("start\nNote: look\nend\n");
    expect(fill(template, { note: "" })).toBe("start\nend\n");
  });

  it("keeps a section inside a section only where both are filled", () => {
    const template = "{{#a}}a{{#b}}b{{/b}}{{/a}}";
    expect(fill(template, { a: "1", b: "1" })).toBe("ab");
    expect(fill(template, { a: "1", b: "" })).toBe("a");
    expect(fill(template, { a: "", b: "1" })).toBe("");
  });

  it("throws for a slot that it is not given, also one that every object inherits", () => {
    expect(() => fill("{{taks}}", { task: "" })).toThrow(UserError);
    expect(() => fill("{{constructor}}", {})).toThrow("{{constructor}} is unknown");
  });

  it("leaves single braces and code alone", () => {
    const code = "if (a) { b({ c: 1 }) } // {x}";
    expect(fill(code, {})).toBe(code);
  });

  it("answers in time for a text that is all braces", () => {
    const braces = "{".repeat(100_000);
    expect(fill(braces, {})).toBe(braces);
  });
});

describe("the problems of a template", () => {
  it("name the line of an unknown slot and the slots there are", () => {
    expect(templateProblems("one\ntwo {{three}}", ["task", "note"])).toEqual([
      { line: 2, text: "{{three}} is unknown; the slots here are {{task}}, {{note}}." },
    ]);
  });

  it("name the line of a section that is not closed", () => {
    expect(templateProblems("\n{{#a}}\ntext", ["a"])).toEqual([
      { line: 2, text: "{{#a}} is never closed; close it with {{/a}}." },
    ]);
  });

  it("name the line of an end that fits no beginning", () => {
    expect(templateProblems("{{#a}}\n{{/b}}\n{{/a}}", ["a", "b"])).toEqual([
      { line: 2, text: "{{/b}} closes nothing: the open section is {{#a}}." },
      { line: 3, text: "{{/a}} closes nothing: no section is open." },
    ]);
  });
});
