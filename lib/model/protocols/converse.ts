/** Bedrock's Converse API: one form for Claude, Nova and others, with cache points where the model's family takes them. Pure. */
import type { ChatMessage, ModelRequest, ToolCall, Usage } from "../../core/ports.ts";
import type { Json } from "../../core/text/json.ts";
import type { ModelProfile } from "../../core/turn/model-profile.ts";
import { countOf, textOfArguments, withUniqueIds } from "../answer.ts";
import { isObject, type JsonObject, parseObject } from "../loose-json.ts";
import { PROVIDERS } from "../provider.ts";
import { withoutNullTypes } from "../request-shape.ts";
import { assembleConverse } from "../stream/converse-stream.ts";
import { itemsOf, type Protocol, type ProtocolAnswer } from "./protocol.ts";

/** The model is part of the address, and the signature takes the place of a key. */
export const converse: Protocol = {
  path: "/converse",
  streamPath: "/converse-stream",
  ...PROVIDERS.converse,
  headers: () => ({}),
  bodyOf,
  startAssembly: assembleConverse,
  read,
};

// ── The request ────────────────────────────────────────────────────────────────────────────────────────────────────

/** Families that cache, by https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html; the oldest do not. */
const CLAUDE = /anthropic\.claude-(?!v\d|instant|3-(haiku|sonnet|opus|5-sonnet))/;
const NOVA = /amazon\.nova-/;
/** By https://docs.aws.amazon.com/bedrock/latest/userguide/claude-messages-adaptive-thinking.html. */
const THINKS = /anthropic\.claude-((opus|mythos|fable|sonnet)-5|opus-4-[67]|sonnet-4-6|mythos-preview)/;

const CACHE_POINT: JsonObject = { cachePoint: { type: "default" } };

function bodyOf(request: ModelRequest, profile: ModelProfile): JsonObject {
  const { messages, tools, maxOutputTokens, temperature } = request;
  const effort = THINKS.test(profile.model) ? request.effort : undefined;
  const caches = CLAUDE.test(profile.model) || NOVA.test(profile.model);
  const system = messages.filter(({ role }) => role === "system").map(({ content }) => ({ text: content }));
  return {
    // Tools come before the system prompt: one cache point is for both.
    ...(system.length > 0 ? { system: [...system, ...(caches ? [CACHE_POINT] : [])] } : {}),
    messages: caches ? cached(turnsOf(messages, profile), profile) : turnsOf(messages, profile),
    inferenceConfig: {
      maxTokens: maxOutputTokens,
      // A model that thinks takes no temperature.
      ...(!effort && profile.temperature && temperature !== undefined ? { temperature } : {}),
    },
    ...(tools.length > 0 ? { toolConfig: { tools: tools.map(toolOf) } } : {}),
    ...(effort ? { additionalModelRequestFields: { thinking: { type: "adaptive" }, output_config: { effort } } } : {}),
  };
}

/** An empty description is refused. */
const toolOf = ({ name, description, parameters }: ModelRequest["tools"][number]): JsonObject => ({
  toolSpec: {
    name,
    ...(description === "" ? {} : { description }),
    inputSchema: { json: withoutNullTypes(parameters) },
  },
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
    else if (content.length > 0) turns.push({ role, content });
  }
  return turns;
}

/** Blank text is refused. */
function blocksOf(message: ChatMessage, profile: ModelProfile): JsonObject[] {
  const text = message.content.trim() === "" ? [] : [{ text: message.content }];
  if (message.role === "tool") {
    const content = text.length > 0 ? text : [{ text: "(empty)" }];
    return [{ toolResult: { toolUseId: message.toolCallId, content } }];
  }
  if (message.role !== "assistant") return text;
  const calls = (message.toolCalls ?? []).map(({ id, name, arguments: args }) => ({
    toolUse: { toolUseId: id, name, input: parseObject(args) ?? {} },
  }));
  return continuedBlocks(itemsOf(message, profile), calls) ?? [...text, ...calls];
}

