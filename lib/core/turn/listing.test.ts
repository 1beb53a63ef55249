import { describe, expect, it } from "vitest";
import { likelyTokens } from "./estimate.ts";
import { listingOf } from "./listing.ts";

describe("the listing of files", () => {
  const entry = (index: number, path = `src/f${index}.ts`) => ({
    path,
    sha256: "",
    bytes: 10,
    lines: 2,
    instruction: index,
    turn: 1,
  });
  it("shows the recent ones first and folders with counts for the rest, within its share of the window", () => {
    const listing = listingOf(
      Array.from({ length: 3_000 }, (_, index) => entry(index)),
      8_192,
    );
    expect(listing.startsWith("src/f2999.ts")).toBe(true);
    expect(listing).toMatch(/src\/: \d+ more files/);
    expect(likelyTokens(listing.length, { tokensPerByte: 0 })).toBeLessThanOrEqual(1_024);
  });
  it("is empty for an empty tree and complete for a small one", () => {
    expect(listingOf([], 8_192)).toBe("");
    expect(listingOf([entry(1, "a.txt")], 8_192)).toBe("a.txt (2 lines, 10 bytes)");
  });
});
