/** Where a conversation stands. A rehearsed model remembers nothing: all it knows is in the request. */
import type { ChatMessage, ModelRequest, ToolCall } from "../core/ports.ts";
import type { Heard } from "./scene.ts";

/** One answer of the model, and what its calls answered. */
export interface Exchange {
  text: string;
  calls: ToolCall[];
  heard: Heard[];
}

export interface Place {
  number: number;
  total: number;
  title: string;
  opening: string;
  exchanges: Exchange[];
  offered: ReadonlySet<string>;
}

const OPENING = /^Instruction (\d+) of (\d+): (.*)$/m;

/** Undefined where no message opens an instruction. */
export function placeOf(request: ModelRequest): Place | undefined {
  const at = request.messages.findLastIndex((message) => message.role === "user" && OPENING.test(message.content));
  const opening = request.messages[at]?.content ?? "";
  const found = OPENING.exec(opening);
  if (!found) return undefined;
  return {
    number: Number(found[1]),
    total: Number(found[2]),
    title: (found[3] ?? "").trim(),
    opening,
    exchanges: exchangesOf(request.messages.slice(at + 1)),
    offered: new Set(request.tools.map((tool) => tool.name)),
  };
}

function exchangesOf(messages: ChatMessage[]): Exchange[] {
  const exchanges: Exchange[] = [];
  for (const message of messages) {
    if (message.role === "assistant") {
      exchanges.push({ text: message.content, calls: message.toolCalls ?? [], heard: [] });
    } else if (message.role === "tool") {
      exchanges.at(-1)?.heard.push({ tool: message.name, text: message.content });
    }
  }
  return exchanges;
}
