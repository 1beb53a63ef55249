/** What is known of a model: taken down when a run is submitted, so that every turn of the run decides alike. */
import * as z from "zod";

export const Price = z.object({
  /** US dollars per million tokens. */
  input: z.number().nonnegative(),
  cachedInput: z.number().nonnegative().optional(),
  output: z.number().nonnegative(),
});
export type Price = z.infer<typeof Price>;

/** How tools are called: natively; by JSON schema; by JSON mode with repair. */
export const Convention = z.enum(["native", "schema", "json"]);
export type Convention = z.infer<typeof Convention>;

/**
 * The provider's own protocol. `bedrock-chat`: Chat Completions with signatures; `gemini` and `openrouter`: Chat
 * Completions of that provider, with its own key.
 */
export const Api = z.enum(["responses", "messages", "converse", "bedrock-chat", "gemini", "openrouter"]);
export type Api = z.infer<typeof Api>;

/** By the adapter's own names: another one of the same model begins with it. */
export const LearnedDialect = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
export type LearnedDialect = z.infer<typeof LearnedDialect>;

export const ModelProfile = z.object({
  model: z.string(),
  /** Absent: Chat Completions, which every compatible server understands. */
  api: Api.optional(),
  contextWindow: z.int().positive(),
  maxOutputTokens: z.int().positive(),
  /** Absent: unknown, and then a USD ceiling cannot be kept. */
  price: Price.optional(),
  convention: Convention,
  outputLimit: z.enum(["max_tokens", "max_completion_tokens"]),
  temperature: z.boolean(),
  parallelToolCalls: z.boolean(),
  /** Whether `tool_choice: "required"` is understood. */
  requiredToolChoice: z.boolean(),
  /** In a run's list: the run was resumed with it, and those before it are asked no more. */
  replaces: z.literal(true).optional(),
  /** In a run's list: it writes the checks of the requirements, and executes no instruction. */
  examines: z.literal(true).optional(),
  /** What the server's refusals have taught about its requests. Absent: nothing was refused. */
  dialect: LearnedDialect.optional(),
});
export type ModelProfile = z.infer<typeof ModelProfile>;

export const free: Price = { input: 0, output: 0 };
