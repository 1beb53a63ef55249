/** What Anthropic's Messages and Bedrock's Converse have in common: turns that are lists of blocks. Pure. */
import type { ChatMessage, Usage } from "../../core/ports.ts";
import type { Json } from "../../core/text/json.ts";
import type { ModelProfile } from "../../core/turn/model-profile.ts";
import { countOf, textOfArguments, withUniqueIds } from "../answer.ts";
import { isObject, type JsonObject, parseObject } from "../loose-json.ts";
import { itemsOf, type ProtocolAnswer } from "./protocol.ts";

export interface Turn {
  role: "user" | "assistant";
  content: JsonObject[];
}

export interface Call {
  id: unknown;
  name: unknown;
  input: unknown;
}

/** How a protocol writes its blocks. */
export interface BlockForm {
  text(text: string): JsonObject;
  result(callId: string | undefined, content: string): JsonObject;
  call(call: Call): JsonObject;
  /** The call that a block is; undefined for any other block. */
  callIn(block: JsonObject): Call | undefined;
  textIn(block: JsonObject): unknown;
  isThought(block: JsonObject): boolean;
}

/** Results of one answer's calls belong into one message of the user. */
export function turnsOf(messages: ChatMessage[], profile: ModelProfile, form: BlockForm): Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    if (message.role === "system") continue;
    const role = message.role === "assistant" ? "assistant" : "user";
    const content = blocksOf(message, profile, form);
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...content);
    else if (content.length > 0) turns.push({ role, content });
  }
  return turns;
}

/** Blank text is refused. */
function blocksOf(message: ChatMessage, profile: ModelProfile, form: BlockForm): JsonObject[] {
  if (message.role === "tool") return [form.result(message.toolCallId, message.content)];
  const text = message.content.trim() === "" ? [] : [form.text(message.content)];
  if (message.role !== "assistant") return text;
  const calls = (message.toolCalls ?? []).map(({ id, name, arguments: args }) => ({
    id,
    name,
    input: parseObject(args) ?? {},
  }));
  return continuedBlocks(itemsOf(message, profile), calls, form) ?? [...text, ...calls.map(form.call)];
}

/** In the order in which the model wrote them; undefined where its calls are not all among them. */
function continuedBlocks(items: Json[], calls: Call[], form: BlockForm): JsonObject[] | undefined {
  let called = 0;
  const blocks = items.flatMap((item): JsonObject[] => {
    if (!isObject(item)) return [];
    const written = form.callIn(item);
    if (!written) return [item];
    const same = calls.filter(({ id }) => id === written.id);
    called += same.length;
    return same.map(form.call);
  });
  return items.length > 0 && called === calls.length ? blocks : undefined;
}

/** An answer as the protocol gives it, with its own names taken off. */
export interface BlockAnswer {
  content: unknown;
  stopReason: unknown;
  usage: Usage | undefined;
  model: unknown;
  id: unknown;
}

export function readBlocks(answer: BlockAnswer, form: BlockForm): ProtocolAnswer | undefined {
  const { content, stopReason, usage } = answer;
  if (!Array.isArray(content)) return undefined;
  const blocks: JsonObject[] = content.filter(isObject);
  const cut = stopReason === "max_tokens" || stopReason === "model_context_window_exceeded";
  const last = blocks.at(-1);
  const whole = cut && last && form.callIn(last) ? blocks.slice(0, -1) : blocks;
  const calls = whole.flatMap((block) => form.callIn(block) ?? []);
  const toolCalls = withUniqueIds(
    calls.map(({ id, name, input }) => ({ id: textOf(id), name: textOf(name), arguments: textOfArguments(input) })),
    blocks.length,
  );
  return {
    text: whole.map((block) => textOf(form.textIn(block))).join(""),
    toolCalls,
    finish: finishOf(stopReason, { cut, called: toolCalls.length > 0 }),
    usage,
    model: textOf(answer.model),
    id: textOf(answer.id),
    items: whole.some(form.isThought) ? whole.map((block) => withoutInput(block, form)) : [],
  };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The calls have their input already. */
function withoutInput(block: JsonObject, form: BlockForm): Json {
  const call = form.callIn(block);
  const kept = call ? form.call({ id: textOf(call.id), name: textOf(call.name), input: undefined }) : block;
  return JSON.parse(JSON.stringify(kept)) as Json;
}

const FILTERED = new Set<unknown>(["guardrail_intervened", "content_filtered", "refusal"]);

function finishOf(reason: unknown, { cut, called }: { cut: boolean; called: boolean }): ProtocolAnswer["finish"] {
  if (cut) return "cut";
  if (FILTERED.has(reason)) return "filtered";
  if (called) return "tools";
  return reason === "end_turn" || reason === "stop_sequence" ? "stop" : "other";
}

/** Tokens that were read from the cache or written to it are not part of the fresh ones. */
export function blockUsage(counts: Record<"fresh" | "read" | "written" | "output", unknown>): Usage | undefined {
  const fresh = countOf(counts.fresh);
  const outputTokens = countOf(counts.output);
  if (fresh === undefined || outputTokens === undefined) return undefined;
  const cachedTokens = countOf(counts.read) ?? 0;
  return { inputTokens: fresh + cachedTokens + (countOf(counts.written) ?? 0), cachedTokens, outputTokens };
}
