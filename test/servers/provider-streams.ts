/** Answers as the providers document their streams, made of whole answers. Not recordings. */
import { EventStreamCodec } from "@smithy/core/event-streams";
import type { JsonReply } from "./json-server.ts";

type Body = Record<string, unknown>;

const named = (type: string, fields: Body = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
const unnamed = (data: Body): string => `data: ${JSON.stringify(data)}\n\n`;

export const streamReply = (body: string): JsonReply => ({
  headers: { "content-type": "text/event-stream; charset=utf-8" },
  body,
});

const halves = (text: string): string[] => [
  text.slice(0, Math.ceil(text.length / 2)),
  text.slice(Math.ceil(text.length / 2)),
];

/** https://platform.openai.com/docs/api-reference/chat/streaming */
export function chatStream(message: ChatMessage, end: Body, head: Body = CHAT): string {
  const chunk = (fields: Body): string => unnamed({ ...head, object: "chat.completion.chunk", ...fields });
  const delta = (said: Body, reason: unknown = null): string =>
    chunk({ choices: [{ index: 0, delta: said, finish_reason: reason }] });
  const calls = (message.tool_calls ?? []).flatMap(({ id, function: { name, arguments: args } }, index) => {
    const [first = "", ...rest] = halves(args);
    return [
      delta({ tool_calls: [{ index, id, type: "function", function: { name, arguments: first } }] }),
      ...rest.map((piece) => delta({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ];
  });
  return [
    delta({ role: "assistant", content: "" }),
    ...halves(message.content).map((content) => delta({ content })),
    ...calls,
    delta({}, end.finish_reason),
    ...(end.usage ? [chunk({ choices: [], usage: end.usage })] : []),
    "data: [DONE]\n\n",
  ].join("");
}

interface ChatMessage {
  content: string;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
}
const CHAT = { id: "chatcmpl-123", model: "gpt-4o-mini" };

/** https://platform.openai.com/docs/api-reference/responses-streaming */
export const responsesStream = (answer: { output: Body[] } & Body): string =>
  [
    named("response.created", { response: { ...answer, status: "in_progress", output: [] } }),
    ...answer.output.flatMap((item, index) => [
      named("response.output_item.added", { output_index: index, item: { type: item.type, id: item.id } }),
      ...(typeof item.arguments === "string"
        ? halves(item.arguments).map((delta) =>
            named("response.function_call_arguments.delta", { output_index: index, delta }),
          )
        : []),
      ...(item.type === "message"
        ? [named("response.output_text.delta", { output_index: index, content_index: 0, delta: "Looking." })]
        : []),
      named("response.output_item.done", { output_index: index, item }),
    ]),
    named("response.completed", { response: answer }),
  ].join("");

/** https://platform.claude.com/docs/en/build-with-claude/streaming */
export function messagesStream(answer: { content: Body[]; usage: Body } & Body): string {
  const { content, stop_reason: reason, usage, ...message } = answer;
  const { output_tokens: written, ...read } = usage;
  const blocks = content.flatMap((block, index) => [
    named("content_block_start", { index, content_block: emptied(block) }),
    ...deltasOf(block).map((delta) => named("content_block_delta", { index, delta })),
    named("content_block_stop", { index }),
  ]);
  return [
    named("message_start", {
      message: { ...message, content: [], stop_reason: null, usage: { ...read, output_tokens: 1 } },
    }),
    named("ping"),
    ...blocks,
    named("message_delta", { delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: written } }),
    named("message_stop"),
  ].join("");
}

function emptied(block: Body): Body {
  if (block.type === "tool_use") return { ...block, input: {} };
  return block.type === "text" ? { type: "text", text: "" } : { type: "thinking", thinking: "", signature: "" };
}

function deltasOf({ type, text, thinking, signature, input }: Body): Body[] {
  if (type === "text") return halves(String(text)).map((piece) => ({ type: "text_delta", text: piece }));
  if (type === "tool_use")
    return ["", ...halves(JSON.stringify(input))].map((piece) => ({ type: "input_json_delta", partial_json: piece }));
  return [
    { type: "thinking_delta", thinking },
    { type: "signature_delta", signature },
  ];
}

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html */
export function converseStream(answer: { output: { message: { content: Body[] } } } & Body): [string, Body][] {
  return [
    ["messageStart", { role: "assistant" }],
    ...answer.output.message.content.flatMap((block, contentBlockIndex) => [
      ...converseStartOf(block).map((start): [string, Body] => ["contentBlockStart", { contentBlockIndex, start }]),
      ...converseDeltasOf(block).map((delta): [string, Body] => ["contentBlockDelta", { contentBlockIndex, delta }]),
      ["contentBlockStop", { contentBlockIndex }] as [string, Body],
    ]),
    ["messageStop", { stopReason: answer.stopReason }],
    ["metadata", { usage: answer.usage, metrics: { latencyMs: 740 } }],
  ];
}

function converseStartOf({ toolUse }: Body): Body[] {
  const { toolUseId, name } = (toolUse ?? {}) as Body;
  return toolUse ? [{ toolUse: { toolUseId, name } }] : [];
}

function converseDeltasOf({ text, toolUse, reasoningContent }: Body): Body[] {
  if (toolUse) return halves(JSON.stringify((toolUse as Body).input)).map((input) => ({ toolUse: { input } }));
  if (!reasoningContent) return halves(String(text)).map((piece) => ({ text: piece }));
  const { text: thought, signature } = (reasoningContent as { reasoningText: { text: string; signature: string } })
    .reasoningText;
  return [...halves(thought).map((piece) => ({ text: piece })), { signature }].map((piece) => ({
    reasoningContent: piece,
  }));
}

const utf8 = {
  encode: (text: string) => new TextEncoder().encode(text),
  decode: (bytes: Uint8Array | string) => (typeof bytes === "string" ? bytes : new TextDecoder().decode(bytes)),
};
const codec = new EventStreamCodec(utf8.decode, utf8.encode);

/** As the AWS SDK writes them. */
export const frames = (events: [type: string, body: Body][], kind = "event"): Uint8Array =>
  Buffer.concat(
    events.map(([type, body]) =>
      codec.encode({
        headers: {
          [`:${kind}-type`]: { type: "string", value: type },
          ":content-type": { type: "string", value: "application/json" },
          ":message-type": { type: "string", value: kind },
        },
        body: utf8.encode(JSON.stringify(body)),
      }),
    ),
  );
