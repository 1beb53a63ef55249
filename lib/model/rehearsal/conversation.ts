/** The state of a conversation, read from its request: the rehearsal player keeps no state of its own. Pure. */
import type { ChatMessage, ModelRequest, ToolCall } from "../../core/ports.ts";
import type { ToolAnswer } from "./scene.ts";

/** One answer of the model, and what its calls answered. */
export interface Exchange {
  text: string;
  calls: ToolCall[];
  answers: ToolAnswer[];
}

export interface Conversation {
  number: number;
  /** NaN in a program whose steps are not known before. */
  total: number;
  title: string;
  opening: string;
  exchanges: Exchange[];
  offered: ReadonlySet<string>;
}

const OPENING = /^Instruction (\d+) of (\d+|an open number): (.*)$/m;

/** Smaller instructions are asked for, in place of one that is stuck. */
export const isSplitting = ({ messages }: ModelRequest): boolean =>
  messages.some(({ role, content }) => role === "user" && content.startsWith("Splitting instruction "));

/** Undefined if no message opens an instruction. */
export function conversationOf(request: ModelRequest): Conversation | undefined {
  const at = request.messages.findLastIndex((message) => message.role === "user" && OPENING.test(message.content));
  const opening = request.messages[at]?.content ?? "";
  const match = OPENING.exec(opening);
  if (!match) return undefined;
  return {
    number: Number(match[1]),
    total: Number(match[2]),
    title: (match[3] ?? "").trim(),
    opening,
    exchanges: exchangesOf(request.messages.slice(at + 1)),
    offered: new Set(request.tools.map((tool) => tool.name)),
  };
}

function exchangesOf(messages: ChatMessage[]): Exchange[] {
  const exchanges: Exchange[] = [];
  for (const message of messages) {
    if (message.role === "assistant") {
      exchanges.push({ text: message.content, calls: message.toolCalls ?? [], answers: [] });
    } else if (message.role === "tool") {
      exchanges.at(-1)?.answers.push({ tool: message.name, text: message.content });
    }
  }
  return exchanges;
}
