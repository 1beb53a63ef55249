import { describe, expect, it } from "vitest";
import { decodeText, encodeText } from "../../core/text/file-text.ts";
import { mergeText } from "./merge-text.ts";

function merge(was: string, left: string, now: string, isOfAll = false): string | undefined {
  const merged = mergeText({ was: encodeText(was), left: encodeText(left), now: encodeText(now) }, isOfAll);
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

  it("of all steps holds what each added, in the order of the program", () => {
    expect(merge("a\nb\n", "a\nb\nsecond\n", "a\nb\nfirst\n", true)).toBe("a\nb\nfirst\nsecond\n");
    expect(merge("a\n\nz\n", "a\nsecond\n\nz\n", "a\nfirst\n\nz\nend\n", true)).toBe("a\nfirst\nsecond\n\nz\nend\n");
    expect(merge("", "second\n", "first\n", true)).toBe("first\nsecond\n");
    // The same line of both is one.
    expect(merge("a\n", "a\nb\n", "x\na\nb\n", true)).toBe("x\na\nb\n");
  });

  it("of all steps is changed where each changed other lines", () => {
    expect(merge("a\nb\nc\nd\n", "a\nb\nc\nD\n", "A\nb\nc\nd\n", true)).toBe("A\nb\nc\nD\n");
    expect(merge("a\nb\n", "a\n", "a\nB\n", true)).toBeUndefined();
  });

  it("of all steps takes added lines beside others, and no change of a line", () => {
    expect(merge("a\nb\n", "a\nb\nc\n", "a\nx\n", true)).toBe("a\nx\nc\n");
    expect(merge("a\nb\n", "a\nc\n", "x\nb\nb\nb\n", true)).toBeUndefined();
    expect(merge("a\nb\n", "a\nb\nc\n", "a\nx\n")).toBeUndefined();
  });
});
