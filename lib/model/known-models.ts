/** What providers publish about their models, as of November 2026: windows, limits and prices in USD per million tokens. */
import type { Price } from "../core/turn/model-profile.ts";
import { bedrock, bedrockChat } from "./bedrock/known-bedrock-models.ts";
import { chat, K, price } from "./known-model.ts";
import { type KnownModel, lookUp, type ModelTable } from "./model-table.ts";

/** Models of one provider, and where their facts are from. */
export interface PublishedModels {
  provider: string;
  /** Where prices are published: the provider's own page, or one that repeats it. */
  source: string;
  /** The month or day on which the source was read. */
  asOf: string;
  /** In front of a name, it asks the provider in its own protocol. */
  prefix?: "openai/" | "anthropic/" | "bedrock/" | "bedrock-openai/" | "gemini/";
  /** The host of its compatible endpoint, where it is asked by base URL. */
  host?: string;
  models: ModelTable;
}

/** Every fact can be overridden, and models added, in the configuration. Where sources differ, the dearer one stands. */
export const KNOWN_AS_OF = "2026-11";

/**
 * Models that reason take no temperature, and count their thoughts as output. Others think in what they write beside a
 * call, which one that is required leaves out.
 */
const reasoning = (window: number, output: number, cost: Price): KnownModel => ({
  ...chat(window, output, cost),
  outputLimit: "max_completion_tokens",
  temperature: false,
  requiredToolChoice: true,
});

const withoutParallel = (model: KnownModel): KnownModel => ({ ...model, parallelToolCalls: false });

/** Above this many input tokens the whole request costs twice as much, so it is not used. Larger windows exist. */
const ONE_PRICE = 272 * K;

/**
 * GPT-5.6 and later refuse native tools in Chat Completions unless they may not reason. Their price of input is that
 * of writing to the cache, a quarter above the plain one, because that is what fresh input is billed at.
 */
const reasoningWithoutTools = (cost: Price, window = ONE_PRICE): KnownModel => ({
  ...reasoning(window, 128 * K, cost),
  convention: "schema",
});

const openAi: ModelTable = {
  "gpt-4o": chat(128 * K, 16_384, price(2.5, 1.25, 10)),
  "gpt-4o-2024-05-13": chat(128 * K, 4_096, price(5, undefined, 15)),
  "gpt-4o-mini": chat(128 * K, 16_384, price(0.15, 0.075, 0.6)),
  "gpt-4.1": chat(1_047_576, 32_768, price(2, 0.5, 8)),
  "gpt-4.1-mini": chat(1_047_576, 32_768, price(0.4, 0.1, 1.6)),
  "gpt-4.1-nano": chat(1_047_576, 32_768, price(0.1, 0.025, 0.4)),
  o1: withoutParallel(reasoning(200 * K, 100 * K, price(15, 7.5, 60))),
  o3: withoutParallel(reasoning(200 * K, 100 * K, price(2, 0.5, 8))),
  "o3-mini": withoutParallel(reasoning(200 * K, 100 * K, price(1.1, 0.55, 4.4))),
  "o4-mini": withoutParallel(reasoning(200 * K, 100 * K, price(1.1, 0.275, 4.4))),
  // 400,000 in all, of which 272,000 may be input.
  "gpt-5": reasoning(272 * K, 128 * K, price(1.25, 0.125, 10)),
  "gpt-5-mini": reasoning(272 * K, 128 * K, price(0.25, 0.025, 2)),
  "gpt-5-nano": reasoning(272 * K, 128 * K, price(0.05, 0.005, 0.4)),
  "gpt-5.1": reasoning(272 * K, 128 * K, price(1.25, 0.125, 10)),
  "gpt-5.2": reasoning(272 * K, 128 * K, price(1.75, 0.175, 14)),
  "gpt-5.4": reasoning(ONE_PRICE, 128 * K, price(2.5, 0.25, 15)),
  "gpt-5.4-mini": reasoning(272 * K, 128 * K, price(0.75, 0.075, 4.5)),
  "gpt-5.4-nano": reasoning(272 * K, 128 * K, price(0.2, 0.02, 1.25)),
  "gpt-5.5": reasoning(ONE_PRICE, 128 * K, price(5, 0.5, 30)),
  // Sold at 4 and 20 for a while; this is what it costs otherwise.
  "gpt-5.6": reasoningWithoutTools(price(6.25, 0.5, 30)),
  "gpt-5.6-sol": reasoningWithoutTools(price(6.25, 0.5, 30)),
  "gpt-5.6-terra": reasoningWithoutTools(price(2.5, 0.2, 12)),
  "gpt-5.6-luna": reasoningWithoutTools(price(0.25, 0.02, 1.2), 200 * K),
  "gpt-6-astra": reasoningWithoutTools(price(12.5, 1, 50)),
  "gpt-6-sol": reasoningWithoutTools(price(2.5, 0.2, 10)),
  "gpt-6-luna": reasoningWithoutTools(price(0.125, 0.01, 0.5)),
  "gpt-6.1-sol": reasoningWithoutTools(price(2.5, 0.1, 10)),
};

