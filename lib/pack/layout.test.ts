import { expect, test } from "vitest";
import { assertFits, layOut, locate } from "./layout.ts";

const entry = (path: string) => ({ path, size: 0, crc: 0, deflated: false, raw: new Uint8Array(0) });

test("takes as many files as a zip counts without its extension, and no more", () => {
  const entries = Array.from({ length: 65_535 }, (_, index) => entry(String(index)));
  expect(locate(layOut(entries))).toHaveLength(65_535);
  expect(() => layOut([...entries, entry("one more")])).toThrow("A pack takes 65535 files; this tree has 65536.");
});

test("stays below four gibibytes", () => {
  expect(() => assertFits(1, 2 ** 32 - 1)).not.toThrow();
  expect(() => assertFits(1, 2 ** 32)).toThrow("A pack takes 4294967295 bytes; this one would have 4294967296.");
});

test.each(["", "\ud800", "x".repeat(65_536)])("refuses a name that a zip cannot hold", (path) => {
  expect(() => layOut([entry(path)])).toThrow();
});
