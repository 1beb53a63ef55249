import { describe, expect, it } from "vitest";
import { boundWidth, readWidth, widthAfterKey } from "./column-widths.ts";

describe("the width of a column", () => {
  it("follows the arrows, which point where its edge goes, and stays within its bounds", () => {
    expect(["ArrowRight", "ArrowLeft"].map((key) => widthAfterKey("program", 15, key))).toEqual([16, 14]);
    expect(["ArrowRight", "ArrowLeft"].map((key) => widthAfterKey("files", 15, key))).toEqual([14, 16]);
    expect(["Home", "End", "Enter", "a"].map((key) => widthAfterKey("files", 20, key))).toEqual([9, 40, 14, undefined]);
    expect([widthAfterKey("program", 9, "ArrowLeft"), boundWidth(99), boundWidth(12.13)]).toEqual([9, 40, 12.25]);
  });

  it("is read as it was kept, and is the usual one where that is no width", () => {
    const kept = [null, "", "wide", "-3", "1e9", "NaN", "20"];
    expect(kept.map((each) => readWidth("program", each))).toEqual([15, 15, 15, 15, 15, 15, 20]);
  });
});
