/** Anthropic's Messages API, with cache points so that a turn does not pay for the whole prefix again. Pure. */
import type { ModelRequest, Usage } from "../../core/ports.ts";
import type { ModelProfile } from "../../core/turn/model-profile.ts";
import { isObject, type JsonObject } from "../loose-json.ts";
import { PROVIDERS } from "../provider.ts";
import { withoutNullTypes } from "../request-shape.ts";
import { assembleMessage } from "../stream/messages-stream.ts";
import { type BlockForm, blockUsage, readBlocks, type Turn, turnsOf } from "./blocks.ts";
import { type Protocol, type ProtocolAnswer, providerName } from "./protocol.ts";

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
    messages: cached(turnsOf(messages, profile, FORM)),
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

const FORM: BlockForm = {
  text: (text) => ({ type: "text", text }),
  result: (id, content) => ({ type: "tool_result", tool_use_id: id, content }),
  call: ({ id, name, input }) => ({ type: "tool_use", id, name, input }),
  callIn({ type, id, name, input }) {
    return type === "tool_use" ? { id, name, input } : undefined;
  },
  textIn: ({ type, text }) => (type === "text" ? text : undefined),
  isThought: ({ type }) => type === "thinking" || type === "redacted_thinking",
};

/** The last block says what is left, which changes with every turn: all before it is read again in the next one. */
function cached(turns: Turn[]): Turn[] {
  const blocks = turns.flatMap(({ content }) => content);
  const point = blocks.slice(0, -1).findLast((block) => !FORM.isThought(block));
  return turns.map(({ role, content }) => ({
    role,
    content: content.map((block) => (block === point ? { ...block, ...CACHE } : block)),
  }));
}

// ── The answer ─────────────────────────────────────────────────────────────────────────────────────────────────────

function read(body: JsonObject): ProtocolAnswer | { error: JsonObject } | undefined {
  if (isObject(body.error)) return { error: body.error };
  const { content, stop_reason: stopReason, model, id } = body;
  return readBlocks({ content, stopReason, usage: usageOf(body.usage), model, id }, FORM);
}

function usageOf(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } = usage;
  return blockUsage({
    fresh: input_tokens,
    read: cache_read_input_tokens,
    written: cache_creation_input_tokens,
    output: output_tokens,
  });
}
