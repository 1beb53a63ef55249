/** Every regular expression in the sources is judged: none can match a text in exponentially many ways. */
import { stripTypeScriptTypes } from "node:module";
import { parse } from "acorn";
import { full } from "acorn-walk";
import { transformSync } from "esbuild";
import { describe, expect, it } from "vitest";
import { readSources, type Source } from "../house-rules.ts";
import { isExponential } from "./ambiguity.ts";
import { isSlow } from "./pumps.ts";

interface Pattern {
  where: string;
  source: string;
  flags: string;
}

function patternsIn({ path, text }: Source): Pattern[] {
  const plain = text.replace(/^#!.*/, "");
  const code = path.endsWith(".tsx")
    ? transformSync(plain, { loader: "tsx" }).code
    : path.endsWith(".ts")
      ? stripTypeScriptTypes(plain, { mode: "strip" })
      : plain;
  const found: Pattern[] = [];
  full(parse(code, { ecmaVersion: "latest", sourceType: "module", locations: true }), (node) => {
    const { regex } = node as { regex?: { pattern: string; flags: string } };
    if (regex) found.push({ where: `${path}:${node.loc?.start.line}`, source: regex.pattern, flags: regex.flags });
  });
  return found;
}

const source = (...parts: string[]): string => parts.join("");

describe("the judgement of an expression", () => {
  it.each([
    source("^(a|a)", "*$"),
    source("^(a*)", "*b"),
    source("(?:[ \\t]+.*\\n", ")+---"),
    source("(?: --?[\\w-]+", ")*x"),
    source("(?:[~=]=?=?[\\w=]+", ")+@"),
    source('"((?:\\\\.|[^"]', ')*)"'),
    source("^(?=(?:a+", ")+$)"),
    source("^(?:a+", "){2,}$"),
  ])("finds %s", (pattern) => expect(isExponential(pattern, "")).toBe(true));

  it.each([
    "^(?:a|b)*$",
    "(?: -[\\w-]+)*x",
    "^(?:[ \\t].*\\n|- .*\\n)+---",
    '"((?:\\\\.|[^"\\\\])*)"',
    "(?:\\w+\\s){1,20}a",
    "a*a*b",
  ])("leaves %s", (pattern) => expect(isExponential(pattern, "")).toBe(false));
});

describe("the regular expressions of the sources", () => {
  const patterns = readSources().flatMap(patternsIn);

  it("are all found", () => expect(patterns.length).toBeGreaterThan(1_000));

  it("match no text in exponentially many ways", () => {
    const exponential = patterns.filter(({ source: pattern, flags }) => isExponential(pattern, flags));
    expect(exponential.map(({ where, source: pattern }) => `${where} ${pattern}`)).toEqual([]);
  });

  it("do not take longer and longer for a repetition without an end", () => {
    const outside = patterns.filter(({ where }) => !/^(?:packages\/page|bench|test|bin)\//.test(where));
    const slow = outside.filter(({ source: pattern, flags }) => isSlow(pattern, flags));
    expect(slow.map(({ where, source: pattern }) => `${where} ${pattern}`)).toEqual([]);
  });
});

describe("the measure of an expression", () => {
  it.each([
    source("\\s", "+$"),
    source("[.-]", "+$"),
    source("(\\w", "+) x"),
    source("^\\d+\\.\\d+[\\w.]", "*$"),
    source("\\[\\s*(.+?)\\s", "*\\]"),
    source("\\/\\/.", "*$"),
    source("\\s--.", "*$"),
  ])("finds %s", (pattern) => expect(isSlow(pattern, "")).toBe(true));

  it.each(["(?<!\\s)\\s+$", "^\\s+x", "\\w+"])("leaves %s", (pattern) => expect(isSlow(pattern, "")).toBe(false));
});
