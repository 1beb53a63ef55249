/** What a server's 200 says, read leniently: the answer's text and calls, however the server writes them. Pure. */
import type { ModelAnswer, ToolCall, ToolSpec, Usage } from "../core/ports.ts";
import type { Convention } from "../core/turn/model-profile.ts";
import { readConstrained } from "./constrained.ts";
import { isObject, type JsonObject, parseObject } from "./loose-json.ts";

export interface ReadAnswer {
  text: string;
  toolCalls: ToolCall[];
  finish: ModelAnswer["finish"];
  usage: Usage | undefined;
  model: string;
  id: string;
}

export interface ExpectedAnswer {
  convention: Convention;
  tools: ToolSpec[];
  /** How many messages the request had: makes ids that no other turn of the conversation has. */
  messages: number;
}

/** More calls in one answer are no work but noise. */
const MOST_CALLS = 128;

/** Undefined where it is no answer; `error` where the server put a refusal into a 200. */
export function readAnswer(body: string, expected: ExpectedAnswer): ReadAnswer | { error: JsonObject } | undefined {
  const whole = parseObject(body.replace(/^\uFEFF/, ""));
  const choice: unknown = Array.isArray(whole?.choices) ? whole.choices[0] : undefined;
  if (!whole || !isObject(choice) || !isObject(choice.message)) {
    return isObject(whole?.error) ? { error: whole.error } : undefined;
  }
  const { message } = choice;
  const reason = choice.finish_reason;
  const said = textOf(message);
  const cut = reason === "length" || reason === "max_tokens";
  const { text, calls } = spoken(message, said, { ...expected, cut });
  const toolCalls = withUniqueIds(calls.slice(0, MOST_CALLS), expected.messages);
  return {
    text,
    toolCalls,
    finish: finishOf({ reason, cut, called: toolCalls.length > 0, refused: typeof message.refusal === "string" }),
    usage: usageOf(whole.usage),
    model: typeof whole.model === "string" ? whole.model : "",
    id: typeof whole.id === "string" ? whole.id : "",
  };
}

/** Content may be null, a text, or parts; a refusal is what the model says instead. */
function textOf({ content, refusal }: JsonObject): string {
  const text = Array.isArray(content) ? content.map(partText).join("") : content;
  const said = typeof text === "string" ? withoutThinking(text) : "";
  return said || (typeof refusal === "string" ? refusal : "");
}

const partText = (part: unknown): string => (isObject(part) && typeof part.text === "string" ? part.text : "");

/** Some servers leave the thoughts of a reasoning model in front of what it says. */
const withoutThinking = (text: string): string => text.replace(/^\s*<think>[\s\S]*?<\/think>\s*/, "");

interface Spoken {
  text: string;
  calls: ToolCall[];
}

function spoken(
  message: JsonObject,
  said: string,
  { convention, tools, cut }: ExpectedAnswer & { cut: boolean },
): Spoken {
  const calls = convention === "native" ? nativeCalls(message) : [];
  if (calls.length > 0 || tools.length === 0) return { text: said, calls };
  // Weak models write the call that they should make: where it is the whole answer, it is one.
  const { text, call } = readConstrained(said, { tools, cut: cut || convention === "native" });
  if (!call || (convention === "native" && !tools.some(({ name }) => name === call.name))) return { text: said, calls };
  return { text, calls: [{ id: "", ...call }] };
}

function nativeCalls(message: JsonObject): ToolCall[] {
  if (Array.isArray(message.tool_calls)) return message.tool_calls.flatMap(nativeCall);
  // What `tool_calls` was called before there could be several.
  return isObject(message.function_call) ? nativeCall({ function: message.function_call }) : [];
}

function nativeCall(call: unknown): ToolCall[] {
  if (!isObject(call) || !isObject(call.function)) return [];
  const { name, arguments: args } = call.function;
  return [
    {
      id: typeof call.id === "string" ? call.id : "",
      name: typeof name === "string" ? name : "",
      arguments: typeof args === "string" ? args || "{}" : textOfArguments(args),
    },
  ];
}

/** Too deep to be written down: the model reads that its arguments are no JSON, as it does of others. */
export function textOfArguments(args: unknown): string {
  try {
    return JSON.stringify(args ?? {});
  } catch (error) {
    if (error instanceof RangeError) return "(nested too deeply)";
    throw error;
  }
}

/** Nine letters and digits: some chat templates accept no other id. */
export function withUniqueIds(calls: ToolCall[], messages: number): ToolCall[] {
  const seen = new Set<string>();
  return calls.map((call, index) => {
    const fresh = `c${String(messages).padStart(5, "0")}${String(index).padStart(3, "0")}`;
    const id = call.id !== "" && !seen.has(call.id) ? call.id : fresh;
    seen.add(id);
    return { ...call, id };
  });
}

interface Ending {
  reason: unknown;
  cut: boolean;
  called: boolean;
  refused: boolean;
}

function finishOf({ reason, cut, called, refused }: Ending): ModelAnswer["finish"] {
  if (cut) return "cut";
  if (refused || reason === "content_filter") return "filtered";
  if (called) return "tools";
  return typeof reason === "string" && /^(stop|eos|end_turn|stop_sequence|tool_calls|function_call)$/.test(reason)
    ? "stop"
    : "other";
}

/** Undefined if the server did not count. */
export function usageOf(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const inputTokens = countOf(usage.prompt_tokens);
  const written = countOf(usage.completion_tokens);
  if (inputTokens === undefined || written === undefined) return undefined;
  const details = isObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  // The name that DeepSeek uses, then that of Moonshot and others.
  const cached =
    countOf(details.cached_tokens) ?? countOf(usage.prompt_cache_hit_tokens) ?? countOf(usage.cached_tokens) ?? 0;
  // Some servers bill thoughts but count them in the total only.
  const outputTokens = Math.max(written, (countOf(usage.total_tokens) ?? 0) - inputTokens);
  return { inputTokens, cachedTokens: cached, outputTokens };
}

export function countOf(value: unknown): number | undefined {
  if (typeof value !== "number" || Number.isNaN(value) || value < 0) return undefined;
  // What is beyond all counting stays so: it is not believed where it is paid.
  return Math.min(Math.ceil(value), Number.MAX_SAFE_INTEGER);
}

/** Code and JSON have three bytes per token, prose four. The guess must not be too low: ceilings depend on it. */
const BYTES_PER_TOKEN = 3;

export const guessedUsage = (requestBytes: number, answerBytes: number): Usage => ({
  inputTokens: Math.ceil(requestBytes / BYTES_PER_TOKEN),
  cachedTokens: 0,
  outputTokens: Math.ceil(answerBytes / BYTES_PER_TOKEN),
});
