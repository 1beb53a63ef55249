import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { columnsOf, fitted, padded, plainLines, plainText } from "./plain-text.ts";

const HOSTILE = "\u001b[2J\u001b]0;title\u0007a\rb\u009b31mc\u202ed\u2066e\u2028f\ud800";

describe("text for a terminal", () => {
  it("holds nothing that moves the cursor, colours, turns the line around or breaks it", () => {
    expect(plainText(HOSTILE)).toBe("[2J]0;titlea b31mcdef\ufffd");
    expect(plainLines("a\n\tb\u001b[31m\rc")).toBe("a\n\tb[31mc");
  });

  it("keeps what people write, in every script", () => {
    const text = "Grüße, 你好, مرحبا, 👩‍👩‍👧 é ✔";
    expect(plainText(text)).toBe(text);
  });

  it("never lets a control character through, whatever it is given", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(plainText(text)).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      }),
    );
  });
});

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
        const plain = plainText(text);
        expect(columnsOf(fitted(plain, columns))).toBeLessThanOrEqual(columns);
        expect(columnsOf(padded(plain, columns))).toBe(columns);
      }),
    );
    expect(fitted("你好世界", 4)).toBe("你…");
  });
});
