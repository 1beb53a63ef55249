/** Bedrock's Converse API: one form for Claude, Nova and others, with cache points where the model's family takes them. Pure. */
import type { ModelRequest, Usage } from "../../core/ports.ts";
import type { ModelProfile } from "../../core/turn/model-profile.ts";
import { isObject, type JsonObject } from "../loose-json.ts";
import { PROVIDERS } from "../provider.ts";
import { withoutNullTypes } from "../request-shape.ts";
import { assembleConverse } from "../stream/converse-stream.ts";
import { type BlockForm, blockUsage, readBlocks, type Turn, turnsOf } from "./blocks.ts";
import type { Protocol, ProtocolAnswer } from "./protocol.ts";

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
    messages: caches ? cached(turnsOf(messages, profile, FORM), profile) : turnsOf(messages, profile, FORM),
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

const FORM: BlockForm = {
  text: (text) => ({ text }),
  result: (toolUseId, content) => ({
    toolResult: { toolUseId, content: [{ text: content.trim() === "" ? "(empty)" : content }] },
  }),
  call: ({ id, name, input }) => ({ toolUse: { toolUseId: id, name, input } }),
  callIn({ toolUse }) {
    return isObject(toolUse) ? { id: toolUse.toolUseId, name: toolUse.name, input: toolUse.input } : undefined;
  },
  textIn: ({ text }) => text,
  isThought: ({ reasoningContent }) => reasoningContent !== undefined,
};

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
  const message = isObject(body.output) && isObject(body.output.message) ? body.output.message : {};
  const { stopReason } = body;
  return readBlocks({ content: message.content, stopReason, usage: usageOf(body.usage), model: "", id: "" }, FORM);
}

function usageOf(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const { inputTokens, outputTokens, cacheReadInputTokens, cacheWriteInputTokens } = usage;
  return blockUsage({
    fresh: inputTokens,
    read: cacheReadInputTokens,
    written: cacheWriteInputTokens,
    output: outputTokens,
  });
}
