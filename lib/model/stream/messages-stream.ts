/** Streams of the Messages API: blocks that are begun, added to and ended. Pure. */
import { isObject, type JsonObject, parseObject } from "../loose-json.ts";
import { type AnswerSize, type Assembly, createPieces, type Pieces } from "./assembly.ts";

interface OpenBlock {
  block: JsonObject;
  text: Pieces;
  thinking: Pieces;
  signature: Pieces;
  input: Pieces;
}

export function assembleMessage(): Assembly {
  let message: JsonObject | undefined;
  let error: JsonObject | undefined;
  let isEnded = false;
  const size: AnswerSize = { characters: 0, bytes: 0, blocks: 0 };
  const blocks = new Map<unknown, OpenBlock>();
  const rules: Record<string, (event: JsonObject) => void> = {
    message_start: (event) => {
      if (isObject(event.message)) message = event.message;
    },
    content_block_start: ({ index, content_block: block }) => {
      if (isObject(block)) blocks.set(index, openBlock(block, size));
      size.blocks = blocks.size;
    },
    content_block_delta: ({ index, delta }) => {
      const open = blocks.get(index);
      if (!open || !isObject(delta)) return;
      open.text.add(delta.text);
      open.thinking.add(delta.thinking);
      open.signature.add(delta.signature);
      open.input.add(delta.partial_json);
    },
    message_delta: ({ delta, usage }) => {
      message = {
        ...message,
        ...(isObject(delta) ? delta : {}),
        usage: { ...(isObject(message?.usage) ? message.usage : {}), ...(isObject(usage) ? usage : {}) },
      };
    },
    message_stop: () => {
      isEnded = true;
    },
    error: (event) => {
      error = isObject(event.error) ? event.error : event;
    },
  };
  return {
    add({ type, data }) {
      const event = parseObject(data);
      if (event) rules[typeof event.type === "string" ? event.type : type]?.(event);
    },
    isComplete: () => isEnded || error !== undefined || typeof message?.stop_reason === "string",
    body() {
      if (error) return { error };
      return message && { ...message, content: [...blocks.values()].map(closedBlock) };
    },
    received: () =>
      [...blocks.values()]
        .map(({ text, thinking, input }) => text.text() || thinking.text() || input.text())
        .join("\n")
        .trim(),
    size,
  };
}

function openBlock(block: JsonObject, size: AnswerSize): OpenBlock {
  const open = {
    block,
    text: createPieces(size),
    thinking: createPieces(size),
    signature: createPieces(),
    input: createPieces(size),
  };
  open.text.add(block.text);
  open.thinking.add(block.thinking);
  open.signature.add(block.signature);
  return open;
}

/** Arguments that are no JSON stay a text: the tool refuses them in words. */
function closedBlock({ block, text, thinking, signature, input }: OpenBlock): JsonObject {
  const written = input.text();
  if (block.type === "tool_use") return written === "" ? block : { ...block, input: parseObject(written) ?? written };
  if (block.type === "thinking") return { ...block, thinking: thinking.text(), signature: signature.text() };
  return block.type === "text" ? { ...block, text: text.text() } : block;
}
