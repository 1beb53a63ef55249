/** What a probed server says of itself. Pure. */
import * as z from "zod";
import type { Convention, Price } from "../../core/turn/model-profile.ts";

export interface ServerProbe {
  /** `litellm` is a proxy: its models may run anywhere, and cost. */
  kind: "llama.cpp" | "vllm" | "ollama" | "litellm" | "openai-like" | "unreachable";
  contextWindow?: number;
  models?: string[];
  /** How tools are best called; absent where the server does not say. */
  convention?: Convention;
  /** False where the model's template takes one call at a time. */
  parallelToolCalls?: boolean;
  /** What a proxy says that the model costs. */
  price?: Price;
  note?: string;
}

/** Whether the server has a model of this name, as far as it lists them. Ollama adds a tag to a name that has none. */
export const isListed = ({ kind, models }: ServerProbe, name: string): boolean =>
  models === undefined || models.includes(name) || (kind === "ollama" && models.includes(`${name}:latest`));

/** No window is larger: what a server reports beyond it is a mistake, and says nothing. */
const MOST_TOKENS = 100_000_000;
export const WindowTokens = z.int().min(1).max(MOST_TOKENS);
export const tokens = WindowTokens.optional().catch(undefined);

export const ModelList = z.object({
  data: z.array(z.object({ id: z.string(), max_model_len: tokens, context_window: tokens, context_length: tokens })),
});
export type ModelList = z.infer<typeof ModelList>;

export const window = (value: number | undefined) => (value === undefined ? {} : { contextWindow: value });
export const named = (list: ModelList | undefined) => (list ? { models: list.data.map(({ id }) => id) } : {});
