import { describe, expect, it } from "vitest";
import type { ModelProfile } from "./model-profile.ts";
import { limitAfter, wantedOutput } from "./output-limit.ts";

const run = (over: object = {}) => ({
  profile: { maxOutputTokens: 128_000, contextWindow: 272_000 } as ModelProfile,
  tokensPerByte: 0.25,
  tokensPerSecond: 0,
  ...over,
});
const call = { bytes: 40_000, timeoutMs: 800_000, halvings: 0 };

describe("the output limit", () => {
  it("begins far below what the model can write, and is halved by time-outs", () => {
    expect(wantedOutput(run(), call)).toBe(16_384);
    expect(wantedOutput(run(), { ...call, halvings: 2 })).toBe(4_096);
  });

  it("is never above the model's, the window's rest, or what the time left allows", () => {
    const small = { maxOutputTokens: 4_096, contextWindow: 14_000 } as ModelProfile;
    expect(wantedOutput(run({ profile: small }), { ...call, bytes: 4_000 })).toBe(4_096);
    expect(wantedOutput(run({ profile: small }), call)).toBe(2_436);
    expect(wantedOutput(run({ tokensPerSecond: 10 }), call)).toBe(8_000);
  });

  it("doubles after each answer that was cut, up to the model's", () => {
    let now: Parameters<typeof wantedOutput>[0] = run();
    const limits = Array.from({ length: 5 }, () => {
      const limit = wantedOutput(now, call);
      now = { ...now, ...limitAfter(now, { finish: "cut" }, limit) };
      return limit;
    });
    expect(limits).toEqual([16_384, 32_768, 65_536, 128_000, 128_000]);
  });

  it("stays where an answer was whole, or cut by a limit that want of time or money had lowered", () => {
    expect(limitAfter(run(), { finish: "tools" }, 16_384)).toEqual({});
    expect(limitAfter(run(), { finish: "cut" }, 2_000)).toEqual({});
    expect(limitAfter(run({ answerLimit: 65_536 }), { finish: "cut" }, 16_384)).toEqual({});
  });
});
