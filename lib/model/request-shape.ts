/** The parts of a request that some chat templates cannot read, in a form that they can. Pure. */
import type { ChatMessage } from "../core/ports.ts";
import type { Json } from "../core/text/json.ts";

/** Null is accepted for an optional parameter but not offered: some templates fail at a list of types. */
export const withoutNullTypes = (schema: { [key: string]: Json }): { [key: string]: Json } =>
  Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, key === "type" ? oneType(value) : within(value)]),
  );

function within(value: Json): Json {
  if (Array.isArray(value)) return value.map(within);
  return typeof value === "object" && value !== null ? withoutNullTypes(value) : value;
}

/** A parameter may itself be called `type`: then the value is its schema. */
function oneType(type: Json): Json {
  if (!Array.isArray(type)) return within(type);
  const [only, ...others] = type.filter((name) => name !== "null");
  return only === undefined ? type : others.length > 0 ? [only, ...others] : only;
}

type ToolMessage = Extract<ChatMessage, { role: "tool" }>;

/** The results that follow the message at `at`. */
export function resultsAfter(messages: ChatMessage[], at: number): ToolMessage[] {
  const results: ToolMessage[] = [];
  for (let next = messages[at + 1]; next?.role === "tool"; next = messages[at + 1 + results.length]) results.push(next);
  return results;
}

/** A turn of several calls as several turns of one, each followed by its result. */
export function withSingleCalls(messages: ChatMessage[]): ChatMessage[] {
  const single: ChatMessage[] = [];
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at];
    if (!message) continue;
    if (message.role !== "assistant" || !message.toolCalls?.length) {
      single.push(message);
      continue;
    }
    const results = resultsAfter(messages, at);
    const calls = message.toolCalls;
    calls.forEach((call, index) => {
      const content = index === 0 ? message.content : "";
      const own = results.filter(({ toolCallId }) => toolCallId === call.id);
      single.push({ role: "assistant", content, toolCalls: [call] }, ...own);
    });
    at += results.length;
  }
  return single;
}
