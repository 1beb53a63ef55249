import { describe, expect, it } from "vitest";
import type { Run } from "../core/run/run.ts";
import { chooseModel, hasKey, hostOf, openModel } from "./open-model.ts";
import { keyFor, providerOf } from "./provider.ts";

describe("a model's name", () => {
  it.each([
    ["openai/gpt-5.6", undefined, "responses"],
    ["anthropic/claude-opus-5", undefined, "messages"],
    ["openai/gpt-5.6", "https://api.openai.com/v1/", "responses"],
    ["openai/gpt-5.6", "https://openrouter.ai/api/v1", undefined],
    ["anthropic/claude-opus-5", "http://127.0.0.1:4000/v1", undefined],
    ["gpt-5.6", undefined, undefined],
    ["constructor/x", undefined, undefined],
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
