/** Opens a model of a provider that speaks Chat Completions: at the provider's own address, with its own key. */
import type { Model } from "../core/ports.ts";
import type { ModelProfile } from "../core/turn/model-profile.ts";
import { createOpenAiModel } from "./openai.ts";
import { providerName } from "./protocols/protocol.ts";
import { type Keys, keyFor, PROVIDERS } from "./provider.ts";

export interface CompatibleAccess extends Keys {
  fetch?: typeof globalThis.fetch;
}

/** Whatever the base URL is now: a key goes to the server to which it belongs. */
export function openCompatible(
  profile: ModelProfile,
  api: "gemini" | "openrouter",
  { fetch, ...keys }: CompatibleAccess,
): Model {
  const { baseUrl, keyName } = PROVIDERS[api];
  const model = providerName(profile);
  const access = { baseUrl, keyName, ...keyFor(api, keys), ...(fetch ? { fetch } : {}) };
  return createOpenAiModel({ profile: { ...profile, model }, ...access });
}