/** In the order in which the model wrote them; undefined where its calls are not all among them. */
function continuedBlocks(items: Json[], calls: { toolUse: JsonObject }[]): JsonObject[] | undefined {
  const blocks = items.flatMap((item): JsonObject[] => {
    if (!isObject(item)) return [];
    const { toolUse } = item;
    return isObject(toolUse) ? calls.filter((call) => call.toolUse.toolUseId === toolUse.toolUseId) : [item];
  });
  const isWhole = blocks.filter(({ toolUse }) => toolUse !== undefined).length === calls.length;
  return items.length > 0 && isWhole ? blocks : undefined;
}

/**
 * A cache point follows what the user said last but one: the last block says what is left, which changes with every
 * turn. Nova refuses one behind the result of a tool.
 */
function cached(turns: Turn[], { model }: ModelProfile): Turn[] {
  const said = turns.filter(({ role }) => role === "user").flatMap(({ content }) => content);
  const last = turns.at(-1)?.content.at(-1);
  const point = said.findLast((block) => block !== last && (block.text !== undefined || CLAUDE.test(model)));
  return turns.map(({ role, content }) => ({
    role,
    content: content.flatMap((block) => (block === point ? [block, CACHE_POINT] : [block])),
  }));
}

// ── The answer ─────────────────────────────────────────────────────────────────────────────────────────────────────

function read(body: JsonObject): ProtocolAnswer | { error: JsonObject } | undefined {
  if (isObject(body.error)) return { error: body.error };
  const message = isObject(body.output) && isObject(body.output.message) ? body.output.message : undefined;
  if (!message || !Array.isArray(message.content)) return undefined;
  const blocks = message.content.filter(isObject);
  const cut = body.stopReason === "max_tokens" || body.stopReason === "model_context_window_exceeded";
  const whole = cut && blocks.at(-1)?.toolUse !== undefined ? blocks.slice(0, -1) : blocks;
  const calls = whole.flatMap(({ toolUse }) => (isObject(toolUse) ? [callOf(toolUse)] : []));
  const toolCalls = withUniqueIds(calls, blocks.length);
  return {
    text: whole.map(({ text }) => textOf(text)).join(""),
    toolCalls,
    finish: finishOf(body.stopReason, { cut, called: toolCalls.length > 0 }),
    usage: usageOf(body.usage),
    model: "",
    id: "",
    items: whole.some(({ reasoningContent }) => reasoningContent !== undefined) ? whole.map(withoutInput) : [],
  };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The calls have it already. */
function withoutInput(block: JsonObject): Json {
  const { toolUse } = block;
  if (!isObject(toolUse)) return JSON.parse(JSON.stringify(block)) as Json;
  return { toolUse: { toolUseId: textOf(toolUse.toolUseId), name: textOf(toolUse.name) } };
}

const callOf = ({ toolUseId, name, input }: JsonObject): ToolCall => ({
  id: textOf(toolUseId),
  name: textOf(name),
  arguments: textOfArguments(input),
});

const FILTERED = new Set<unknown>(["guardrail_intervened", "content_filtered", "refusal"]);

function finishOf(reason: unknown, { cut, called }: { cut: boolean; called: boolean }): ProtocolAnswer["finish"] {
  if (cut) return "cut";
  if (FILTERED.has(reason)) return "filtered";
  if (called) return "tools";
  return reason === "end_turn" || reason === "stop_sequence" ? "stop" : "other";
}

/** What was read from the cache or written to it is not part of `inputTokens`. */
function usageOf(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const fresh = countOf(usage.inputTokens);
  const outputTokens = countOf(usage.outputTokens);
  if (fresh === undefined || outputTokens === undefined) return undefined;
  const cachedTokens = countOf(usage.cacheReadInputTokens) ?? 0;
  return {
    inputTokens: fresh + cachedTokens + (countOf(usage.cacheWriteInputTokens) ?? 0),
    cachedTokens,
    outputTokens,
  };
}
