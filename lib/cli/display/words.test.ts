import { describe, expect, it } from "vitest";
import { money, shortId, size, span, tokens } from "./words.ts";

describe("amounts in words", () => {
  it.each([
    [0, "$0.00"],
    [4_300, "$0.0043"],
    [830_000, "$0.83"],
    [12_345_678, "$12.35"],
  ])("%i micro-dollars are %s", (microUsd, words) => expect(money(microUsd)).toBe(words));

  it.each([
    [0, "0s"],
    [8_400, "8s"],
    [112_000, "1m52"],
    [7_500_000, "2h05"],
    [3 * 86_400_000, "3d"],
    [-5, "0s"],
  ])("%i milliseconds are %s", (milliseconds, words) => expect(span(milliseconds)).toBe(words));

  it("tokens and sizes are short", () => {
    expect([950, 8_192, 128_000, 1_047_576].map(tokens)).toEqual(["950", "8.19k", "128k", "1.05M"]);
    expect([12, 2_048, 3 * 1_048_576].map(size)).toEqual(["12 B", "2.0 KiB", "3.0 MiB"]);
  });

  it("a run is named by the end of its id", () => {
    expect(shortId("01M7YS8WFN22V1E262N138KYQ3")).toBe("38KYQ3");
  });
});
