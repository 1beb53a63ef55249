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
};

const PREFIXES: Record<string, Provider> = {
  openai: PROVIDERS.responses,
  anthropic: PROVIDERS.messages,
  bedrock: PROVIDERS.converse,
  "bedrock-openai": PROVIDERS["bedrock-chat"],
};

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
  /** Where Bedrock is asked. From the environment only: a project's file chooses no account. */
  awsRegion?: string | undefined;
}

/** As the AWS tools read it. */
export const awsRegionIn = (env: Readonly<Record<string, string | undefined>>): string | undefined =>
  env.AWS_REGION?.trim() || env.AWS_DEFAULT_REGION?.trim() || undefined;

export const isSigned = (api: Api | undefined): boolean => api === "converse" || api === "bedrock-chat";

/** No provider is sent the key of another. */
export function keyFor(api: Api | undefined, { apiKey, anthropicKey }: Keys): { apiKey?: string } {
  if (isSigned(api)) return {};
  return defined({ apiKey: api === "messages" ? anthropicKey : apiKey });
}

/** Whether there is what the provider is asked with. */
export const hasAccess = (api: Api | undefined, keys: Keys): boolean =>
  Boolean(isSigned(api) ? keys.awsRegion : keyFor(api, keys).apiKey);
