import { describe, expect, it } from "vitest";
import { modelFindings } from "./model.ts";

const LOCAL = "http://127.0.0.1:9/v1";
const KEYS = { OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "k" };

describe("the key that doctor looks for", () => {
  it.each<[string, string | undefined, Record<string, string>, string]>([
    ["anthropic/claude-opus-5", undefined, { ANTHROPIC_API_KEY: "k" }, "ANTHROPIC_API_KEY is set"],
    ["anthropic/claude-opus-5", undefined, { OPENAI_API_KEY: "k" }, "ANTHROPIC_API_KEY is not set"],
    ["gpt-5", undefined, { ANTHROPIC_API_KEY: "k" }, "OPENAI_API_KEY is not set"],
    ["bedrock/us.anthropic.claude-opus-5", undefined, { AWS_REGION: "us-east-1" }, "AWS_REGION is set"],
    ["bedrock/us.anthropic.claude-opus-5", undefined, KEYS, "AWS_REGION is not set"],
    ["local", LOCAL, { ANTHROPIC_API_KEY: "k" }, "none; a local server needs none"],
    ["local", LOCAL, KEYS, "OPENAI_API_KEY is set"],
  ])("%s at %s with %o: %s", async (model, baseUrl, env, says) => {
    const [key] = await modelFindings({ model, ...(baseUrl ? { baseUrl } : {}) }, env);
    expect(key).toMatchObject({ what: "key", says });
  });

  it("chooses a model where none is set, and says why", async () => {
    const [key, chosen, model] = await modelFindings({}, { HOME: "/nowhere", GEMINI_API_KEY: "k" });
    expect(key).toMatchObject({ state: "ok", says: "GEMINI_API_KEY is set" });
    const says = "gemini/gemini-3.8-flash, because GEMINI_API_KEY is set; --model changes it";
    expect(chosen).toEqual({ what: "default", state: "ok", says });
    expect(model?.says).toContain("gemini/gemini-3.8-flash, Chat Completions, calls by JSON schema, window 1.05M");
  });

  it("is one of many where none is set: each way on is shown", async () => {
    const [finding, ...others] = await modelFindings({}, { HOME: "/nowhere" });
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ what: "model", state: "missing", says: expect.stringContaining("No model") });
    expect(finding?.next).toContainEqual(expect.objectContaining({ command: "run", args: ["--rehearse"] }));
    expect(finding?.next).toContainEqual(expect.stringContaining("OPENROUTER_API_KEY"));
  });

  it("stands beside the protocol in which the model is asked", async () => {
    const findings = await modelFindings({ model: "anthropic/claude-opus-5" }, KEYS);
    expect(findings[1]?.says).toContain("anthropic/claude-opus-5, Messages API, native calls, window");
    const env = { AWS_REGION: "us-east-1", AWS_PROFILE: "models" };
    const bedrock = await modelFindings({ model: "bedrock/us.anthropic.claude-opus-5" }, env);
    expect(bedrock[1]?.says).toBe("Amazon Bedrock in us-east-1, asked with profile models");
    expect(bedrock[2]?.says).toContain("bedrock/us.anthropic.claude-opus-5, Converse API, native calls, window");
  });
});
