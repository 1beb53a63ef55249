/** A provider that is asked in its own protocol: which one a model's name chooses, where it is, whose key it takes. Pure. */
import { defined } from "../core/defined.ts";
import type { Api } from "../core/turn/model-profile.ts";
import { httpUrl, OPENAI_BASE_URL } from "./endpoint.ts";

interface Provider {
  api: Api;
  baseUrl: string;
  /** The environment variable that has the key. */
  keyName: string;
  /** For messages, where the address depends on the region. */
  name?: string;
}

/** Signed with the credentials that the AWS tools find: what must be known is the region. */
const BEDROCK = { baseUrl: "https://bedrock-runtime.amazonaws.com", keyName: "AWS_REGION", name: "Amazon Bedrock" };

export const PROVIDERS: Record<Api, Provider> = {
  responses: { api: "responses", baseUrl: OPENAI_BASE_URL, keyName: "OPENAI_API_KEY" },
  messages: { api: "messages", baseUrl: "https://api.anthropic.com/v1", keyName: "ANTHROPIC_API_KEY" },
  converse: { api: "converse", ...BEDROCK },
  "bedrock-chat": { api: "bedrock-chat", ...BEDROCK },
  gemini: {
    api: "gemini",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
    keyName: "GEMINI_API_KEY",
  },
  openrouter: { api: "openrouter", baseUrl: "https://openrouter.ai/api/v1", keyName: "OPENROUTER_API_KEY" },
};

const PREFIXES: Record<string, Provider> = {
  openai: PROVIDERS.responses,
  anthropic: PROVIDERS.messages,
  bedrock: PROVIDERS.converse,
  "bedrock-openai": PROVIDERS["bedrock-chat"],
  gemini: PROVIDERS.gemini,
  openrouter: PROVIDERS.openrouter,
};

/**
 * Undefined without a prefix, and where the base URL is that of another server: gateways list models under the same
 * names, and speak Chat Completions.
 */
export function providerOf(model: string | undefined, baseUrl: string | undefined): Provider | undefined {
  const [prefix = "", name] = model?.split("/", 2) ?? [];
  const provider = name && Object.hasOwn(PREFIXES, prefix) ? PREFIXES[prefix] : undefined;
  if (!provider || baseUrl === undefined) return provider;
  // A base URL is asked with OPENAI_API_KEY, and these names are also those of its own models: `openrouter/auto`.
  return !isCompatible(provider.api) && isSamePlace(baseUrl, provider.baseUrl) ? provider : undefined;
}

/** A provider that is asked by Chat Completions, at its own address with its own key. */
export const isCompatible = (api: Api | undefined): api is "gemini" | "openrouter" =>
  api === "gemini" || api === "openrouter";

const isSamePlace = (one: string, other: string): boolean => httpUrl(one)?.host === httpUrl(other)?.host;

/** The keys that this computer or deployment has, each for its provider. */
export interface Keys {
  /** Of the server at the base URL, or OpenAI's. */
  apiKey?: string | undefined;
  anthropicKey?: string | undefined;
  geminiKey?: string | undefined;
  openrouterKey?: string | undefined;
  /** Where Bedrock is asked. From the environment only: a project's file chooses no account. */
  awsRegion?: string | undefined;
  /** Another address of Bedrock, as the AWS tools read it: of a VPC, or of an emulator. */
  awsEndpoint?: string | undefined;
}

/** As the AWS tools read it. */
export const awsRegionIn = (env: Readonly<Record<string, string | undefined>>): string | undefined =>
  env.AWS_REGION?.trim() || env.AWS_DEFAULT_REGION?.trim() || undefined;

export const isSigned = (api: Api | undefined): boolean => api === "converse" || api === "bedrock-chat";

/** The keys in the environment. */
export const keysIn = (env: Readonly<Record<string, string | undefined>>): Keys => ({
  apiKey: env.OPENAI_API_KEY?.trim() || undefined,
  anthropicKey: env.ANTHROPIC_API_KEY?.trim() || undefined,
  geminiKey: env.GEMINI_API_KEY?.trim() || undefined,
  openrouterKey: env.OPENROUTER_API_KEY?.trim() || undefined,
  awsRegion: awsRegionIn(env),
  awsEndpoint: env.AWS_ENDPOINT_URL_BEDROCK_RUNTIME || env.AWS_ENDPOINT_URL || undefined,
});

/** No provider is sent the key of another. */
export function keyFor(api: Api | undefined, keys: Keys): { apiKey?: string } {
  if (isSigned(api)) return {};
  const { apiKey, anthropicKey, geminiKey, openrouterKey } = keys;
  const own: Partial<Record<Api, string | undefined>> = {
    messages: anthropicKey,
    gemini: geminiKey,
    openrouter: openrouterKey,
  };
  return defined({ apiKey: api !== undefined && api in own ? own[api] : apiKey });
}

/** Whether there is what the provider is asked with. */
export const hasAccess = (api: Api | undefined, keys: Keys): boolean =>
  Boolean(isSigned(api) ? keys.awsRegion : keyFor(api, keys).apiKey);
