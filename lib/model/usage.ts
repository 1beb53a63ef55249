/** Tokens as servers count them, or as they must be guessed. Pure. */
import type { Usage } from "../core/ports.ts";
import { isObject } from "./loose-json.ts";

/** Undefined where the server did not count. */
export function usageOf(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const inputTokens = count(usage.prompt_tokens);
  const written = count(usage.completion_tokens);
  if (inputTokens === undefined || written === undefined) return undefined;
  const details = isObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  // DeepSeek's name, then that of Moonshot and others.
  const cached =
    count(details.cached_tokens) ?? count(usage.prompt_cache_hit_tokens) ?? count(usage.cached_tokens) ?? 0;
  // Where thoughts are billed but counted in the total only.
  const outputTokens = Math.max(written, (count(usage.total_tokens) ?? 0) - inputTokens);
  return { inputTokens, cachedTokens: Math.min(cached, inputTokens), outputTokens };
}

function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? Math.ceil(value) : undefined;
}

/** Code and JSON have three bytes a token, prose four: a guess must not be too low, ceilings rest on it. */
const BYTES_PER_TOKEN = 3;

export const guessedUsage = (requestBytes: number, answerBytes: number): Usage => ({
  inputTokens: Math.ceil(requestBytes / BYTES_PER_TOKEN),
  cachedTokens: 0,
  outputTokens: Math.ceil(answerBytes / BYTES_PER_TOKEN),
});
