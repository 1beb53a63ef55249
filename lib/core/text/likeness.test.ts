import fc from "fast-check";
import { expect, test } from "vitest";
import { likeness, nearest } from "./likeness.ts";

test("likeness is 1 for the same, 0 for strangers, and the same from both sides", () => {
  expect(likeness("abc", "abc")).toBe(1);
  expect(likeness("abc", "xyz")).toBe(0);
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) => {
      const score = likeness(one, other);
      expect(score).toBe(likeness(other, one));
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(1);
    }),
  );
});

test("nearest names what resembles the word, best first, whatever its case", () => {
  const names = ["read_files", "write_files", "list_files", "run_checks"];
  expect(nearest("Read_File", names, 2)[0]).toBe("read_files");
  expect(nearest("zzz", names, 2)).toEqual([]);
});
