import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { text as svgText } from "../../../packages/page/charts/svg.ts";
import { createRedact } from "../../model/redact.ts";
import { oneLine } from "./cut.ts";
import { reveal, sanitize, sanitizeLine } from "./sanitize.ts";

describe("sanitized text", () => {
  it("holds no colours, cursor movements, titles or links", () => {
    const text = "\u001b[31mred\u001b[0m \u001b]0;title\u0007a \u001b]8;;x\u001b\\link\u001b[2J \u009b1mC1 \u001b(Bend";
    expect(sanitize(text)).toBe("red a link C1 end");
  });

  it("is not swallowed by a title that never ends", () => {
    expect(sanitize("\u001b]0;open\nnext line")).toBe("\nnext line");
  });

  it("keeps tabs, line ends and every letter, and no half characters", () => {
    expect(sanitize("a\tb\r\nc\rd\u0000\u0008\u007f é 日本 \u202ex")).toBe("a\tb\nc\nd é 日本 x");
    expect(sanitize("\ud800")).toBe("\ufffd");
    const people = "Grüße, 你好, مرحبا, 👩‍👩‍👧 é ✔";
    expect(sanitizeLine(people)).toBe(people);
  });

  it("is one line where one is asked for, whatever ends lines", () => {
    expect(sanitizeLine("a\r\n\tb\u2028c")).toBe("a b c");
  });
});

describe("revealed text", () => {
  it("shows escape codes and turned directions as signs, and leaves the rest as it is", () => {
    expect(reveal("\u001b[31mred\u0000\u007f\u009b")).toBe("␛[31mred␀␡⟦U+009B⟧");
    expect(reveal("\u202egnp.exe\u202c \u2066x\u2069")).toBe("⟦U+202E⟧gnp.exe⟦U+202C⟧ ⟦U+2066⟧x⟦U+2069⟧");
    const plain = "a\tb\r\nnaïve 日本語 \u{1F468}\u200D\u{1F469} שלום";
    expect(reveal(plain)).toBe(plain);
  });
});

describe("characters that control a terminal or turn the direction of writing", () => {
  it.each([
    ["files, verdicts and the model's tool answers", sanitize],
    ["lines of the terminal", sanitizeLine],
    ["lines of a limited length", (text: string) => oneLine(text, 1_000)],
    ["the page", reveal],
    ["charts and the report", svgText],
    ["messages of model servers", createRedact(undefined)],
  ])("never reach %s", (_, shown) => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        fc.constantFrom("\u202e", "\u2066", "\u200f", "\u061c", "\u001b"),
        (text, one) => {
          expect(shown(`${text}${one}${text}`)).not.toMatch(
            /(?![\t\n\r])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u,
          );
        },
      ),
    );
  });
});
