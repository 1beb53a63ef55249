/** What a remark changes: the text between tokens, and nothing that the code does. */
import { describe, expect, it } from "vitest";
import { withRemarks } from "./remark.ts";

const TEMPLATE = ["`x y $", "{1 + 2}`;"].join("");

describe("JavaScript and TypeScript with remarks", () => {
  it("have them between the tokens of a line, so that no expression is found by its text", () => {
    const text =
      "export function price(count, member) {\n  return member && count >= 5 ? f(count * 10) : 0; // here\n}\n";
    const remarked = withRemarks("a.js", text);
    for (const part of ["member && count", "count >= 5", "count * 10", "return member", "f(count", "price(count"])
      expect(remarked).not.toContain(part);
    expect(remarked).not.toMatch(/count\s*\*\s*10/);
    expect(remarked.split("\n")).toHaveLength(text.split("\n").length + 1);
    expect(Function(`${remarked.replace("export", "").replace("f(", "(")}; return price(7, true);`)()).toBe(70);
  });

  it("keep templates, expressions of patterns, lines that may have one, and the line that names a program", () => {
    const kept = ["#!/usr/bin/env -S node  --test", TEMPLATE, "if (a) / b c /.test(d);"];
    const remarked = withRemarks("a.js", `${kept.join("\n")}\nlet e = / x y /g, f = 'p q';\n`);
    for (const part of [kept[0], TEMPLATE, kept[2], "/ x y /g", "'p q'"]) expect(remarked).toContain(part);
  });

  it("leave what is shown between tags", () => {
    const text = "export function A() {\n  return <p>two words</p>;\n}\n";
    expect(withRemarks("a.js", text)).toBe(`${text.replace("{", "{ /* */")}// end\n`);
    expect(withRemarks("a.tsx", text)).toContain("<p>two words</p>");
  });

  it("leave what cannot be read, but for its end", () => {
    expect(withRemarks("a.js", "const a = 'x\nlet b = 1;\n")).toBe("const a = 'x\nlet b = 1;\n// end\n");
  });
});

describe("Python with remarks", () => {
  it("has one before each line of a function, and wider gaps in a line", () => {
    const text = 'def f(a):\n    """Two words."""\n    b = (a *\n         2)\n    if b: return "x y"\n\nC = 1\n';
    expect(withRemarks("a.py", text)).toBe(
      [
        ...["def  f(a):", "    #", '    """Two words."""', "    #", "    b  =  (a  *", "         2)"],
        ...["    #", '    if  b:  return  "x y"', "", "C  =  1", "# end", ""],
      ].join("\n"),
    );
  });
});
