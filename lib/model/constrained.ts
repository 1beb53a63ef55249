/** Tool calls for models without native ones: a request of plain messages, answered by one JSON object. Pure. */
import type { ChatMessage, ModelRequest, ToolCall, ToolSpec } from "../core/ports.ts";
import { openCallSchema, typedCallSchema } from "./call-schema.ts";
import { isObject, type JsonObject, objectsIn, parseObject } from "./loose-json.ts";
import { resultsAfter, withoutNullTypes } from "./request-shape.ts";

export interface PlainMessage {
  role: "system" | "user" | "assistant";
  content: string;
}

export type ResponseFormat =
  | { type: "json_object" }
  | { type: "json_schema"; json_schema: { name: string; schema: JsonObject } };

/** What the answer is held to: the schemas of the arguments, a call of a tool with any arguments, or only JSON. */
export type CallForm = "typed" | "open" | "json";

export interface ConstrainedRequest {
  messages: PlainMessage[];
  /** Absent if no tools are offered: then any text is an answer. */
  responseFormat?: ResponseFormat;
}

export function constrain(
  { messages, tools }: Pick<ModelRequest, "messages" | "tools">,
  form: CallForm,
): ConstrainedRequest {
  const plain = alternating(withTools(plainMessages(messages), tools));
  if (tools.length === 0) return { messages: plain };
  return { messages: plain, responseFormat: responseFormatOf(tools, form) };
}

/**
 * The call that an answer's text is, with its thoughts as text; no call leaves the text as it came.
 * Of an answer that was cut off nothing is mended: what looks like an object may be the inside of a larger one.
 */
export function readConstrained(
  text: string,
  { tools, cut }: { tools: ToolSpec[]; cut: boolean },
): { text: string; call?: Omit<ToolCall, "id"> } {
  for (const object of cut ? wholeObject(text) : objectsIn(text)) {
    const call = callIn(object, tools);
    if (call) return { text: stringAt(object, THOUGHTS) ?? "", call };
  }
  return { text };
}

// ── The request ────────────────────────────────────────────────────────────────────────────────────────────────────

const responseFormatOf = (tools: ToolSpec[], form: CallForm): ResponseFormat => {
  if (form === "json") return { type: "json_object" };
  const schema = form === "typed" ? typedCallSchema(tools) : openCallSchema(tools);
  return { type: "json_schema", json_schema: { name: "tool_call", schema } };
};

const HOW_TO_CALL = `# How you act

You act by calling tools, one in each answer. Your whole answer is one JSON object and nothing else:

{"thoughts": "your considerations, briefly", "tool": "the name of the tool", "arguments": {}}

"arguments" must fit the JSON schema of the tool's arguments. These are the tools:`;

function withTools(messages: PlainMessage[], tools: ToolSpec[]): PlainMessage[] {
  if (tools.length === 0) return messages;
  const described = tools.map(
    ({ name, description, parameters }) =>
      `## ${name}\n\n${description}\n\nJSON schema of its arguments: ${JSON.stringify(withoutNullTypes(parameters))}`,
  );
  const howTo: PlainMessage = { role: "system", content: [HOW_TO_CALL, ...described].join("\n\n") };
  const opening = messages.findIndex(({ role }) => role !== "system");
  return messages.toSpliced(opening < 0 ? messages.length : opening, 0, howTo);
}

function plainMessages(messages: ChatMessage[]): PlainMessage[] {
  const plain: PlainMessage[] = [];
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at];
    if (!message) continue;
    if (message.role === "tool") plain.push(resultMessage(message.name, message.content));
    else if (message.role === "assistant" && message.toolCalls?.length) {
      const results = resultsAfter(messages, at);
      plain.push(...exchangeOf(message.content, message.toolCalls, results));
      at += results.length;
    } else plain.push({ role: message.role, content: message.content });
  }
  return plain;
}

/** A turn of several calls becomes several turns of one: that is what this convention allows. */
function exchangeOf(thoughts: string, calls: ToolCall[], results: ReturnType<typeof resultsAfter>): PlainMessage[] {
  const left = [...results];
  const exchange = calls.flatMap((call, index): PlainMessage[] => {
    const found = left.findIndex(({ toolCallId }) => toolCallId === call.id);
    const [result] = found < 0 ? [] : left.splice(found, 1);
    return [
      { role: "assistant", content: callText(index === 0 ? thoughts : "", call) },
      resultMessage(call.name, result?.content ?? "(none)"),
    ];
  });
  return [...exchange, ...left.map(({ name, content }) => resultMessage(name, content))];
}

const callText = (thoughts: string, call: ToolCall): string =>
  `{"thoughts":${JSON.stringify(thoughts)},"tool":${JSON.stringify(call.name)},"arguments":${callArguments(call)}}`;

const resultMessage = (tool: string, content: string): PlainMessage => ({
  role: "user",
  content: `Result of ${tool}:\n\n${content}`,
});

/** Some chat templates accept one system message at the start, then only user and assistant in turn. */
function alternating(messages: PlainMessage[]): PlainMessage[] {
  const result: PlainMessage[] = [];
  for (const { role, content } of messages) {
    const before = result.at(-1);
    const now: PlainMessage["role"] = role === "system" && before && before.role !== "system" ? "user" : role;
    if (before?.role !== now) result.push({ role: now, content });
    else if (now === "assistant") result.push({ role: "user", content: "Go on." }, { role: now, content });
    else before.content += `\n\n${content}`;
  }
  return result;
}

// ── The answer ─────────────────────────────────────────────────────────────────────────────────────────────────────

function wholeObject(text: string): JsonObject[] {
  const whole = parseObject(text);
  return whole ? [whole] : [];
}

const THOUGHTS = ["thoughts", "thought"];
const TOOL = ["tool", "call_tool", "tool_name"];
const ARGUMENTS = ["arguments", "params", "parameters", "args"];

/** Models that were taught another form of call fall back into it: these are read as well. */
function callIn(object: JsonObject, tools: ToolSpec[]): Omit<ToolCall, "id"> | undefined {
  const nested = Array.isArray(object.tool_calls) ? object.tool_calls[0] : undefined;
  const call = [nested, object].map((value) => (isObject(value) && isObject(value.function) ? value.function : value));
  for (const candidate of call.filter(isObject)) {
    const given = ARGUMENTS.map((key) => candidate[key]).find((value) => value !== undefined);
    const name = stringAt(candidate, TOOL) ?? nameOf(candidate, given !== undefined, tools);
    if (name) return { name, arguments: argumentsText(given ?? rest(candidate)) };
  }
  return undefined;
}

/** `{"name": …}` may be any data, a package.json say: it is a call only with arguments, or with a tool's name. */
function nameOf(object: JsonObject, hasArguments: boolean, tools: ToolSpec[]): string | undefined {
  const name = stringAt(object, ["name"]);
  return hasArguments || tools.some((tool) => tool.name === name) ? name : undefined;
}

const argumentsText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** Arguments written beside the tool's name instead of inside `arguments`. */
function rest(object: JsonObject): JsonObject {
  const known = new Set([...THOUGHTS, ...TOOL, "name"]);
  return Object.fromEntries(Object.entries(object).filter(([key]) => !known.has(key)));
}

function stringAt(object: JsonObject, keys: string[]): string | undefined {
  return keys.map((key) => object[key]).find((value): value is string => typeof value === "string" && value !== "");
}

/** The arguments of an earlier call. Some servers parse them, and refuse the whole request if they are not JSON. */
export const callArguments = (call: ToolCall): string => (parseObject(call.arguments) ? call.arguments : "{}");
