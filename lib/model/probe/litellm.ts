/** LiteLLM, a proxy: its models may run anywhere. */
import * as z from "zod";
import type { Ask } from "./ask.ts";
import { type ModelList, named, type ServerProbe, tokens, window } from "./server-probe.ts";

const perToken = z.number().nonnegative().optional().catch(undefined);
const LiteLlmModels = z.object({
  data: z.array(
    z.object({
      model_name: z.string(),
      model_info: z.object({
        input_cost_per_token: perToken,
        output_cost_per_token: perToken,
        cache_read_input_token_cost: perToken,
        max_input_tokens: tokens,
      }),
    }),
  ),
});

/**
 * Undefined where it is another server. It knows prices and windows of many models by itself. Both zero means that it
 * does not know.
 */
export async function liteLlm(ask: Ask, model: string, list: ModelList): Promise<ServerProbe | undefined> {
  const models = LiteLlmModels.safeParse((await ask("/model/info")).body).data?.data;
  const info = models?.find(({ model_name }) => model_name === model)?.model_info;
  const {
    input_cost_per_token: input,
    output_cost_per_token: output,
    cache_read_input_token_cost: cached,
  } = info ?? {};
  if (!models) return undefined;
  const price = input && output ? { price: { input: perMillion(input), output: perMillion(output) } } : undefined;
  if (price && cached) Object.assign(price.price, { cachedInput: perMillion(cached) });
  return { kind: "litellm", ...named(list), ...window(info?.max_input_tokens), ...price };
}

const perMillion = (usd: number): number => Number((usd * 1_000_000).toPrecision(12));
