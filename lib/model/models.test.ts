import { describe, expect, it } from "vitest";
import { KNOWN_MODELS } from "./known-models.ts";
import { type ProfileQuestion, resolveProfile } from "./models.ts";

const LOCAL = "http://127.0.0.1:8080/v1";
const ask = (asked: Partial<ProfileQuestion>) => {
  const answer = resolveProfile({ model: "unheard-of", table: KNOWN_MODELS, ...asked });
  if ("problem" in answer) throw new Error(answer.problem);
  return answer;
};

describe("the profile of a known model", () => {
  it("is what is published, and says the price it reckons with", () => {
    const { profile, notes } = ask({ model: "gpt-4o" });
    expect(profile).toEqual({
      model: "gpt-4o",
      contextWindow: 128_000,
      maxOutputTokens: 16_384,
      price: { input: 2.5, cachedInput: 1.25, output: 10 },
      convention: "native",
      outputLimit: "max_tokens",
      temperature: true,
      parallelToolCalls: true,
      requiredToolChoice: false,
    });
    expect(notes).toEqual([expect.stringContaining("2.5 USD in, 10 USD out")]);
  });

  it("requires a call of a model that reasons; another thinks in what it writes beside one", () => {
    const required = (model: string): boolean => ask({ model }).profile.requiredToolChoice;
    expect([required("gpt-5.5"), required("gpt-4.1")]).toEqual([true, false]);
  });

  it("keeps the name that the user gave: a snapshot stays a snapshot", () => {
    expect(ask({ model: "openai/gpt-4o-2024-08-06", baseUrl: "https://gateway.example.org/v1" }).profile).toMatchObject(
      {
        model: "openai/gpt-4o-2024-08-06",
        contextWindow: 128_000,
      },
    );
  });

  it("gives way to what the user says", () => {
    const { profile } = ask({ model: "gpt-4o", contextWindow: 20_000, price: { input: 9, output: 99 } });
    expect(profile).toMatchObject({ contextWindow: 20_000, maxOutputTokens: 10_000, price: { input: 9, output: 99 } });
  });
});

describe("the profile of an unknown model elsewhere", () => {
  it("is refused without a price, with what to do", () => {
    const answer = resolveProfile({ model: "unheard-of", baseUrl: "https://api.example.org/v1", table: KNOWN_MODELS });
    expect(answer).toEqual({
      problem: expect.stringContaining("unheard-of"),
      remedy: expect.stringMatching(/--price IN,OUT.*`models` in your configuration.*--unpriced/),
    });
  });

  it("is careful where the price is given, or said not to matter", () => {
    const { profile, notes } = ask({ price: { input: 1, output: 2 } });
    expect(profile).toEqual({
      model: "unheard-of",
      contextWindow: 32_768,
      maxOutputTokens: 16_384,
      price: { input: 1, output: 2 },
      convention: "native",
      outputLimit: "max_tokens",
      temperature: true,
      parallelToolCalls: true,
      requiredToolChoice: false,
    });
    expect(notes).toEqual([expect.stringContaining("--context-window")]);
    expect(ask({ unpriced: true }).profile).not.toHaveProperty("price");
    expect(ask({ unpriced: true }).notes[0]).toContain("no USD ceiling");
  });
});

describe("the profile of a model on this computer", () => {
  it("is free, and assumes little", () => {
    const { profile, notes } = ask({ baseUrl: LOCAL });
    expect(profile).toMatchObject({ price: { input: 0, output: 0 }, contextWindow: 8_192, maxOutputTokens: 4_096 });
    expect(notes.join(" ")).toMatch(/cost nothing.*8192 tokens are assumed/);
  });

  it("costs what the user says it costs", () => {
    expect(ask({ baseUrl: LOCAL, price: { input: 1, output: 2 } }).profile.price).toEqual({ input: 1, output: 2 });
  });

  it("is that of the model it names, at its price, where the server may pass requests on", () => {
    const published = { contextWindow: 128_000, price: { input: 2.5, cachedInput: 1.25, output: 10 } };
    expect(ask({ baseUrl: LOCAL, model: "gpt-4o" }).profile).toMatchObject(published);
    const probed = { kind: "litellm", models: ["gpt-4o"] } as const;
    expect(ask({ baseUrl: LOCAL, model: "gpt-4o", probed: { ...probed, models: ["gpt-4o"] } }).profile).toMatchObject(
      published,
    );
  });

  it("has the price that a proxy says, and none without one", () => {
    const price = { input: 3, output: 15 };
    const { profile, notes } = ask({ baseUrl: LOCAL, model: "mine", probed: { kind: "litellm", price } });
    expect(profile.price).toEqual(price);
    expect(notes).toContainEqual(expect.stringContaining("Price of mine as the proxy says: 3 USD in, 15 USD out"));
    const probed = { kind: "litellm" } as const;
    expect(resolveProfile({ model: "mine", baseUrl: LOCAL, table: KNOWN_MODELS, probed })).toHaveProperty("problem");
  });

  it("is called one at a time where its template wants that", () => {
    const probed = { kind: "llama.cpp", parallelToolCalls: false } as const;
    expect(ask({ baseUrl: LOCAL, probed }).profile.parallelToolCalls).toBe(false);
  });

  it("is not that of the model whose name was left in the settings, where the server runs models itself", () => {
    const probed = { kind: "llama.cpp" } as const;
    expect(ask({ baseUrl: LOCAL, model: "gpt-4o", probed }).profile).toMatchObject({ contextWindow: 8_192 });
  });

  it("is what the server says, and passes on what it warns of", () => {
    const probed = { kind: "llama.cpp", contextWindow: 16_384, convention: "schema", note: "Mind the gap." } as const;
    const { profile, notes } = ask({ baseUrl: LOCAL, probed });
    expect(profile).toMatchObject({ contextWindow: 16_384, maxOutputTokens: 8_192, convention: "schema" });
    expect(notes).toContain("Mind the gap.");
  });

  it("warns where the user's window is larger than the server's", () => {
    const probed = { kind: "vllm", contextWindow: 4_096 } as const;
    expect(ask({ baseUrl: LOCAL, probed, contextWindow: 8_000 }).notes).toContainEqual(
      expect.stringContaining("4096 tokens, not 8000"),
    );
  });

  it("warns where the server is silent or has other models", () => {
    expect(ask({ baseUrl: LOCAL, probed: { kind: "unreachable" } }).notes.join()).toContain(
      `No server answers at ${LOCAL}`,
    );
    const probed = { kind: "ollama", models: ["qwen3:8b"] } as const;
    expect(ask({ baseUrl: LOCAL, probed: { ...probed, models: [...probed.models] } }).notes.join()).toContain(
      "it has qwen3:8b",
    );
    const latest = ask({ baseUrl: LOCAL, model: "smollm2", probed: { kind: "ollama", models: ["smollm2:latest"] } });
    expect(latest.notes.join()).not.toContain("does not list");
    expect(ask({ baseUrl: LOCAL, probed: { kind: "llama.cpp", models: ["a.gguf"] } }).notes.join()).not.toContain(
      "a.gguf",
    );
  });
});
