/** Where two requests to a model first differ, in words and with the lines around it. Pure. */
import type { ChatMessage, ToolSpec } from "../ports.ts";
import { cutLine } from "../text/cut.ts";
import { sanitize } from "../text/sanitize.ts";

export interface ModelCall {
  messages: ChatMessage[];
  tools: ToolSpec[];
}

export interface FirstDifference {
  what: string;
  /** As of `diff`: what was asked begins with `-`, what is asked now with `+`. */
  excerpt: string;
}

/** What changes tools changes every request, so they come first. */
export function firstDifference(was: ModelCall, now: ModelCall): FirstDifference | undefined {
  return toolDifference(was.tools, now.tools) ?? messageDifference(was.messages, now.messages);
}

function toolDifference(was: ToolSpec[], now: ToolSpec[]): FirstDifference | undefined {
  for (let at = 0; at < Math.max(was.length, now.length); at += 1) {
    const [old, fresh] = [toolText(was[at]), toolText(now[at])];
    const name = was[at]?.name ?? now[at]?.name ?? "";
    if (old !== fresh) return { what: `the tool ${name} differs`, excerpt: excerptOf(old, fresh) };
  }
  return undefined;
}

const toolText = (tool: ToolSpec | undefined): string =>
  tool ? `${tool.name}: ${tool.description}\n${JSON.stringify(tool.parameters, undefined, 1)}` : "";

function messageDifference(was: ChatMessage[], now: ChatMessage[]): FirstDifference | undefined {
  for (let at = 0; at < Math.max(was.length, now.length); at += 1) {
    const [old, fresh] = [messageText(was[at]), messageText(now[at])];
    const { role = "" } = was[at] ?? now[at] ?? {};
    if (old !== fresh) return { what: `message ${at + 1} (${role}) differs`, excerpt: excerptOf(old, fresh) };
  }
  return undefined;
}

function messageText(message: ChatMessage | undefined): string {
  if (!message) return "";
  const calls = message.role === "assistant" ? (message.toolCalls ?? []) : [];
  return [message.content, ...calls.map(({ name, arguments: args }) => `→ ${name} ${args}`)].join("\n");
}

const BEFORE = 2;
const CHANGED = 6;
const LINE_CHARS = 160;

function excerptOf(was: string, now: string): string {
  const [old, fresh] = [was.split("\n"), now.split("\n")];
  let from = 0;
  while (from < old.length && from < fresh.length && old[from] === fresh[from]) from += 1;
  let same = 0;
  while (same < Math.min(old.length, fresh.length) - from && old.at(-1 - same) === fresh.at(-1 - same)) same += 1;
  const changed = (lines: string[]): string[] => lines.slice(from, Math.min(lines.length - same, from + CHANGED));
  return [
    ...old.slice(Math.max(0, from - BEFORE), from).map((line) => shown(" ", line)),
    ...changed(old).map((line) => shown("-", line)),
    ...changed(fresh).map((line) => shown("+", line)),
  ].join("\n");
}

const shown = (mark: string, line: string): string => `${mark} ${cutLine(sanitize(line), LINE_CHARS)}`.trimEnd();
