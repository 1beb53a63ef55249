/** OpenAI's Responses API: nothing is stored there, and the model gets its encrypted thoughts back. Pure. */
import type { ChatMessage, ModelRequest, ToolCall, Usage } from "../../core/ports.ts";
import type { Json } from "../../core/text/json.ts";
import type { ModelProfile } from "../../core/turn/model-profile.ts";
import { countOf, withUniqueIds } from "../answer.ts";
import { callArguments } from "../constrained.ts";
import { isObject, type JsonObject } from "../loose-json.ts";
import { PROVIDERS } from "../provider.ts";
import { withoutNullTypes } from "../request-shape.ts";
import { assembleResponse } from "../stream/responses-stream.ts";
import { itemsOf, type Protocol, type ProtocolAnswer, providerName } from "./protocol.ts";

export const responses: Protocol = {
  path: "/responses",
  ...PROVIDERS.responses,
  headers: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
  bodyOf,
  startAssembly: assembleResponse,
  read,
};

// ── The request ────────────────────────────────────────────────────────────────────────────────────────────────────

function bodyOf(request: ModelRequest, profile: ModelProfile): JsonObject {
  const { messages, tools, maxOutputTokens, temperature, effort } = request;
  return {
    model: providerName(profile),
    input: messages.flatMap((message) => inputItems(message, profile)),
    store: false,
    include: ["reasoning.encrypted_content"],
    ...(tools.length > 0 ? toolFields(tools, profile) : {}),
    max_output_tokens: maxOutputTokens,
    ...(profile.temperature && temperature !== undefined ? { temperature } : {}),
    ...(effort ? { reasoning: { effort } } : {}),
  };
}

const toolFields = (tools: ModelRequest["tools"], profile: ModelProfile): JsonObject => ({
  tools: tools.map(({ name, description, parameters }) => ({
    type: "function",
    name,
    description,
    parameters: withoutNullTypes(parameters),
    strict: false,
  })),
  ...(profile.requiredToolChoice ? { tool_choice: "required" } : {}),
  ...(profile.parallelToolCalls ? { parallel_tool_calls: true } : {}),
});

function inputItems(message: ChatMessage, profile: ModelProfile): JsonObject[] {
  if (message.role === "tool") {
    return [{ type: "function_call_output", call_id: message.toolCallId, output: message.content }];
  }
  const { role, content } = message;
  if (role !== "assistant") return [{ role, content }];
  const calls = message.toolCalls ?? [];
  const continued = continuedItems(itemsOf(message, profile), calls);
  if (continued) return continued;
  return [...(content === "" ? [] : [{ role, content }]), ...calls.map((call) => callItem(call))];
}

/** Items in the order in which the model wrote them; undefined where its calls are not all among them. */
function continuedItems(items: Json[], calls: ToolCall[]): JsonObject[] | undefined {
  const found = items.flatMap((item): JsonObject[] => {
    if (!isObject(item) || item.type !== "function_call") return isObject(item) ? [item] : [];
    const call = calls.find(({ id }) => id === item.call_id);
    return call ? [callItem(call, item)] : [];
  });
  const isWhole = found.filter(({ type }) => type === "function_call").length === calls.length;
  return items.length > 0 && isWhole ? found : undefined;
}

/** The arguments are the journal's: those of earlier turns may have been shortened. */
const callItem = (call: ToolCall, written: JsonObject = {}): JsonObject => ({
  ...written,
  type: "function_call",
  call_id: call.id,
  name: call.name,
  arguments: callArguments(call),
});

// ── The answer ─────────────────────────────────────────────────────────────────────────────────────────────────────

function read(body: JsonObject): ProtocolAnswer | { error: JsonObject } | undefined {
  if (isObject(body.error)) return { error: body.error };
  if (!Array.isArray(body.output)) return undefined;
  const output = body.output.filter(isObject);
  const written = output.filter(({ type }) => type === "function_call").map(callOf);
  const toolCalls = withUniqueIds(written, output.length);
  const parts = output.filter(({ type }) => type === "message").flatMap(partsOf);
  return {
    text: parts.map(({ text, refusal }) => textOf(text) || textOf(refusal)).join(""),
    toolCalls,
    finish: finishOf(body, { called: toolCalls.length > 0, refused: parts.some(({ type }) => type === "refusal") }),
    usage: usageOf(body.usage),
    model: textOf(body.model),
    id: textOf(body.id),
    items: output.some(({ type }) => type === "reasoning") ? output.map(withoutArguments) : [],
  };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const partsOf = ({ content }: JsonObject): JsonObject[] => (Array.isArray(content) ? content.filter(isObject) : []);
const callOf = (item: JsonObject): ToolCall => ({
  id: textOf(item.call_id),
  name: textOf(item.name),
  arguments: textOf(item.arguments) || "{}",
});

/** The calls have them already. */
function withoutArguments(item: JsonObject): Json {
  const { arguments: _arguments, ...kept } = item;
  return JSON.parse(JSON.stringify(item.type === "function_call" ? kept : item)) as Json;
}

function finishOf(
  { status, incomplete_details }: JsonObject,
  { called, refused }: { called: boolean; refused: boolean },
): ProtocolAnswer["finish"] {
  const reason = isObject(incomplete_details) ? incomplete_details.reason : undefined;
  if (reason === "max_output_tokens") return "cut";
  if (refused || reason === "content_filter") return "filtered";
  if (called) return "tools";
  return status === "completed" ? "stop" : "other";
}

function usageOf(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const inputTokens = countOf(usage.input_tokens);
  const outputTokens = countOf(usage.output_tokens);
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  const details = isObject(usage.input_tokens_details) ? usage.input_tokens_details : {};
  return { inputTokens, cachedTokens: Math.min(countOf(details.cached_tokens) ?? 0, inputTokens), outputTokens };
}
