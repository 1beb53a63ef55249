import { describe, expect, it } from "vitest";
import { ModelProfile } from "../core/turn/model-profile.ts";
import { KNOWN_MODELS, PUBLISHED } from "./known-models.ts";
import { extended, lookUp, type ModelTable, parseModelTable } from "./model-table.ts";

const found = (model: string, table: ModelTable = KNOWN_MODELS) => lookUp(table, model)?.name;

describe("finding a model by its name", () => {
  it.each([
    ["gpt-4o", "gpt-4o"],
    ["gpt-4o-2024-08-06", "gpt-4o"],
    ["gpt-4o-2024-05-13", "gpt-4o-2024-05-13"],
    ["gpt-4o-mini-2024-07-18", "gpt-4o-mini"],
    ["openai/gpt-4o", "gpt-4o"],
    ["openrouter/openai/gpt-4.1-mini", "gpt-4.1-mini"],
    ["gpt-6.1-sol-2026-09-29", "gpt-6.1-sol"],
    ["anthropic/claude-haiku-4-5-20251001", "claude-haiku-4-5"],
    ["openai/gpt-oss-120b", "openai/gpt-oss-120b"],
    ["groq/openai/gpt-oss-120b", "openai/gpt-oss-120b"],
    ["openai.gpt-oss-120b-1:0", "openai.gpt-oss-120b"],
    ["bedrock-openai/openai.gpt-oss-120b-1:0", "openai.gpt-oss-120b"],
    ["bedrock/us.anthropic.claude-haiku-4-5-20251001-v1:0", "anthropic.claude-haiku-4-5"],
    ["bedrock/global.anthropic.claude-opus-5", "anthropic.claude-opus-5"],
    ["bedrock/jp.anthropic.claude-opus-5-5", "anthropic.claude-opus-5-5"],
    ["bedrock/eu.anthropic.claude-sonnet-5-5", "anthropic.claude-sonnet-5-5"],
    ["bedrock/us.amazon.nova-2-lite-v1:0", "us.amazon.nova-2-lite"],
    ["bedrock/us.amazon.nova-pro-v1:0", "us.amazon.nova-pro"],
    ["google/gemini-3.8-flash", "gemini-3.8-flash"],
    ["moonshotai/kimi-k3", "kimi-k3"],
    ["z-ai/glm-5.3", "glm-5.3"],
    ["META-LLAMA/llama-3.3-70b-instruct-turbo", "meta-llama/Llama-3.3-70B-Instruct-Turbo"],
  ])("%s is %s", (model, name) => {
    expect(found(model)).toBe(name);
  });

  it.each([
    "gpt-5-pro",
    "gpt-5.2-codex",
    "o3-pro",
    "o3-deep-research",
    "gpt-4o-realtime-preview",
    "gpt-4",
    "gpt-4o:free",
    "claude-sonnet-4",
    "bedrock/us.gpt-4o",
    "bedrock/us.amazon.nova-premier-v1:0",
    "bedrock/eu.amazon.nova-pro-v1:0",
    "bedrock/arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/anthropic",
    "x",
    "",
  ])("%s is not taken for a model with another price", (model) => {
    expect(found(model)).toBeUndefined();
  });

  it("prefers the longest name, and the whole name over a part of it", () => {
    const table: ModelTable = { m: {}, "m-2": {}, "m-2-2025-01-01": {}, "a/m": {} };
    expect(found("m-2-2025-01-01", table)).toBe("m-2-2025-01-01");
    expect(found("m-2-2025-02-02", table)).toBe("m-2");
    expect(found("a/m", table)).toBe("a/m");
    expect(found("b/m", table)).toBe("m");
  });
});

describe("the published table", () => {
  it.each(Object.entries(KNOWN_MODELS))("%s makes a valid profile with a price and room for input", (model, known) => {
    const profile = ModelProfile.parse({
      model,
      convention: "native",
      outputLimit: "max_tokens",
      temperature: true,
      parallelToolCalls: true,
      requiredToolChoice: false,
      ...known,
    });
    expect(profile.price?.output).toBeGreaterThan(0);
    expect(profile.price?.output).toBeGreaterThanOrEqual(profile.price?.input ?? Number.NaN);
    expect(profile.price?.cachedInput ?? 0).toBeLessThanOrEqual(profile.price?.input ?? Number.NaN);
    expect(profile.maxOutputTokens).toBeLessThan(profile.contextWindow);
  });
});

describe("where published facts are from", () => {
  it("is a page, read on a day or in a month, of each model once", () => {
    for (const { source, asOf } of PUBLISHED) {
      expect(new URL(source).protocol).toBe("https:");
      expect(asOf).toMatch(/^2026-\d{2}(-\d{2})?$/);
    }
    const names = PUBLISHED.flatMap(({ models }) => Object.keys(models));
    expect(new Set(names).size).toBe(names.length);
  });

  it("has a way to ask each: a provider's prefix, or the host of a compatible endpoint", () => {
    for (const { prefix, host } of PUBLISHED) expect([prefix, host].filter(Boolean)).toHaveLength(1);
  });
});

describe("a table of the user's own", () => {
  it("is taken in, and overrides fact by fact", () => {
    const parsed = parseModelTable({ "GPT-4O": { price: { input: 1, output: 2 } }, mine: { contextWindow: 4_096 } });
    if (!("table" in parsed)) throw new Error(parsed.problem);
    const table = extended(KNOWN_MODELS, parsed.table);
    expect(lookUp(table, "gpt-4o-2024-08-06")?.known).toEqual({
      ...KNOWN_MODELS["gpt-4o"],
      price: { input: 1, output: 2 },
    });
    expect(lookUp(table, "mine")?.known).toEqual({ contextWindow: 4_096 });
    expect(KNOWN_MODELS["gpt-4o"]?.price?.input).toBe(2.5);
  });

  it.each([
    [{ m: { contextWindow: "big" } }, "contextWindow"],
    [{ m: { price: { input: -1, output: 1 } } }, "input"],
    [{ m: { pricing: {} } }, "pricing"],
    [["m"], "record"],
    ["m", "record"],
  ])("says what is wrong with %o", (json, word) => {
    const parsed = parseModelTable(json);
    expect("problem" in parsed && parsed.problem).toContain(word);
  });
});
