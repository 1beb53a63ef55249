import { describe, expect, it } from "vitest";
import type { Run } from "../core/run/run.ts";
import { chooseModel, hasKey, hostOf, openModel } from "./open-model.ts";
import { awsRegionIn, keyFor, providerOf } from "./provider.ts";

describe("a model's name", () => {
  it.each([
    ["openai/gpt-5.6", undefined, "responses"],
    ["anthropic/claude-opus-5", undefined, "messages"],
    ["openai/gpt-5.6", "https://api.openai.com/v1/", "responses"],
    ["openai/gpt-5.6", "https://openrouter.ai/api/v1", undefined],
    ["anthropic/claude-opus-5", "http://127.0.0.1:4000/v1", undefined],
    ["gpt-5.6", undefined, undefined],
    ["constructor/x", undefined, undefined],
    ["bedrock/eu.amazon.nova-pro-v1:0", undefined, "converse"],
    ["bedrock-openai/openai.gpt-oss-120b-1:0", undefined, "bedrock-chat"],
    ["bedrock/eu.amazon.nova-pro-v1:0", "http://127.0.0.1:4000/v1", undefined],
    ["openai/", undefined, undefined],
    [undefined, undefined, undefined],
  ])("%s at %s chooses %s", (model, baseUrl, api) => expect(providerOf(model, baseUrl)?.api).toBe(api));
});

describe("a model that is asked in its provider's protocol", () => {
  it("is called natively, at the price that caching has", async () => {
    const { profile, notes } = await chooseModel({ model: "anthropic/claude-opus-5", anthropicKey: "k" });
    expect(profile).toMatchObject({
      model: "anthropic/claude-opus-5",
      api: "messages",
      convention: "native",
      price: { input: 6.25, cachedInput: 0.5, output: 25 },
    });
    expect(notes.join()).toContain("6.25 USD in");
    const openai = await chooseModel({ model: "openai/gpt-5.6", apiKey: "k" });
    expect(openai.profile).toMatchObject({ api: "responses", convention: "native", temperature: false });
    expect((await chooseModel({ model: "gpt-5.6", apiKey: "k" })).profile).not.toHaveProperty("api");
  });

  it("wants the key of that provider, and no other is sent to it", async () => {
    const model = "anthropic/claude-opus-5";
    expect(hasKey({ model, apiKey: "k" })).toBe(false);
    expect(hasKey({ model, anthropicKey: "k" })).toBe(true);
    expect(keyFor("messages", { apiKey: "k" })).toEqual({});
    expect(hostOf({ model })).toBe("api.anthropic.com");
    const wanting = { message: expect.stringContaining("api.anthropic.com"), remedy: /ANTHROPIC_API_KEY/ };
    await expect(chooseModel({ model, apiKey: "k" })).rejects.toMatchObject({
      ...wanting,
      remedy: expect.stringMatching(wanting.remedy),
    });
    const { profile } = await chooseModel({ model, anthropicKey: "k" });
    const run = { profile, options: {} } as Run;
    await expect(openModel(run, { rehearsals: "", apiKey: "k" })).rejects.toThrow("api.anthropic.com");
    expect(await openModel(run, { rehearsals: "", anthropicKey: "k" })).toHaveProperty("ask");
  });
});

describe("a model of Bedrock", () => {
  const model = "bedrock/us.anthropic.claude-opus-5";

  it("wants a region and no key, and is sent none", async () => {
    expect(hasKey({ model, apiKey: "k", anthropicKey: "k" })).toBe(false);
    expect(hasKey({ model, awsRegion: "us-east-1" })).toBe(true);
    expect(keyFor("converse", { apiKey: "k", anthropicKey: "k" })).toEqual({});
    expect(hostOf({ model })).toBe("Amazon Bedrock");
    await expect(chooseModel({ model, apiKey: "k" })).rejects.toMatchObject({
      message: "No region is set for Amazon Bedrock.",
      exitCode: 3,
      remedy: expect.stringContaining("AWS_REGION"),
    });
  });

  it("is priced with its cache, and takes no temperature unless its row says so", async () => {
    const { profile } = await chooseModel({ model, awsRegion: "us-east-1" });
    expect(profile).toMatchObject({ api: "converse", convention: "native", temperature: false });
    expect(profile.price).toEqual({ input: 6.875, cachedInput: 0.55, output: 27.5 });
    const nova = await chooseModel({ model: "bedrock/us.amazon.nova-pro-v1:0", awsRegion: "us-east-1" });
    expect(nova.profile).toMatchObject({ temperature: true, price: { input: 0.8, cachedInput: 0.2 } });
    const other = await chooseModel({ model: "bedrock/x.y-v1:0", awsRegion: "us-east-1", unpriced: true });
    expect(other.profile.temperature).toBe(false);
  });

  it("is opened only where requests can be signed", async () => {
    const { profile } = await chooseModel({ model, awsRegion: "us-east-1" });
    const run = { profile, options: {} } as Run;
    const access = { rehearsals: "", awsRegion: "us-east-1" };
    await expect(openModel(run, access)).rejects.toThrow("your own computer only");
    expect(await openModel(run, { ...access, signerFor: async () => async () => ({}) })).toHaveProperty("ask");
    await expect(openModel(run, { rehearsals: "", apiKey: "k" })).rejects.toThrow("No region");
  });

  it.each([
    [{ AWS_REGION: " eu-west-1\n", AWS_DEFAULT_REGION: "us-east-1" }, "eu-west-1"],
    [{ AWS_REGION: "", AWS_DEFAULT_REGION: "us-east-1" }, "us-east-1"],
    [{}, undefined],
  ])("is asked in the region of the environment: %j", (env, region) => expect(awsRegionIn(env)).toBe(region));
});
