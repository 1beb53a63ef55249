/** Asks a server what it is: which kind, how large its window is, whether its model takes tools. Never throws. */
import * as z from "zod";
import type { Convention, Price } from "../core/turn/model-profile.ts";
import { httpUrl } from "./endpoint.ts";
import { isSameModel } from "./model-table.ts";
import { createFetchSend, type Reply } from "./wire.ts";

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

export interface ProbeOptions {
  model: string;
  fetch?: typeof globalThis.fetch;
  /** For each question; they are asked together. */
  timeoutMs?: number;
  /** While a server loads its model it is asked again, this often and for so long. */
  loading?: { everyMs: number; mostMs: number };
  apiKey?: string;
}

/** A server on this computer that takes longer is busy, and may be asked by its answers instead. */
const TIMEOUT_MS = 2_000;
/** Reading a large model from a slow disk takes minutes. */
const LOADING = { everyMs: 1_000, mostMs: 120_000 };
/** Model lists and licences are long, but not longer. */
const REPLY_BYTES = 4 * 1024 * 1024;

export async function probeServer(baseUrl: string, options: ProbeOptions): Promise<ServerProbe> {
  const ask = createAsk(baseUrl, options);
  if (!ask) return { kind: "unreachable" };
  const { everyMs, mostMs } = options.loading ?? LOADING;
  for (let waitedMs = 0; ; waitedMs += everyMs) {
    const replies = await Promise.all([ask("/props"), ask("/api/version"), ask.api("/models")]);
    if (!replies.some(({ isLoading }) => isLoading)) return serverIn(replies, { ask, model: options.model });
    if (waitedMs >= mostMs) return { kind: "openai-like", note: "The server is still loading its model." };
    await sleep(everyMs);
  }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

type Replies = [props: ProbeReply, version: ProbeReply, models: ProbeReply];

function serverIn(replies: Replies, { ask, model }: { ask: Ask; model: string }): ServerProbe | Promise<ServerProbe> {
  const [props, version, models] = replies;
  const ollama = OllamaVersion.safeParse(version.body);
  const llama = LlamaProps.safeParse(props.body);
  const list = ModelList.safeParse(models.body);
  // llama.cpp also imitates Ollama, so it is recognised first.
  if (llama.success) return llamaCpp(llama.data, list.data);
  if (ollama.success) return ollamaServer(ask, model, list.data);
  if (replies.some(({ isLiteLlm }) => isLiteLlm)) return liteLlm(ask, model, list.data);
  if (list.success) return openAiLike(list.data, model);
  if (replies.some(({ reached }) => reached)) {
    return { kind: "openai-like", note: "A server answers, but does not list its models: it may want a key." };
  }
  return { kind: "unreachable" };
}

// ── Questions ──────────────────────────────────────────────────────────────────────────────────────────────────────

interface ProbeReply {
  reached: boolean;
  isLoading: boolean;
  isLiteLlm: boolean;
  body: unknown;
}
interface Ask {
  (path: string, question?: object, waitMs?: number): Promise<ProbeReply>;
  /** Below the base URL, not at the server's root. */
  api(path: string): Promise<ProbeReply>;
}

function createAsk(
  baseUrl: string,
  { fetch = globalThis.fetch, timeoutMs = TIMEOUT_MS, apiKey }: ProbeOptions,
): Ask | undefined {
  const url = httpUrl(baseUrl);
  if (!url) return undefined;
  const send = createFetchSend(fetch, REPLY_BYTES);
  const base = `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
  const root = base.replace(/\/v1$/, "");
  const at = async (address: string, question?: object, waitMs = timeoutMs): Promise<ProbeReply> => {
    const reply = await send({
      url: address,
      method: question ? "POST" : "GET",
      headers: { "content-type": "application/json", ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) },
      body: question ? JSON.stringify(question) : "",
      signal: AbortSignal.timeout(waitMs),
    });
    return "silence" in reply ? UNREACHED : replyOf(reply);
  };
  return Object.assign((path: string, question?: object, waitMs?: number) => at(`${root}${path}`, question, waitMs), {
    api: (path: string) => at(`${base === root ? `${base}/v1` : base}${path}`),
  });
}

const UNREACHED: ProbeReply = { reached: false, isLoading: false, isLiteLlm: false, body: undefined };

const replyOf = ({ status, headers, text }: Reply): ProbeReply => ({
  reached: true,
  isLoading: status === 503 && /loading model/i.test(text),
  isLiteLlm: Object.keys(headers).some((name) => name.startsWith("x-litellm-")),
  body: parsed(text),
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// ── Answers ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** No window is larger: what a server reports beyond it is a mistake, and says nothing. */
const MOST_TOKENS = 100_000_000;
const WindowTokens = z.int().min(1).max(MOST_TOKENS);
const tokens = WindowTokens.optional().catch(undefined);

const LlamaProps = z.object({
  default_generation_settings: z.object({ n_ctx: tokens }),
  chat_template_caps: z.record(z.string(), z.unknown()).optional().catch(undefined),
});
const ModelList = z.object({
  data: z.array(z.object({ id: z.string(), max_model_len: tokens, context_window: tokens, context_length: tokens })),
});
type ModelList = z.infer<typeof ModelList>;
const OllamaVersion = z.object({ version: z.string() });

function llamaCpp(
  { default_generation_settings: { n_ctx }, chat_template_caps: caps }: z.infer<typeof LlamaProps>,
  list?: ModelList,
): ServerProbe {
  // Older builds say nothing of their template; without --jinja they refuse tools.
  const tools = caps?.supports_tools === true || caps?.supports_tool_calls === true;
  const oneCall = caps?.supports_parallel_tool_calls === false ? { parallelToolCalls: false } : {};
  return { kind: "llama.cpp", convention: tools ? "native" : "schema", ...oneCall, ...window(n_ctx), ...named(list) };
}

function openAiLike(list: ModelList, model: string): ServerProbe {
  const entry = list.data.find(({ id }) => id === model) ?? (list.data.length === 1 ? list.data[0] : undefined);
  const kind = list.data.some(({ max_model_len }) => max_model_len !== undefined) ? "vllm" : "openai-like";
  return { kind, ...window(entry?.max_model_len ?? entry?.context_window ?? entry?.context_length), ...named(list) };
}

const window = (value: number | undefined) => (value === undefined ? {} : { contextWindow: value });
const named = (list: ModelList | undefined) => (list ? { models: list.data.map(({ id }) => id) } : {});

// ── LiteLLM, a proxy ───────────────────────────────────────────────────────────────────────────────────────────────

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

/** It knows prices and windows of many models by itself. Both zero means that it does not know. */
async function liteLlm(ask: Ask, model: string, list: ModelList | undefined): Promise<ServerProbe> {
  const told = LiteLlmModels.safeParse((await ask("/model/info")).body).data?.data;
  const info = told?.find(({ model_name }) => model_name === model)?.model_info;
  const {
    input_cost_per_token: input,
    output_cost_per_token: output,
    cache_read_input_token_cost: cached,
  } = info ?? {};
  const price = input && output ? { price: { input: perMillion(input), output: perMillion(output) } } : undefined;
  if (price && cached) Object.assign(price.price, { cachedInput: perMillion(cached) });
  return { kind: "litellm", ...named(list), ...window(info?.max_input_tokens), ...price };
}

const perMillion = (usd: number): number => Number((usd * 1_000_000).toPrecision(12));

// ── Ollama, whose window is not that of its model ──────────────────────────────────────────────────────────────────

const OllamaLoaded = z.object({ models: z.array(z.object({ model: z.string(), context_length: tokens })) });
const OllamaModel = z.object({
  parameters: z.string().optional().catch(undefined),
  model_info: z.record(z.string(), z.unknown()).optional().catch(undefined),
  capabilities: z.array(z.string()).optional().catch(undefined),
});

/** What Ollama gives a model by default, on computers with less than 24 GB of graphics memory. */
const OLLAMA_WINDOW = 4_096;

async function ollamaServer(ask: Ask, model: string, list: ModelList | undefined): Promise<ServerProbe> {
  const [loaded, shown] = await Promise.all([ask("/api/ps"), ask("/api/show", { model })]);
  const { parameters, model_info, capabilities } = OllamaModel.safeParse(shown.body).data ?? {};
  const ofFile = /^num_ctx\s+(\d+)/m.exec(parameters ?? "")?.[1];
  const running = windowOfLoaded(loaded, model);
  const reported = running ?? (ofFile === undefined ? await windowOnceLoaded(ask, model) : Number(ofFile));
  const known: ServerProbe = {
    kind: "ollama",
    ...named(list),
    ...(capabilities ? { convention: capabilities.includes("tools") ? "native" : "schema" } : {}),
  };
  const given = WindowTokens.safeParse(reported);
  if (given.success) return { ...known, contextWindow: given.data };
  const possible = Object.entries(model_info ?? {}).find(([key]) => key.endsWith(".context_length"))?.[1];
  const most = WindowTokens.safeParse(possible).data;
  return { ...known, contextWindow: Math.min(OLLAMA_WINDOW, most ?? OLLAMA_WINDOW), note: ollamaNote(model, most) };
}

function windowOfLoaded({ body }: ProbeReply, model: string): number | undefined {
  const models = OllamaLoaded.safeParse(body).data?.models ?? [];
  return models.find((one) => isSameModel(one.model, model))?.context_length;
}

/** The window is decided when the model is loaded, which a request without a prompt does. */
async function windowOnceLoaded(ask: Ask, model: string): Promise<number | undefined> {
  if (model === "") return undefined;
  await ask("/api/generate", { model }, LOADING.mostMs);
  return windowOfLoaded(await ask("/api/ps"), model);
}

const ollamaNote = (model: string, most: number | undefined): string =>
  `Ollama has not loaded ${model}, so its window is not known: ${OLLAMA_WINDOW} tokens are assumed${
    most ? `, although the model allows ${most}` : ""
  }. What exceeds the window Ollama silently cuts off: start it with OLLAMA_CONTEXT_LENGTH=32768 or more, and say the same with --context-window.`;
