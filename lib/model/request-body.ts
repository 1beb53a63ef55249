/** The body of a request in the dialect of a server. Pure: the same request and dialect give the same bytes. */
import type {
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import type { ChatMessage, ModelRequest } from "../core/ports.ts";
import { callArguments, constrain } from "./constrained.ts";
import type { Dialect } from "./request-dialect.ts";
import { withoutNullTypes, withSingleCalls } from "./request-shape.ts";

export type RequestBody = ChatCompletionCreateParamsNonStreaming;

/** Messages come before everything that may change, so that this turn's body is a prefix of the next turn's. */
export function bodyOf(model: string, request: ModelRequest, dialect: Dialect): RequestBody {
  const { temperature, seed, effort, maxOutputTokens } = request;
  return {
    model,
    ...(dialect.convention === "native" ? native(request, dialect) : constrained(request, dialect, dialect.convention)),
    [dialect.outputLimit]: Math.min(maxOutputTokens, dialect.outputCap),
    ...(dialect.temperature && temperature !== undefined ? { temperature } : {}),
    ...(dialect.seed && seed !== undefined ? { seed } : {}),
    ...(dialect.effort && effort ? { reasoning_effort: effort } : {}),
    ...(isStreamed(request, dialect) ? streamFields(dialect) : {}),
  };
}

export const isStreamed = ({ stream }: ModelRequest, dialect: Dialect): boolean => stream !== false && dialect.stream;

/** The package's type for a body knows no stream, which is read here. */
const streamFields = ({ streamUsage }: Dialect): object => ({
  stream: true,
  ...(streamUsage ? { stream_options: { include_usage: true } } : {}),
});

type BodyPart = Pick<RequestBody, "messages"> & Partial<RequestBody>;

function native({ messages, tools }: ModelRequest, dialect: Dialect): BodyPart {
  const turns = dialect.singleCalls ? withSingleCalls(messages) : messages;
  const params = folded(turns.map(messageParam), dialect.systemRole);
  if (tools.length === 0) return { messages: params };
  return {
    messages: params,
    tools: tools.map(({ name, description, parameters }) => ({
      type: "function",
      function: { name, description, parameters: withoutNullTypes(parameters) },
    })),
    ...(dialect.requiredToolChoice ? { tool_choice: "required" } : {}),
    ...(dialect.parallelToolCalls ? { parallel_tool_calls: true } : {}),
  };
}

function constrained(request: ModelRequest, dialect: Dialect, convention: "schema" | "json"): BodyPart {
  const schema = dialect.typedArguments ? "typed" : "open";
  const { messages, responseFormat } = constrain(request, convention === "schema" ? schema : "json");
  return {
    messages: folded(messages, dialect.systemRole),
    ...(responseFormat && dialect.responseFormat ? { response_format: responseFormat } : {}),
  };
}

function messageParam(message: ChatMessage): ChatCompletionMessageParam {
  if (message.role === "tool") return { role: "tool", tool_call_id: message.toolCallId, content: message.content };
  if (message.role !== "assistant" || !message.toolCalls?.length)
    return { role: message.role, content: message.content };
  return {
    role: "assistant",
    content: message.content || null,
    tool_calls: message.toolCalls.map((call) => ({
      id: call.id,
      type: "function",
      function: { name: call.name, arguments: callArguments(call) },
    })),
  };
}

/** For chat templates without a system message: puts it into the first user message. */
function folded(messages: ChatCompletionMessageParam[], systemRole: boolean): ChatCompletionMessageParam[] {
  const [system, user, ...others] = messages;
  if (systemRole || system?.role !== "system") return messages;
  if (user?.role !== "user") return [{ role: "user", content: String(system.content) }, ...messages.slice(1)];
  return [{ role: "user", content: `${String(system.content)}\n\n${String(user.content)}` }, ...others];
}
