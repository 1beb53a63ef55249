/** A request in the form that a server takes. Pure: the same request and form give the same bytes. */
import type {
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import type { ChatMessage, ModelRequest } from "../core/ports.ts";
import { callArguments } from "./call-arguments.ts";
import { constrain } from "./constrained.ts";
import type { Form } from "./form.ts";

export type RequestBody = ChatCompletionCreateParamsNonStreaming;

/** Messages come before all that may change, so that the prefix of the next turn's body is this turn's. */
export function bodyOf(model: string, request: ModelRequest, form: Form): RequestBody {
  const { temperature, seed, maxOutputTokens } = request;
  return {
    model,
    ...(form.convention === "native" ? native(request, form) : constrained(request, form, form.convention)),
    [form.outputLimit]: Math.min(maxOutputTokens, form.outputCap),
    ...(form.temperature && temperature !== undefined ? { temperature } : {}),
    ...(form.seed && seed !== undefined ? { seed } : {}),
  };
}

type Spoken = Pick<RequestBody, "messages"> & Partial<RequestBody>;

function native({ messages, tools }: ModelRequest, form: Form): Spoken {
  const spoken = folded(messages.map(messageParam), form.systemRole);
  if (tools.length === 0) return { messages: spoken };
  return {
    messages: spoken,
    tools: tools.map(({ name, description, parameters }) => ({
      type: "function",
      function: { name, description, parameters },
    })),
    ...(form.requiredToolChoice ? { tool_choice: "required" } : {}),
    ...(form.parallelToolCalls ? { parallel_tool_calls: true } : {}),
  };
}

function constrained(request: ModelRequest, form: Form, convention: "schema" | "json"): Spoken {
  const { messages, responseFormat } = constrain(request, convention);
  return {
    messages: folded(messages, form.systemRole),
    ...(responseFormat && form.responseFormat ? { response_format: responseFormat } : {}),
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

/** For chat templates that know no system message: the user says it first. */
function folded(messages: ChatCompletionMessageParam[], systemRole: boolean): ChatCompletionMessageParam[] {
  const [system, user, ...others] = messages;
  if (systemRole || system?.role !== "system") return messages;
  if (user?.role !== "user") return [{ role: "user", content: String(system.content) }, ...messages.slice(1)];
  return [{ role: "user", content: `${String(system.content)}\n\n${String(user.content)}` }, ...others];
}
