/** Python as logical lines, each with its indent and the blocks around it. Pure. */
import type { Token } from "./lex.ts";

export interface LogicalLine {
  tokens: Token[];
  indent: number;
  line: number;
  lastLine: number;
  /** The lines that open the blocks around it, outer first. */
  within: LogicalLine[];
}

const DEEPER: Record<string, number> = { "(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1 };

export function logicalLines(tokens: Token[]): LogicalLine[] {
  const lines: LogicalLine[] = [];
  let open: LogicalLine[] = [];
  let current: Token[] = [];
  let depth = 0;
  const end = (): void => {
    const [first] = current;
    if (first) {
      open = open.filter(({ indent }) => indent < first.column);
      const last = current.at(-1) ?? first;
      const lastLine = last.line + last.text.split("\n").length - 1;
      const made = { tokens: current, indent: first.column, line: first.line, lastLine, within: open };
      lines.push(made);
      if (last.text === ":") open = [...open, made];
    }
    current = [];
  };
  for (const token of tokens) {
    if (token.kind === "comment") continue;
    if (token.first && depth === 0) end();
    current.push(token);
    depth = Math.max(0, depth + (token.kind === "mark" ? (DEEPER[token.text] ?? 0) : 0));
  }
  end();
  return lines;
}

export const textOf = (tokens: Token[]): string => tokens.map(({ text }) => text).join(" ");

/** Where the header of a compound statement ends: its colon outside of brackets. */
export function headerEnd(tokens: Token[]): number {
  let depth = 0;
  return tokens.findIndex(({ kind, text }) => {
    if (kind !== "mark") return false;
    depth += DEEPER[text] ?? 0;
    return depth === 0 && text === ":";
  });
}
