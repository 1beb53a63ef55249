import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import { columnsOf, fitted, padded } from "./columns.ts";

describe("the width of text", () => {
  it.each([
    ["plain", 5],
    ["héllo", 5],
    ["he\u0301llo", 5],
    ["你好", 4],
    ["👩‍👩‍👧!", 3],
    ["✔ ▶ ·", 5],
    ["", 0],
  ])("of %j is %i columns", (text, columns) => {
    expect(columnsOf(text)).toBe(columns);
  });

  it("is what it is cut or filled to", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 30 }), (text, columns) => {
        const plain = sanitizeLine(text);
        expect(columnsOf(fitted(plain, columns))).toBeLessThanOrEqual(columns);
        expect(columnsOf(padded(plain, columns))).toBe(columns);
      }),
    );
    expect(fitted("你好世界", 4)).toBe("你…");
  });
});
