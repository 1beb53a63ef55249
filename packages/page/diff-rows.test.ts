import { diffLines } from "diff";
import { describe, expect, it } from "vitest";
import { countOf, diffRows } from "./diff-rows.ts";

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `${from + index}\n`).join("");

describe("what became of a text", () => {
  it("has the numbers of both, and leaves out what is far from a change", () => {
    const rows = diffRows(diffLines(lines(1, 20), `${lines(1, 9)}ten\nten and a half\n${lines(11, 20)}`));
    expect(rows.map((row) => (row.kind === "left out" ? row.lines : row.kind[0])).join(" ")).toBe(
      "6 s s s r a a s s s 7",
    );
    expect(rows.slice(3, 8)).toEqual([
      { kind: "same", old: 9, now: 9 },
      { kind: "removed", old: 10 },
      { kind: "added", now: 10 },
      { kind: "added", now: 11 },
      { kind: "same", old: 11, now: 12 },
    ]);
    expect([countOf(rows, "added"), countOf(rows, "removed")]).toEqual([2, 1]);
  });

  it("leaves nothing out where that would save nothing", () => {
    expect(diffRows(diffLines("a\nb\n", "a\nc")).map(({ kind }) => kind)).toEqual(["same", "removed", "added"]);
    expect(diffRows(diffLines("", "a\n"))).toEqual([{ kind: "added", now: 1 }]);
    expect(diffRows([])).toEqual([]);
  });
});
