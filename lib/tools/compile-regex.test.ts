import fc from "fast-check";
import { expect, it } from "vitest";
import { isPattern } from "../core/program/language/lint/pattern.ts";
import { compileRegex } from "./compile-regex.ts";

const PIECES = [
  "a",
  "(",
  ")",
  "(?:",
  "|",
  "*",
  "+?",
  "{2}",
  "{0,40}",
  "{1000}",
  "{30,}",
  "{,5}",
  "[a-z]",
  "[^)]",
  "[{9999}]",
  "[]",
  "[^]",
  "]",
];
const ESCAPES = [
  "\\d",
  "\\b",
  "\\.",
  "\\/",
  "\\u0041",
  "\\k<n>",
  "\\cA",
  "\\e",
  "\\1",
  "\\x41",
  "\\S",
  "\\n",
  "^",
  "$",
];

it("what the linter lets through as a pattern, RE2 compiles", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...PIECES, ...ESCAPES), { minLength: 1, maxLength: 12 }),
      async (parts) => {
        const pattern = parts.join("");
        fc.pre(isPattern(pattern));
        expect(await compileRegex(pattern), pattern).toHaveProperty("regex");
      },
    ),
    { numRuns: 500, seed: 1 },
  );
});

it.each([
  "(a+)+$",
  "(a{1,10}){1,100}",
  "a{1000}",
  "\\Q(a{2000}\\E",
  "[[:alpha:]]{3}",
  "(?i)x",
  "\\pN",
  "\\\\1",
  "{{x}}(",
  "\\A\\d{4}\\z",
])("the linter takes %s", (pattern) => expect(isPattern(pattern)).toBe(true));
