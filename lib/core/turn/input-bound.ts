/** The most tokens that a request can have: as many as the last one was counted at, and one for each byte since. Pure. */
import type { ChatMessage } from "../ports.ts";
import { bytesOf } from "./estimate.ts";

/** An earlier request of the conversation, without what was only in its last message, and what the server counted. */
export interface CountedRequest {
  messages: ChatMessage[];
  inputTokens: number;
}

/** For what a server puts around the messages and the tools; the JSON that is counted here has more of it. */
const TEMPLATE_TOKENS = 256;

/** No tokenizer makes more tokens of a text than it has bytes. The tools are the same in all of a conversation. */
export function boundTokens(
  { messages, bytes }: { messages: ChatMessage[]; bytes: number },
  counted: CountedRequest | undefined,
): number {
  const byBytes = bytes + TEMPLATE_TOKENS;
  if (!counted) return byBytes;
  const added = newMessages(messages, counted).reduce((sum, message) => sum + bytesOf(message), 0);
  return Math.min(byBytes, counted.inputTokens + added + TEMPLATE_TOKENS);
}

/** Those that the counted request did not have, each as often as it had them. */
export function newMessages(messages: ChatMessage[], counted: CountedRequest): ChatMessage[] {
  const known = new Map<string, number>();
  for (const text of counted.messages.map((message) => JSON.stringify(message))) {
    known.set(text, (known.get(text) ?? 0) + 1);
  }
  return messages.filter((message) => {
    const text = JSON.stringify(message);
    const left = known.get(text) ?? 0;
    if (left > 0) known.set(text, left - 1);
    return left === 0;
  });
}
