import { describe, expect, it } from "vitest";
import { lineDifference } from "./line-difference.ts";

describe("the difference between two texts", () => {
  it("is empty where they are the same", () => {
    expect(lineDifference("a\nb\n", "a\nb\n")).toBe("");
  });

  it("shows what went and came with the lines around it, and leaves the rest out", () => {
    const before = ["1", "2", "3", "4", "old", "6", "7", "8", "9"].join("\n");
    const after = ["1", "2", "3", "4", "new", "more", "6", "7", "8", "9"].join("\n");
    expect(lineDifference(before, after)).toBe("…\n  3\n  4\n- old\n+ new\n+ more\n  6\n  7\n…\n");
  });

  it("keeps lines in the middle that stay", () => {
    expect(lineDifference("a\nx\nb\n", "c\nx\nd\n")).toBe("- a\n+ c\n  x\n- b\n+ d\n\n");
  });

  it("of long texts without a common line takes no time", () => {
    const of = (word: string) => Array.from({ length: 5_000 }, (_, at) => `${word} ${at}`).join("\n");
    expect(lineDifference(of("a"), of("b")).split("\n")).toHaveLength(10_001);
  });
});
