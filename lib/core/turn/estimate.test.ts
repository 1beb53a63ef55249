import { describe, expect, it } from "vitest";
import { atMostTokens, calibrated, likelyTokens } from "./estimate.ts";

describe("estimates", () => {
  it("are careful before the first answer and follow the provider's counts after it", () => {
    expect(atMostTokens(3_000, { tokensPerByte: 0 })).toBeGreaterThan(likelyTokens(3_000, { tokensPerByte: 0 }));
    const tokensPerByte = calibrated({ tokensPerByte: 0 }, 4_000, 1_000);
    expect(likelyTokens(8_000, { tokensPerByte })).toBe(2_000);
  });
  it("rise at once and fall slowly", () => {
    expect(calibrated({ tokensPerByte: 0.25 }, 1_000, 500)).toBe(0.5);
    expect(calibrated({ tokensPerByte: 0.5 }, 1_000, 250)).toBeCloseTo(0.475);
  });
});
