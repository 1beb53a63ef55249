/** Asks a server nearby what it is: which kind, how large its window is, whether its model takes tools. Never throws. */
import * as z from "zod";
import type { Convention } from "../core/turn/model-profile.ts";
import { httpUrl } from "./endpoint.ts";
import { createFetchSend } from "./wire.ts";

export interface ServerProbe {
  kind: "llama.cpp" | "vllm" | "ollama" | "openai-like" | "unreachable";
  contextWindow?: number;
  models?: string[];
  /** How tools are best called; absent where the server does not say. */
  convention?: Convention;
  note?: string;
}

export interface ProbeOptions {
  model: string;
  fetch?: typeof globalThis.fetch;
  /** For each question; they are asked together. */
  timeoutMs?: number;
  apiKey?: string;
}

/** A server on this computer that takes longer is busy, and may be asked by its answers instead. */
const TIMEOUT_MS = 2_000;
/** Model lists and licences are long, but not longer. */
const REPLY_BYTES = 4 * 1024 * 1024;

export async function probeServer(baseUrl: string, options: ProbeOptions): Promise<ServerProbe> {
  const ask = createAsk(baseUrl, options);
  if (!ask) return { kind: "unreachable" };
  const [props, version, models] = await Promise.all([ask("/props"), ask("/api/version"), ask.api("/models")]);
  const ollama = OllamaVersion.safeParse(version.body);
  const llama = LlamaProps.safeParse(props.body);
  const list = ModelList.safeParse(models.body);
  // llama.cpp also imitates Ollama, so it is recognised first.
  if (llama.success) return llamaCpp(llama.data, list.data);
  if (ollama.success) return ollamaServer(ask, options.model, list.data);
  if (list.success) return openAiLike(list.data, options.model);
  if (props.reached || version.reached || models.reached) {
    return { kind: "openai-like", note: "A server answers, but does not list its models: it may want a key." };
  }
  return { kind: "unreachable" };
}

// ── Questions ──────────────────────────────────────────────────────────────────────────────────────────────────────

interface ProbeReply {
  reached: boolean;
  body: unknown;
}
interface Ask {
  (path: string, question?: object): Promise<ProbeReply>;
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
  const at = async (address: string, question?: object): Promise<ProbeReply> => {
    const reply = await send({
      url: address,
      method: question ? "POST" : "GET",
      headers: { "content-type": "application/json", ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) },
      body: question ? JSON.stringify(question) : "",
      signal: AbortSignal.timeout(timeoutMs),
    });
    return "silence" in reply ? { reached: false, body: undefined } : { reached: true, body: parsed(reply.text) };
  };
  return Object.assign((path: string, question?: object) => at(`${root}${path}`, question), {
    api: (path: string) => at(`${base === root ? `${base}/v1` : base}${path}`),
  });
}

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
  return { kind: "llama.cpp", convention: tools ? "native" : "schema", ...window(n_ctx), ...named(list) };
}

function openAiLike(list: ModelList, model: string): ServerProbe {
  const entry = list.data.find(({ id }) => id === model) ?? (list.data.length === 1 ? list.data[0] : undefined);
  const kind = list.data.some(({ max_model_len }) => max_model_len !== undefined) ? "vllm" : "openai-like";
  return { kind, ...window(entry?.max_model_len ?? entry?.context_window ?? entry?.context_length), ...named(list) };
}

const window = (value: number | undefined) => (value === undefined ? {} : { contextWindow: value });
const named = (list: ModelList | undefined) => (list ? { models: list.data.map(({ id }) => id) } : {});

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
  const running = OllamaLoaded.safeParse(loaded.body).data?.models.find((one) => sameModel(one.model, model));
  const { parameters, model_info, capabilities } = OllamaModel.safeParse(shown.body).data ?? {};
  const reported = running?.context_length ?? Number(/^num_ctx\s+(\d+)/m.exec(parameters ?? "")?.[1] ?? Number.NaN);
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

const sameModel = (listed: string, asked: string): boolean => listed === asked || listed === `${asked}:latest`;

const ollamaNote = (model: string, most: number | undefined): string =>
  `Ollama has not loaded ${model}, so its window is not known: ${OLLAMA_WINDOW} tokens are assumed${
    most ? `, although the model allows ${most}` : ""
  }. What exceeds the window Ollama silently cuts off: start it with OLLAMA_CONTEXT_LENGTH=32768 or more, and say the same with --context-window.`;
