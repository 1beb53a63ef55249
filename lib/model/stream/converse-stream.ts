/** Streams of Bedrock's Converse API: blocks that are begun and added to, then how it ended and what it used. Pure. */
import { isObject, type JsonObject, parseObject } from "../loose-json.ts";
import { type AnswerSize, type Assembly, createPieces, type Pieces } from "./assembly.ts";

interface OpenBlock {
  toolUse: JsonObject | undefined;
  text: Pieces;
  input: Pieces;
  thoughts: Pieces;
  signature: Pieces;
  redacted: Pieces;
}

export function assembleConverse(): Assembly {
  const size: AnswerSize = { characters: 0, bytes: 0, blocks: 0 };
  const blocks = new Map<unknown, OpenBlock>();
  let end: JsonObject = {};
  let error: JsonObject | undefined;
  const blockAt = (index: unknown): OpenBlock => {
    const block = blocks.get(index) ?? openBlock(size);
    blocks.set(index, block);
    size.blocks = blocks.size;
    return block;
  };
  const rules: Record<string, (event: JsonObject) => void> = {
    contentBlockStart: ({ contentBlockIndex, start }) => {
      const block = blockAt(contentBlockIndex);
      if (isObject(start) && isObject(start.toolUse)) block.toolUse = start.toolUse;
    },
    contentBlockDelta: ({ contentBlockIndex, delta }) => {
      if (isObject(delta)) addTo(blockAt(contentBlockIndex), delta);
    },
    messageStop: ({ stopReason }) => {
      end = { ...end, stopReason };
    },
    metadata: ({ usage }) => {
      end = { ...end, usage };
    },
    error: (event) => {
      error = isObject(event.error) ? event.error : event;
    },
  };
  return {
    add({ type, data }) {
      const event = parseObject(data);
      if (event) rules[type]?.(event);
    },
    isComplete: () => error !== undefined || typeof end.stopReason === "string",
    body() {
      if (error) return { error };
      if (blocks.size === 0 && end.stopReason === undefined) return undefined;
      const content = [...blocks.values()].map(closedBlock);
      return { output: { message: { role: "assistant", content } }, ...end };
    },
    received: () =>
      [...blocks.values()]
        .map(({ text, thoughts, input }) => text.text() || thoughts.text() || input.text())
        .join("\n")
        .trim(),
    size,
  };
}

const openBlock = (size: AnswerSize): OpenBlock => ({
  toolUse: undefined,
  text: createPieces(size),
  input: createPieces(size),
  thoughts: createPieces(size),
  signature: createPieces(),
  redacted: createPieces(),
});

function addTo(block: OpenBlock, { text, toolUse, reasoningContent }: JsonObject): void {
  block.text.add(text);
  if (isObject(toolUse)) block.input.add(toolUse.input);
  if (!isObject(reasoningContent)) return;
  block.thoughts.add(reasoningContent.text);
  block.signature.add(reasoningContent.signature);
  block.redacted.add(reasoningContent.redactedContent);
}

/** Arguments that are no JSON stay a text: the tool refuses them in words. */
function closedBlock({ toolUse, text, input, thoughts, signature, redacted }: OpenBlock): JsonObject {
  const written = input.text();
  if (toolUse) return { toolUse: { ...toolUse, input: written === "" ? {} : (parseObject(written) ?? written) } };
  if (redacted.text() !== "") return { reasoningContent: { redactedContent: redacted.text() } };
  if (thoughts.text() === "" && signature.text() === "") return { text: text.text() };
  const signed = signature.text() === "" ? {} : { signature: signature.text() };
  return { reasoningContent: { reasoningText: { text: thoughts.text(), ...signed } } };
}
