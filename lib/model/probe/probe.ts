/** Asks a server what it is: which kind, how large its window is, whether its model takes tools. Never throws. */
import * as z from "zod";
import { type Ask, createAsk, LOADING, type ProbeOptions, type ProbeReply } from "./ask.ts";
import { liteLlm } from "./litellm.ts";
import { ollamaServer } from "./ollama.ts";
import { ModelList, named, type ServerProbe, tokens, window } from "./server-probe.ts";

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

async function serverIn(replies: Replies, { ask, model }: { ask: Ask; model: string }): Promise<ServerProbe> {
  const [props, version, models] = replies;
  const ollama = OllamaVersion.safeParse(version.body);
  const llama = LlamaProps.safeParse(props.body);
  const list = ModelList.safeParse(models.body);
  // llama.cpp also imitates Ollama, so it is recognised first.
  if (llama.success) return llamaCpp(llama.data, list.data);
  if (ollama.success) return ollamaServer(ask, model, list.data);
  if (list.success) {
    const other = openAiLike(list.data, model);
    // Of the answers so far, LiteLLM names itself in none.
    return (other.kind === "vllm" ? undefined : await liteLlm(ask, model, list.data)) ?? other;
  }
  if (replies.some(({ reached }) => reached)) {
    return { kind: "openai-like", note: "A server answers, but does not list its models: it may want a key." };
  }
  return { kind: "unreachable" };
}

const LlamaProps = z.object({
  default_generation_settings: z.object({ n_ctx: tokens }),
  chat_template_caps: z.record(z.string(), z.unknown()).optional().catch(undefined),
});
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
