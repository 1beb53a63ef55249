import { describe, expect, it } from "vitest";
import { isPossible } from "./possible-usage.ts";

const call = { bytes: 10_000, maxOutputTokens: 2_000, sent: 8_000, written: 1_600 };
const usage = { inputTokens: 3_000, cachedTokens: 0, outputTokens: 500 };

describe("what a server says it counted", () => {
  it.each([
    ["is ordinary", {}],
    ["is all of the request, a token for each byte, and a template", { inputTokens: 14_000 }],
    ["is a little more output than was allowed", { outputTokens: 2_100 }],
    ["is little, of text that is sparse", { inputTokens: 400, outputTokens: 80 }],
  ])("is believed where it %s", (_what, said) => {
    expect(isPossible({ ...usage, ...said }, call)).toBe(true);
  });

  it.each([
    ["more input than the request has bytes", { inputTokens: 20_000 }],
    ["more output than was allowed", { outputTokens: 3_000 }],
    ["more from the cache than there was", { cachedTokens: 3_001 }],
    ["a number beyond all counting", { outputTokens: 1e300 }],
    ["a number that is none", { inputTokens: Number.NaN }],
    ["infinity", { inputTokens: Number.POSITIVE_INFINITY }],
    ["a part of a token", { outputTokens: 0.5 }],
    ["less than nothing", { inputTokens: -1 }],
    ["nothing", { inputTokens: 0, outputTokens: 0 }],
    ["less input than any text has", { inputTokens: 399 }],
    ["less output than what was written has", { outputTokens: 79 }],
  ])("is not believed where it is %s", (_what, said) => {
    expect(isPossible({ ...usage, ...said }, call)).toBe(false);
  });
});
