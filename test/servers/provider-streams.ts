/** Answers as the providers document their streams, made of whole answers. Not recordings. */
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
export function chatStream(message: { content: string; tool_calls?: Body[] }, end: Body): string {
  const chunk = (delta: Body, more: Body = {}): string =>
    unnamed({
      id: "chatcmpl-123",
      object: "chat.completion.chunk",
      model: "gpt-4o-mini",
      choices: [{ index: 0, delta }],
      ...more,
    });
  const calls = (message.tool_calls ?? []).flatMap((call, index) => {
    const { name, arguments: args } = call.function as { name: string; arguments: string };
    const [first = "", ...rest] = halves(args);
    return [
      chunk({ tool_calls: [{ index, id: call.id, type: "function", function: { name, arguments: first } }] }),
      ...rest.map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ];
  });
  return [
    chunk({ role: "assistant", content: "" }),
    ...halves(message.content).map((content) => chunk({ content })),
    ...calls,
    unnamed({ id: "chatcmpl-123", choices: [{ index: 0, delta: {}, finish_reason: end.finish_reason }] }),
    ...(end.usage ? [unnamed({ id: "chatcmpl-123", choices: [], usage: end.usage })] : []),
    "data: [DONE]\n\n",
  ].join("");
}

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
