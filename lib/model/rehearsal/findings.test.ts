import { describe, expect, it } from "vitest";
import { shows } from "./findings.ts";
import type { ToolAnswer } from "./scene.ts";

const answers = (text: string, tool = "run_checks") => [{ tool, text }];

describe("a syntax error in a file is found", () => {
  const sees = (list: ToolAnswer[]) => shows(list, { syntaxErrorIn: "src/csv.js" });

  it.each([
    "Wrote src/csv.js (60 lines).\nSyntax: 1 error.\n```\nsrc/csv.js:27:34 Unexpected token '{'\n```",
    "src/csv.js line 27: SyntaxError: missing ) after argument list",
    "/tmp/x/src/csv.js:27\n  else if (x {\n             ^\n\nSyntaxError: Unexpected token '{'",
    "File src/csv.js, line 3\n  expected ':'",
    "src/csv.js:1:1 '(' was never closed",
  ])("in %j", (text) => expect(sees(answers(text, "write_files"))).toBe(true));

  it.each([
    "Wrote src/csv.js (60 lines).\nSyntax: ok.",
    "src/csv.js: no syntax errors",
    "src/csv.js: 0 syntax errors, syntax errors: none",
    "Wrote src/other.js (60 lines).\nSyntax: 1 error.\nsrc/other.js:27:34 Unexpected token '{'",
  ])("but not in %j", (text) => expect(sees(answers(text, "write_files"))).toBe(false));

  it("but not in the text of a file that was read", () => {
    expect(sees(answers("src/csv.js\n// SyntaxError: Unexpected token", "read_files"))).toBe(false);
  });
});

describe("a failing test is found by its name", () => {
  const sees = (list: ToolAnswer[]) => shows(list, { testFails: "oldest first" });

  it.each([
    "Tests: 3 passed, 1 failed (node --test).\n```\nFAILED entries are shown oldest first\n```",
    "not ok 3 - entries are shown oldest first",
    "✖ entries are shown oldest first (1 ms)",
    "FAIL: test_order (oldest first)",
    "The instruction is not accepted yet: tests must be put right first.\n\nFAILED entries are shown oldest first",
  ])("in %j", (text) => expect(sees(answers(text))).toBe(true));

  it.each([
    "Tests: 4 passed, 0 failed.\nok 3 - entries are shown oldest first",
    "# pass 4\n# fail 0\nentries are shown oldest first",
    "oldest first; no failures, failed: 0, without any errors",
    "FAILED another test",
  ])("but not in %j", (text) => expect(sees(answers(text))).toBe(false));

  it("but not in what a write answers", () => {
    expect(sees(answers("FAILED entries are shown oldest first", "write_files"))).toBe(false);
  });

  it("also where ten of ten fail", () => expect(sees(answers("10 failed: oldest first"))).toBe(true));
});
