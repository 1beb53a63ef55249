/** Anthropic's Messages API, with cache points so that a turn does not pay for the whole prefix again. Pure. */
import type { ChatMessage, ModelRequest, ToolCall, Usage } from "../../core/ports.ts";
import type { Json } from "../../core/text/json.ts";
import type { ModelProfile } from "../../core/turn/model-profile.ts";
import { countOf, textOfArguments, withUniqueIds } from "../answer.ts";
import { isObject, type JsonObject, parseObject } from "../loose-json.ts";
import { PROVIDERS } from "../provider.ts";
import { withoutNullTypes } from "../request-shape.ts";
import { assembleMessage } from "../stream/messages-stream.ts";
import { itemsOf, type Protocol, type ProtocolAnswer, providerName } from "./protocol.ts";

export const messagesApi: Protocol = {
  path: "/messages",
  ...PROVIDERS.messages,
  headers: (apiKey) => ({ "x-api-key": apiKey, "anthropic-version": "2023-06-01" }),
  bodyOf,
  startAssembly: assembleMessage,
  read,
};

// ── The request ────────────────────────────────────────────────────────────────────────────────────────────────────

const CACHE = { cache_control: { type: "ephemeral" } };

function bodyOf(request: ModelRequest, profile: ModelProfile): JsonObject {
  const { messages, tools, maxOutputTokens, temperature, effort } = request;
  const system = messages.filter(({ role }) => role === "system").map(({ content }) => content);
  return {
    model: providerName(profile),
    max_tokens: maxOutputTokens,
    // Tools come before the system prompt: one cache point is for both.
    ...(system.length > 0 ? { system: [{ type: "text", text: system.join("\n\n"), ...CACHE }] } : {}),
    ...(tools.length > 0 ? { tools: tools.map(toolOf) } : {}),
    messages: cached(turnsOf(messages, profile)),
    // A model that thinks takes no temperature.
    ...(effort ? { thinking: { type: "adaptive" }, output_config: { effort } } : {}),
    ...(!effort && profile.temperature && temperature !== undefined ? { temperature } : {}),
  };
}

const toolOf = ({ name, description, parameters }: ModelRequest["tools"][number]): JsonObject => ({
  name,
  description,
  input_schema: withoutNullTypes(parameters),
});

interface Turn {
  role: "user" | "assistant";
  content: JsonObject[];
}

/** Results of one answer's calls belong into one message of the user. */
function turnsOf(messages: ChatMessage[], profile: ModelProfile): Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    if (message.role === "system") continue;
    const role = message.role === "assistant" ? "assistant" : "user";
    const content = blocksOf(message, profile);
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...content);
    else turns.push({ role, content });
  }
  return turns;
}

function blocksOf(message: ChatMessage, profile: ModelProfile): JsonObject[] {
  if (message.role === "tool") {
    return [{ type: "tool_result", tool_use_id: message.toolCallId, content: message.content }];
  }
  const text = message.content.trim() === "" ? [] : [{ type: "text", text: message.content }];
  if (message.role !== "assistant") return text;
  const calls = (message.toolCalls ?? []).map(({ id, name, arguments: args }) => ({
    type: "tool_use",
    id,
    name,
    input: parseObject(args) ?? {},
  }));
  return continuedBlocks(itemsOf(message, profile), calls) ?? [...text, ...calls];
}

/** In the order in which the model wrote them; undefined where its calls are not all among them. */
function continuedBlocks(items: Json[], calls: (JsonObject & { id: string })[]): JsonObject[] | undefined {
  const blocks = items.flatMap((item): JsonObject[] => {
    if (!isObject(item) || item.type !== "tool_use") return isObject(item) ? [item] : [];
    return calls.filter(({ id }) => id === item.id);
  });
  const isWhole = blocks.filter(({ type }) => type === "tool_use").length === calls.length;
  return items.length > 0 && isWhole ? blocks : undefined;
}

/** The last block says what is left, which changes with every turn: all before it is read again in the next one. */
function cached(turns: Turn[]): Turn[] {
  const blocks = turns.flatMap(({ content }) => content);
  const point = blocks.slice(0, -1).findLast((block) => !isThought(block));
  return turns.map(({ role, content }) => ({
    role,
    content: content.map((block) => (block === point ? { ...block, ...CACHE } : block)),
  }));
}

// ── The answer ─────────────────────────────────────────────────────────────────────────────────────────────────────

function read(body: JsonObject): ProtocolAnswer | { error: JsonObject } | undefined {
  if (isObject(body.error)) return { error: body.error };
  if (!Array.isArray(body.content)) return undefined;
  const blocks = body.content.filter(isObject);
  const cut = body.stop_reason === "max_tokens" || body.stop_reason === "model_context_window_exceeded";
  const whole = cut && blocks.at(-1)?.type === "tool_use" ? blocks.slice(0, -1) : blocks;
  const toolCalls = withUniqueIds(whole.filter(({ type }) => type === "tool_use").map(callOf), blocks.length);
  return {
    text: whole.map(({ type, text }) => (type === "text" && typeof text === "string" ? text : "")).join(""),
    toolCalls,
    finish: finishOf(body.stop_reason, { cut, called: toolCalls.length > 0 }),
    usage: usageOf(body.usage),
    model: typeof body.model === "string" ? body.model : "",
    id: typeof body.id === "string" ? body.id : "",
    items: whole.some(isThought) ? whole.map(withoutInput) : [],
  };
}

const isThought = ({ type }: JsonObject): boolean => type === "thinking" || type === "redacted_thinking";

/** The calls have it already. */
function withoutInput(block: JsonObject): Json {
  const { input: _input, ...kept } = block;
  return JSON.parse(JSON.stringify(kept)) as Json;
}

const callOf = ({ id, name, input }: JsonObject): ToolCall => ({
  id: typeof id === "string" ? id : "",
  name: typeof name === "string" ? name : "",
  arguments: textOfArguments(input),
});

function finishOf(reason: unknown, { cut, called }: { cut: boolean; called: boolean }): ProtocolAnswer["finish"] {
  if (cut) return "cut";
  if (reason === "refusal") return "filtered";
  if (called) return "tools";
  return reason === "end_turn" || reason === "stop_sequence" ? "stop" : "other";
}

/** What was read from the cache or written to it is not part of `input_tokens`. */
function usageOf(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const fresh = countOf(usage.input_tokens);
  const outputTokens = countOf(usage.output_tokens);
  if (fresh === undefined || outputTokens === undefined) return undefined;
  const cachedTokens = countOf(usage.cache_read_input_tokens) ?? 0;
  return {
    inputTokens: fresh + cachedTokens + (countOf(usage.cache_creation_input_tokens) ?? 0),
    cachedTokens,
    outputTokens,
  };
}
