/** Models of Amazon Bedrock as AWS and their makers publish them. Pure. */
import type { Price } from "../../core/turn/model-profile.ts";
import { chat, K, price } from "../known-model.ts";
import type { KnownModel, ModelTable } from "../model-table.ts";

/** Through the Chat Completions that Bedrock speaks itself. */
export const bedrockChat: ModelTable = {
  "openai.gpt-oss-120b": chat(128 * K, 16_384, price(0.15, undefined, 0.6)),
  "openai.gpt-oss-20b": chat(128 * K, 16_384, price(0.075, undefined, 0.3)),
};

const nova = (window: number, cost: Price): KnownModel => ({
  ...chat(window, 5 * K, cost),
  temperature: true,
});

/**
 * Through Converse. Claude as its maker lists it, a tenth dearer, as it is in one part of the world, though not by a
 * `global.` profile. Nova as AWS prices it in the United States (2 Lite: vercel.com/ai-gateway); it is dearer elsewhere.
 */
export const bedrock: ModelTable = {
  "anthropic.claude-haiku-4-5": chat(200 * K, 64 * K, price(1.1, undefined, 5.5)),
  "anthropic.claude-sonnet-4-5": chat(200 * K, 64 * K, price(3.3, undefined, 16.5)),
  "anthropic.claude-sonnet-4-6": chat(1_000 * K, 64 * K, price(3.3, undefined, 16.5)),
  "anthropic.claude-sonnet-5": { ...chat(1_000 * K, 128 * K, price(2.2, undefined, 11)), temperature: false },
  "anthropic.claude-sonnet-5-5": { ...chat(1_000 * K, 128 * K, price(2.2, undefined, 11)), temperature: false },
  "anthropic.claude-opus-5": { ...chat(1_000 * K, 128 * K, price(5.5, undefined, 27.5)), temperature: false },
  "anthropic.claude-opus-5-5": { ...chat(1_000 * K, 128 * K, price(4.4, undefined, 22)), temperature: false },
  "us.amazon.nova-2-lite": nova(1_000 * K, price(0.33, undefined, 2.75)),
  "us.amazon.nova-micro": nova(128 * K, price(0.035, 0.00875, 0.14)),
  "us.amazon.nova-lite": nova(300 * K, price(0.06, 0.015, 0.24)),
  "us.amazon.nova-pro": nova(300 * K, price(0.8, 0.2, 3.2)),
};
