/** What a model was shown, block by block: messages, and the sections of long ones. Pure. */
import type { ChatMessage } from "../../core/ports.ts";
import type { ModelCall } from "../../core/turn/first-difference.ts";
import { jsonLines } from "./text-lines.ts";

export interface PromptBlock {
  title: string;
  text: string;
}

/** `left`: what ends the last message, added to each request. */
export function promptBlocks({ messages, tools }: ModelCall, left: string): PromptBlock[] {
  const blocks = messages.flatMap((message, index): PromptBlock[] => {
    const isLast = index === messages.length - 1 && left !== "" && message.content.endsWith(left);
    if (!isLast) return messageBlocks(message, index);
    const content = message.content.slice(0, -left.length).trimEnd();
    return [...messageBlocks({ ...message, content }, index), { title: "what is left", text: left }];
  });
  return [...blocks, { title: "tools", text: tools.map(({ name }) => name).join(", ") }];
}

function messageBlocks(message: ChatMessage, index: number): PromptBlock[] {
  const { content } = message;
  if (message.role === "tool") return [{ title: `result of ${message.name}`, text: content }];
  if (message.role === "assistant") return [{ title: "earlier answer", text: answerText(message) }];
  if (message.role === "system" || index <= 1) return sectionsOf(message.role, content);
  return content === "" ? [] : [{ title: "correction", text: content }];
}

const answerText = ({ content, toolCalls = [] }: Extract<ChatMessage, { role: "assistant" }>): string =>
  [
    ...(content === "" ? [] : [content]),
    ...toolCalls.flatMap(({ name, arguments: given }) => [`→ ${name}`, ...jsonLines(given).map((line) => `  ${line}`)]),
  ].join("\n");

/** At its headings of the first level, code blocks aside. */
function sectionsOf(role: string, content: string): PromptBlock[] {
  const sections: { heading: string; lines: string[] }[] = [{ heading: "", lines: [] }];
  let isCode = false;
  for (const line of content.split("\n")) {
    if (line.startsWith("```")) isCode = !isCode;
    if (!isCode && line.startsWith("# ")) sections.push({ heading: line.slice(2).trim(), lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections.flatMap(({ heading, lines }) => {
    const text = lines.join("\n").trim();
    const title = heading === "" ? role : `${role}: ${heading}`;
    return heading === "" && text === "" ? [] : [{ title, text }];
  });
}