/** Through Anthropic's OpenAI-compatible endpoint, which caches nothing and ignores `response_format`. */
const claude = chat;

const anthropic: ModelTable = {
  "claude-haiku-4-5": claude(200 * K, 64 * K, price(1, undefined, 5)),
  "claude-sonnet-4-5": claude(200 * K, 64 * K, price(3, undefined, 15)),
  "claude-sonnet-4-6": claude(1_000 * K, 64 * K, price(3, undefined, 15)),
  "claude-sonnet-5": { ...claude(1_000 * K, 128 * K, price(2, undefined, 10)), temperature: false },
  "claude-opus-5": { ...claude(1_000 * K, 128 * K, price(5, undefined, 25)), temperature: false },
  "claude-opus-5-5": { ...claude(1_000 * K, 128 * K, price(4, undefined, 20)), temperature: false },
  "claude-sonnet-5-5": { ...claude(1_000 * K, 128 * K, price(2, undefined, 10)), temperature: false },
  // Above 100,000 input tokens it costs five times as much, so that more is not used.
  "claude-haiku-5-5": { ...claude(100 * K, 64 * K, price(0.1, undefined, 0.5)), temperature: false },
};

/** Thinks before every call and wants its thoughts back with native ones; knows JSON mode, but no schemas. */
const deepSeek = (cost: Price): KnownModel => ({ ...chat(1_000 * K, 384 * K, cost), convention: "json" });

/** A gateway names GPT-OSS, Qwen and Llama as their makers do. */
const groq: ModelTable = {
  "openai/gpt-oss-120b": chat(131_072, 32_766, price(0.15, undefined, 0.6)),
  "openai/gpt-oss-20b": chat(131_072, 32_766, price(0.075, undefined, 0.3)),
  "qwen/qwen3-32b": chat(131_072, 40_960, price(0.29, undefined, 0.59)),
  "qwen/qwen3.8-27b": chat(131_042, 16_384, price(0.8, 0.4, 4)),
};
const together: ModelTable = {
  "meta-llama/Llama-3.3-70B-Instruct-Turbo": chat(131_072, 8_192, price(0.88, undefined, 0.88)),
  "Qwen/Qwen3-Coder-Next-FP8": chat(262_144, 65_536, price(0.5, undefined, 1.2)),
};
const mistral: ModelTable = {
  "mistral-large-latest": chat(262_144, 32_768, price(0.5, 0.05, 1.5)),
  "mistral-large-2512": chat(262_144, 32_768, price(0.5, 0.05, 1.5)),
  "mistral-medium-latest": chat(262_144, 32_768, price(1.5, 0.15, 7.5)),
  "mistral-medium-3-5": chat(262_144, 32_768, price(1.5, 0.15, 7.5)),
  "mistral-small-2603": chat(256 * K, 32_768, price(0.15, 0.015, 0.6)),
};
const deepSeekModels: ModelTable = {
  // The rates of its busy hours; at others it costs half. The last is an old name.
  "deepseek-flash": deepSeek(price(0.3, 0.006, 1.2)),
  "deepseek-v4-pro": deepSeek(price(1.32, 0.044, 3.96)),
  "deepseek-v4-flash": deepSeek(price(0.44, 0.014, 1.32)),
};

