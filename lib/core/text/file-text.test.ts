import fc from "fast-check";
import { expect, test } from "vitest";
import { byteLength, decodeText, encodeText, linesOf, splitLines } from "./file-text.ts";

test("text that is read and written back is the same bytes, byte order mark included", () => {
  const marked = new Uint8Array([0xef, 0xbb, 0xbf, 0x61]);
  expect(decodeText(marked)).toBe("\ufeffa");
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const text = decodeText(bytes);
      if (text !== undefined) expect(encodeText(text)).toEqual(bytes);
    }),
  );
});

test.each([[[0]], [[0x61, 0, 0x62]], [[0xff, 0xfe, 0x61]], [[0xc3]], [[0xed, 0xa0, 0x80]]])("%j is binary", (bytes) =>
  expect(decodeText(new Uint8Array(bytes))).toBeUndefined(),
);

test.each([
  ["", 0],
  ["a", 1],
  ["a\n", 1],
  ["a\nb", 2],
  ["\n", 1],
  ["\n\n", 2],
  ["a\r\nb\r\n", 2],
])("%j has %i lines", (text, lines) => {
  expect(linesOf(encodeText(text))).toBe(lines);
  expect(splitLines(text)).toHaveLength(lines);
});

test.each(["", "a", "é€𝒳", "a\ud800", "~\u007f\u0080", "x".repeat(101), `${"x".repeat(99)}é`, "é".repeat(101)])(
  "bytes are those of UTF-8: %j",
  (text) => expect(byteLength(text)).toBe(encodeText(text).length),
);
test("a character outside of ASCII has two to four bytes", () => expect(byteLength("é€𝒳")).toBe(9));
