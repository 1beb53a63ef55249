import fc from "fast-check";
import { expect, it } from "vitest";
import { naturalOrder } from "./natural-order.ts";

const sorted = (...paths: string[]): string[] => paths.sort(naturalOrder);

it("puts 2 before 10, with and without leading zeros", () => {
  expect(sorted("ch10.md", "ch2.md", "ch1.md")).toEqual(["ch1.md", "ch2.md", "ch10.md"]);
  expect(sorted("10-x.md", "009-x.md", "08-x.md")).toEqual(["08-x.md", "009-x.md", "10-x.md"]);
  expect(sorted("1000000000000000000001", "1000000000000000000000", "99")).toEqual([
    "99",
    "1000000000000000000000",
    "1000000000000000000001",
  ]);
});

it("keeps the files of a folder together", () => {
  expect(sorted("part2/1.md", "part10/1.md", "part2/12.md", "part2 b/1.md", "part2/2.md")).toEqual([
    "part2/1.md",
    "part2/2.md",
    "part2/12.md",
    "part2 b/1.md",
    "part10/1.md",
  ]);
});

it("puts a name before those that go on from it, whatever the extension", () => {
  expect(sorted("1-b.md", "1.markdown", "1.5.md", "Prologue.md", "2.md")).toEqual([
    "1.markdown",
    "1-b.md",
    "1.5.md",
    "2.md",
    "Prologue.md",
  ]);
});

it("is an order: the same for paths in any order", () => {
  const path = fc.string({ unit: fc.constantFrom("a", "B", "1", "2", "0", "/", ".", "-", "ä"), maxLength: 6 });
  fc.assert(
    fc.property(fc.uniqueArray(path, { maxLength: 12 }), (paths) => {
      expect(paths.toReversed().sort(naturalOrder)).toEqual(paths.toSorted(naturalOrder));
    }),
  );
});
