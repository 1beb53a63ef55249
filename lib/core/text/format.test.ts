import { describe, expect, it } from "vitest";
import { amount, clock, moment, money, pluralize, shortId, size, span, spanWords } from "./format.ts";

describe("amounts in words", () => {
  it.each([
    [0, "$0.00"],
    [4_300, "$0.0043"],
    [830_000, "$0.83"],
    [12_345_678, "$12.35"],
  ])("%i micro-dollars are %s", (microUsd, words) => expect(money(microUsd)).toBe(words));

  it.each([
    [0, "0s", "0 s"],
    [8_400, "8s", "8 s"],
    [112_000, "1m52", "1 min 52 s"],
    [7_500_000, "2h05", "2 h 5 min"],
    [3 * 86_400_000, "3d", "3 d"],
    [-5, "0s", "0 s"],
  ])("%i milliseconds are %s, or %s", (milliseconds, short, long) => {
    expect([span(milliseconds), spanWords(milliseconds)]).toEqual([short, long]);
  });

  it("counts and sizes are short", () => {
    expect([950, 8_192, 76_543, 128_000, 999_600, 1_047_576].map(amount)).toEqual([
      ...["950", "8.19k", "76.5k", "128k", "1M", "1.05M"],
    ]);
    expect([12, 2_048, 3 * 1_048_576].map(size)).toEqual(["12 B", "2.0 KiB", "3.0 MiB"]);
    expect([pluralize(1, "file"), pluralize(2, "file")]).toEqual(["1 file", "2 files"]);
  });

  it("a run is named by the end of its id", () => {
    expect(shortId("01M7YS8WFN22V1E262N138KYQ3")).toBe("38KYQ3");
  });
});

it("times are in UTC, and have their date where that is not today", () => {
  expect(moment("2026-11-21T22:29:48.000Z")).toBe("2026-11-21 22:29 UTC");
  expect(clock("2026-11-21T22:29:48.000Z", "2026-11-21T23:00:00.000Z")).toBe("22:29:48 UTC");
  expect(clock("2026-11-21T22:29:48.000Z", "2026-11-22T01:00:00.000Z")).toBe("2026-11-21 22:29:48 UTC");
});
