import { describe, expect, it } from "vitest";
import { jsonLines, textLines } from "./text-lines.ts";

describe("lines of a foreign text", () => {
  it("are cut in the middle, with a note of how many are missing", () => {
    const text = Array.from({ length: 20 }, (_, line) => `line ${line}`).join("\n");
    expect(textLines(text, 6)).toEqual([
      ...["line 0", "line 1", "line 2", "line 3"],
      ...["[… 14 lines left out; --all shows them …]", "line 18", "line 19"],
    ]);
    expect(textLines(text, 19)).toHaveLength(20);
    expect(textLines(text, undefined)).toHaveLength(20);
  });

  it("hold no escape, and no line of any length", () => {
    expect(textLines("a\u001b[31mb\u0007\tc", 5)).toEqual(["ab    c"]);
    expect(textLines("x".repeat(1_000), 5)[0]).toMatch(/^x{400} \[… 600 more characters in this line\]$/);
  });
});

describe("JSON is shown as", () => {
  it("names with values, and texts with their line ends", () => {
    expect(jsonLines(JSON.stringify({ path: "a", edits: [{ find: "x\ny", all: true }], none: [], n: null }))).toEqual([
      ...["path: a", "edits:", "  - find:", "      x", "      y", "    all: true", "none: []", "n: null"],
    ]);
  });

  it("the text itself where it is none", () => {
    expect(jsonLines('{"a": 1')).toEqual(['{"a": 1']);
  });
});
