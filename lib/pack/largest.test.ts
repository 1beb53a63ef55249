import { describe, expect, it } from "vitest";
import { largestParts } from "./largest.ts";

const parts = (files: Record<string, number>, atMost = 3) =>
  largestParts(
    Object.entries(files).map(([name, weight]) => ({ name, weight })),
    atMost,
  ).map(({ name, weight }) => `${name} ${weight}`);
const many = (folder: string, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${folder}/${n}.png`, 1]));

describe("the largest parts of a tree", () => {
  it("are folders and files of its top, the heaviest first", () => {
    const files = { "a/1": 3, "a/2": 3, "b/1": 4, "c.bin": 5, d: 1 };
    expect(parts(files)).toEqual(["a/ 6", "c.bin 5", "b/ 4"]);
  });

  it("are looked for in the folder that has most, down to a file", () => {
    expect(parts({ "a/b/x.bin": 50, "a/b/y/1": 30, "a/c": 5, d: 1 })).toEqual(["a/b/x.bin 50", "a/b/y/ 30"]);
    expect(parts({ "a/b/data.bin": 90, "a/c": 5, d: 1 })).toEqual(["a/b/data.bin 90"]);
  });

  it("are the folder itself where it holds nothing of weight", () => {
    expect(parts({ ...many("img", 90), readme: 1 })).toEqual(["img/ 90", "readme 1"]);
  });

  it("are none of no files, and take no long time for deep ones", () => {
    expect(parts({})).toEqual([]);
    expect(parts({ [`${"a/".repeat(500)}b`]: 1 })).toHaveLength(1);
  });
});
