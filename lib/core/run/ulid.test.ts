import { describe, expect, it } from "vitest";
import { isUlid, ulid } from "./ulid.ts";

describe("run ids", () => {
  it("are ULIDs that sort by time", () => {
    const earlier = ulid(1_700_000_000_000, Math.random);
    expect(isUlid(earlier)).toBe(true);
    expect(earlier < ulid(1_700_000_000_001, () => 0)).toBe(true);
  });
});
