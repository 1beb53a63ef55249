/** A provider that is asked in its own protocol: which one a model's name chooses, where it is, whose key it takes. Pure. */
import { defined } from "../core/defined.ts";
import type { Api } from "../core/turn/model-profile.ts";
import { httpUrl, OPENAI_BASE_URL } from "./endpoint.ts";

interface Provider {
  api: Api;
  baseUrl: string;
  /** The environment variable that has the key. */
  keyName: string;
}

export const PROVIDERS: Record<Api, Provider> = {
  responses: { api: "responses", baseUrl: OPENAI_BASE_URL, keyName: "OPENAI_API_KEY" },
  messages: { api: "messages", baseUrl: "https://api.anthropic.com/v1", keyName: "ANTHROPIC_API_KEY" },
};

const PREFIXES: Record<string, Provider> = { openai: PROVIDERS.responses, anthropic: PROVIDERS.messages };

/**
 * Undefined without a prefix, and where the base URL is that of another server: gateways list models under the same
 * names, and speak Chat Completions.
 */
export function providerOf(model: string | undefined, baseUrl: string | undefined): Provider | undefined {
  const [prefix = "", name] = model?.split("/", 2) ?? [];
  const provider = name && Object.hasOwn(PREFIXES, prefix) ? PREFIXES[prefix] : undefined;
  return provider && (baseUrl === undefined || isSamePlace(baseUrl, provider.baseUrl)) ? provider : undefined;
}

const isSamePlace = (one: string, other: string): boolean => httpUrl(one)?.host === httpUrl(other)?.host;

/** The keys that this computer or deployment has, each for its provider. */
export interface Keys {
  /** Of the server at the base URL, or OpenAI's. */
  apiKey?: string | undefined;
  anthropicKey?: string | undefined;
}

/** No provider is sent the key of another. */
export const keyFor = (api: Api | undefined, { apiKey, anthropicKey }: Keys): { apiKey?: string } =>
  defined({ apiKey: api === "messages" ? anthropicKey : apiKey });
