/** What can go wrong with a model server, to be injected by the number of the request. */
import type { Completion } from "./scripted-completion.ts";

export type Fault =
  | { do: "reply"; status: number; headers?: Record<string, string>; body: unknown }
  | { do: "close"; when: "before" | "within" }
  | { do: "change"; change: (completion: Completion) => Completion }
  | { do: "hold"; until: Promise<unknown> };

/** Any reply at all; a string is sent as it is, anything else as JSON. */
export const reply = (status: number, body: unknown, headers: Record<string, string> = {}): Fault => ({
  do: "reply",
  status,
  body,
  headers,
});

export const refusal = (
  status: number,
  error: { message: string; type?: string; code?: string | null; param?: string | null },
): Fault => reply(status, { error });

export const rateLimited = (headers: Record<string, string> = { "retry-after": "1" }): Fault =>
  reply(
    429,
    { error: { message: "Rate limit reached for requests.", type: "requests", code: "rate_limit_exceeded" } },
    headers,
  );

export const outOfQuota = (): Fault =>
  refusal(429, {
    message: "You exceeded your current quota, please check your plan and billing details.",
    type: "insufficient_quota",
    code: "insufficient_quota",
  });

export const serverError = (status = 500): Fault =>
  refusal(status, { message: "The server had an error while processing your request.", type: "server_error" });

export const contextExceeded = (): Fault =>
  refusal(400, {
    message: "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
    type: "invalid_request_error",
    code: "context_length_exceeded",
    param: "messages",
  });

export const rubbish = (body = "<html>it works!</html>"): Fault => reply(200, body);
export const closedBefore = (): Fault => ({ do: "close", when: "before" });
export const closedWithin = (): Fault => ({ do: "close", when: "within" });
/** A slow answer: nothing comes before it is released. */
export const held = (until: Promise<unknown>): Fault => ({ do: "hold", until });

const changed = (change: (choice: Completion["choices"][number]) => Completion["choices"][number]): Fault => ({
  do: "change",
  change: (completion) => ({ ...completion, choices: completion.choices.map(change) }),
});

const half = (text: string): string => text.slice(0, Math.floor(text.length / 2));

/** The output limit ends the answer in the middle: of the text, or of each call's arguments. */
export const cutOff = (): Fault =>
  changed(({ index, message }) => ({
    index,
    finish_reason: "length",
    message: {
      ...message,
      content: message.content === null ? null : half(message.content),
      ...(message.tool_calls ? { tool_calls: message.tool_calls.map(halved) } : {}),
    },
  }));

type Call = NonNullable<Completion["choices"][number]["message"]["tool_calls"]>[number];
const halved = (call: Call): Call => ({
  ...call,
  function: { name: call.function.name, arguments: half(call.function.arguments) },
});

/** Arguments that are not JSON, although the server says that all is well. */
export const cutArguments = (): Fault =>
  changed((choice) => ({
    ...choice,
    message: {
      ...choice.message,
      ...(choice.message.tool_calls ? { tool_calls: choice.message.tool_calls.map(halved) } : {}),
    },
  }));

export const prose = (text = "I have thought about it and believe that all is done."): Fault =>
  changed(({ index }) => ({ index, finish_reason: "stop", message: { role: "assistant", content: text } }));

export const unknownTool = (name = "make_coffee"): Fault =>
  changed((choice) => ({
    ...choice,
    message: {
      ...choice.message,
      content: choice.message.content?.replace(/"tool":"[^"]*"/, `"tool":"${name}"`) ?? null,
      ...(choice.message.tool_calls
        ? { tool_calls: choice.message.tool_calls.map((call) => ({ ...call, function: { ...call.function, name } })) }
        : {}),
    },
  }));

/** Another call than the script's, as a model makes that has lost its way. */
export const callOf = (name: string, args: object): Fault =>
  changed((choice) => ({
    ...choice,
    message: {
      ...choice.message,
      content: choice.message.tool_calls ? null : JSON.stringify({ thoughts: "", tool: name, arguments: args }),
      ...(choice.message.tool_calls
        ? {
            tool_calls: [
              { id: "call_lost", type: "function" as const, function: { name, arguments: JSON.stringify(args) } },
            ],
          }
        : {}),
    },
  }));
