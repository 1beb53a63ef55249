import { describe, expect, it } from "vitest";
import { visible } from "./visible.ts";

describe("what others wrote", () => {
  it("shows escape codes and turned directions as signs, and leaves the rest as it is", () => {
    expect(visible("\u001b[31mred\u0000\u007f\u009b")).toBe("␛[31mred␀␡⟦U+009B⟧");
    expect(visible("\u202egnp.exe\u202c \u2066x\u2069")).toBe("⟦U+202E⟧gnp.exe⟦U+202C⟧ ⟦U+2066⟧x⟦U+2069⟧");
    const plain = "a\tb\r\nnaïve 日本語 \u{1F468}\u200D\u{1F469} שלום";
    expect(visible(plain)).toBe(plain);
  });
});