/** Native calls want signed thoughts back, which the compatible endpoint gives in a field of its own. */
const gemini = (window: number, output: number, cost: Price): KnownModel => ({
  ...chat(window, output, cost),
  convention: "schema",
});
const GUIDE = "https://geotoolbox.ai/blog/gemini-api-pricing";
const discussion = (number: number): string => `https://github.com/BerriAI/litellm/discussions/${number}`;
const gateway = (page: string): string => `https://docs.apiyi.com/en/models/${page}.md`;

/** With the page on which each was found. The price of cached input was not found for all: it then counts as fresh. */
const googleModels: [name: string, source: string, known: KnownModel][] = [
  // These two are sold at half of this for a while.
  ["gemini-3.8-flash", discussion(39357), gemini(1_048_576, 65_536, price(1.5, undefined, 7.5))],
  ["gemini-3.7-flash", discussion(36799), gemini(1_048_576, 65_536, price(1.5, undefined, 7.5))],
  ["gemini-3.5-flash", gateway("gemini-3-5-flash"), gemini(1_000 * K, 64 * K, price(1.5, 0.15, 9))],
  // Above 200,000 input tokens it is dearer, so that more is not used; its output limit is larger.
  ["gemini-3.1-pro-preview", GUIDE, gemini(200 * K, 16_384, price(2, undefined, 12))],
];

/** Always thinks, and wants its thoughts back with native calls. */
const moonshot: ModelTable = {
  "kimi-k3": {
    ...chat(1_048_576, 131_072, price(3, 0.3, 15)),
    convention: "json",
    temperature: false,
  },
};
const zAi: ModelTable = {
  "glm-5.3": chat(1_048_576, 131_072, price(1.4, 0.26, 4.4)),
};

const BEDROCK_PRICES = "https://aws.amazon.com/bedrock/pricing/";
const SEEN = "2026-11-23";

export const PUBLISHED: PublishedModels[] = [
  {
    provider: "OpenAI",
    source: "https://developers.openai.com/api/docs/pricing",
    asOf: KNOWN_AS_OF,
    prefix: "openai/",
    models: openAi,
  },
  {
    provider: "Anthropic",
    source: "https://platform.claude.com/docs/en/about-claude/pricing",
    asOf: KNOWN_AS_OF,
    prefix: "anthropic/",
    models: anthropic,
  },
  { provider: "Bedrock", source: BEDROCK_PRICES, asOf: KNOWN_AS_OF, prefix: "bedrock/", models: bedrock },
  { provider: "Bedrock", source: BEDROCK_PRICES, asOf: KNOWN_AS_OF, prefix: "bedrock-openai/", models: bedrockChat },
  ...googleModels.map(([name, source, known]) => ({
    provider: "Google",
    source,
    asOf: SEEN,
    prefix: "gemini/" as const,
    models: { [name]: known },
  })),
  {
    provider: "DeepSeek",
    source: "https://api-docs.deepseek.com/quick_start/pricing",
    asOf: KNOWN_AS_OF,
    host: "api.deepseek.com",
    models: deepSeekModels,
  },
  {
    provider: "Mistral",
    source: "https://mistral.ai/pricing",
    asOf: KNOWN_AS_OF,
    host: "api.mistral.ai",
    models: mistral,
  },
  { provider: "Moonshot", source: gateway("kimi-k3"), asOf: SEEN, host: "api.moonshot.ai", models: moonshot },
  { provider: "Z.ai", source: "https://openrouter.ai/~z-ai/glm-latest", asOf: SEEN, host: "api.z.ai", models: zAi },
  { provider: "Groq", source: "https://groq.com/pricing", asOf: KNOWN_AS_OF, host: "api.groq.com", models: groq },
  {
    provider: "Together",
    source: "https://www.together.ai/pricing",
    asOf: KNOWN_AS_OF,
    host: "api.together.xyz",
    models: together,
  },
];

export const KNOWN_MODELS: ModelTable = Object.assign({}, ...PUBLISHED.map(({ models }) => models));

export const isKnownModel = (model: string): boolean => lookUp(KNOWN_MODELS, model) !== undefined;
