/** Ollama, whose window is not that of its model. */
import * as z from "zod";
import { isSameModel } from "../model-table.ts";
import { type Ask, LOADING, type ProbeReply } from "./ask.ts";
import { type ModelList, named, type ServerProbe, tokens, WindowTokens } from "./server-probe.ts";

const OllamaLoaded = z.object({ models: z.array(z.object({ model: z.string(), context_length: tokens })) });
const OllamaModel = z.object({
  parameters: z.string().optional().catch(undefined),
  model_info: z.record(z.string(), z.unknown()).optional().catch(undefined),
  capabilities: z.array(z.string()).optional().catch(undefined),
});

/** What Ollama gives a model by default, on computers with less than 24 GB of graphics memory. */
const OLLAMA_WINDOW = 4_096;

export async function ollamaServer(ask: Ask, model: string, list: ModelList | undefined): Promise<ServerProbe> {
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
