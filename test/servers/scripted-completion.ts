/** Renders a scripted answer as a Chat Completions response, in the calling convention that the request asks for. */

export interface ScriptedTool {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

export interface ScriptedMessage {
  role: string;
  content: string | null;
  tool_calls?: { id: string; type: "function"; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

export interface ScriptedRequest {
  /** Counted from 1, refused ones too. */
  number: number;
  model: string;
  messages: ScriptedMessage[];
  /** Empty in the conventions without native tool calls: then the system message describes them. */
  tools: ScriptedTool[];
  responseFormat?: { type: string };
  maxTokens?: number;
  /** As it came. */
  body: Record<string, unknown>;
  headers: Record<string, string>;
}

export interface ScriptedAnswer {
  toolCalls?: { id?: string; name: string; arguments: object | string }[];
  /** What is said; the thoughts where the answer is a JSON object. */
  text?: string;
}

export interface Completion {
  id: string;
  object: "chat.completion";
  model: string;
  choices: {
    index: number;
    finish_reason: string;
    message: { role: "assistant"; content: string | null; tool_calls?: ScriptedMessage["tool_calls"] };
  }[];
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
}

export function completionOf(request: ScriptedRequest, answer: ScriptedAnswer): Completion {
  const [first] = answer.toolCalls ?? [];
  const message =
    request.responseFormat && first
      ? { role: "assistant" as const, content: objectText(answer.text ?? "", first) }
      : nativeMessage(request.number, answer);
  const called = "tool_calls" in message;
  return {
    id: `chatcmpl-${request.number}`,
    object: "chat.completion",
    model: request.model,
    choices: [{ index: 0, finish_reason: called ? "tool_calls" : "stop", message }],
    usage: usageOf(request, message),
  };
}

function nativeMessage(number: number, { text, toolCalls }: ScriptedAnswer): Completion["choices"][number]["message"] {
  if (!toolCalls?.length) return { role: "assistant", content: text ?? "" };
  return {
    role: "assistant",
    content: text ?? null,
    tool_calls: toolCalls.map((call, index) => ({
      id: call.id ?? `call_${number}_${index}`,
      type: "function",
      function: { name: call.name, arguments: argumentsText(call.arguments) },
    })),
  };
}

const objectText = (thoughts: string, call: { name: string; arguments: object | string }): string =>
  `{"thoughts":${JSON.stringify(thoughts)},"tool":${JSON.stringify(call.name)},"arguments":${argumentsText(call.arguments)}}`;

const argumentsText = (value: object | string): string => (typeof value === "string" ? value : JSON.stringify(value));

const tokensOf = (value: unknown): number => Math.ceil(JSON.stringify(value).length / 4);

function usageOf(request: ScriptedRequest, message: unknown): Completion["usage"] {
  const prompt_tokens = tokensOf([request.messages, request.tools]);
  const completion_tokens = tokensOf(message);
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}
