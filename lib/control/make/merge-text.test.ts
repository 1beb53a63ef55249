import { describe, expect, it } from "vitest";
import { decodeText, encodeText } from "../../core/text/file-text.ts";
import { mergeText } from "./merge-text.ts";

function merge(was: string, left: string, now: string, loosely = false): string | undefined {
  const merged = mergeText({ was: encodeText(was), left: encodeText(left), now: encodeText(now) }, loosely);
  return merged && decodeText(merged);
}

const block = (value: string): string => `begin\n  one\n  two\n  value ${value}\n  three\n  four\nend\n`;

describe("a text that two changed", () => {
  it("is merged where each changed other lines", () =>
    expect(merge(`head\n${block("1")}`, `head\n${block("2")}`, `new\nhead\n${block("1")}`)).toBe(
      `new\nhead\n${block("2")}`,
    ));

  it("is not merged where two places are equal: the wrong one could be changed", () => {
    const was = `${block("1")}middle\n${block("9")}`;
    const left = `${block("2")}middle\n${block("9")}`;
    expect(merge(was, left, `${block("1")}${block("1")}middle\n`)).toBeUndefined();
    // The right one is gone, and an equal one is there.
    expect(
      merge(`${block("1")}middle\n${block("1")}`, `${block("1")}middle\n${block("2")}`, block("1")),
    ).toBeUndefined();
  });

  it("is as the step left it where it is that already", () => expect(merge("a\n", "b\n", "b\n")).toBe("b\n"));

  it("is not merged where the step wrote what was there, and now there is something else", () =>
    expect(merge("a\n", "a\n", "b\n")).toBeUndefined());

  it("that is loose takes added lines beside others, and no change of a line", () => {
    expect(merge("a\nb\n", "a\nb\nc\n", "a\nx\n", true)).toBe("a\nx\nc\n");
    expect(merge("a\nb\n", "a\nc\n", "x\nb\nb\nb\n", true)).toBeUndefined();
    expect(merge("a\nb\n", "a\nb\nc\n", "a\nx\n")).toBeUndefined();
  });
});
