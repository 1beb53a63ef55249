/** The conversation of an instruction, rebuilt from the journal before every call. Pure: same journal, same bytes. */
import type { ChatMessage } from "../ports.ts";
import { dropStale } from "./stale.ts";
import type { AnswerBody, ToolResult, TurnInputs } from "./turn.ts";

/** One turn as the model sees it. Without an answer it is only what the machine has to say (a time-out, say). */
export interface Exchange {
  turn: number;
  answer?: AnswerBody["answer"] | undefined;
  results: ToolResult[];
  correction: string;
}

export interface Conversation {
  system: string;
  opening: string;
  exchanges: Exchange[];
}

/** `left` comes last, so that all before it is the same prefix in the next request. */
export const messagesOf = (conversation: Conversation, elision: TurnInputs["elision"], left: string): ChatMessage[] =>
  withLast(lastingMessages(conversation, elision), left);

/** Those that the next request has too, but for what is dropped then. */
export function lastingMessages(conversation: Conversation, elision: TurnInputs["elision"]): ChatMessage[] {
  const messages: ChatMessage[] = [
    { role: "system", content: conversation.system },
    { role: "user", content: conversation.opening },
    ...dropStale(conversation.exchanges.map(withMendedCalls), elision).flatMap(messagesOfExchange),
  ];
  return mergeUsers(messages);
}

/** The model sees its calls in the form that was taken: it repeats what it sees, and servers refuse what is no JSON. */
function withMendedCalls(exchange: Exchange): Exchange {
  const { answer, results } = exchange;
  const mended = new Map(results.flatMap(({ callId, mended }) => (mended === undefined ? [] : [[callId, mended]])));
  if (!answer || mended.size === 0) return exchange;
  const toolCalls = answer.toolCalls.map((call) => ({ ...call, arguments: mended.get(call.id) ?? call.arguments }));
  return { ...exchange, answer: { ...answer, toolCalls } };
}

function messagesOfExchange({ answer, results, correction }: Exchange): ChatMessage[] {
  const messages: ChatMessage[] = [];
  if (answer) messages.push(assistant(answer));
  for (const result of results) {
    messages.push({ role: "tool", content: result.text, toolCallId: result.callId, name: result.tool });
  }
  if (correction) messages.push({ role: "user", content: correction });
  return messages;
}

function assistant(answer: AnswerBody["answer"]): ChatMessage {
  const continuation = answer.continuation ? { continuation: answer.continuation } : {};
  if (answer.toolCalls.length > 0) {
    return { role: "assistant", content: answer.text, toolCalls: answer.toolCalls, ...continuation };
  }
  // Some servers refuse an assistant message without any content.
  return { role: "assistant", content: answer.text || "(no answer)", ...continuation };
}

/** Some chat templates demand that roles alternate. */
function mergeUsers(messages: ChatMessage[]): ChatMessage[] {
  const merged: ChatMessage[] = [];
  for (const message of messages) {
    const before = merged.at(-1);
    if (message.role === "user" && before?.role === "user") {
      merged[merged.length - 1] = { role: "user", content: `${before.content}\n\n${message.content}` };
    } else merged.push(message);
  }
  return merged;
}

function withLast(messages: ChatMessage[], text: string): ChatMessage[] {
  const last = messages.at(-1);
  if (!last || last.role === "assistant") return [...messages, { role: "user", content: text }];
  return [...messages.slice(0, -1), { ...last, content: `${last.content}\n\n${text}` }];
}
