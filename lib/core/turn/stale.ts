/** What may be dropped from a conversation that grows too long: first what went stale, then what can be read again. */
import type { ToolCall } from "../ports.ts";
import { byteLength } from "../text/file-text.ts";
import type { Exchange } from "./conversation.ts";
import type { ToolResult, TurnInputs } from "./turn.ts";

/** Below this a text costs less than the mark that would stand for it. */
const WORTH_DROPPING = 200;

/** `views`: before this turn, superseded views and old verdicts go. `contents`: all views and written contents too. */
export function dropStale(exchanges: Exchange[], elision: TurnInputs["elision"]): Exchange[] {
  if (elision.views === 0 && elision.contents === 0) return exchanges;
  const latest = latestOf(exchanges);
  return exchanges.map((exchange) => {
    const contents = exchange.turn < elision.contents;
    if (!contents && exchange.turn >= elision.views) return exchange;
    const results = exchange.results.map((result) => {
      const drop = contents ? result.about.kind !== "other" : isStale(result, exchange.turn, latest);
      return drop && result.text.length > WORTH_DROPPING ? { ...result, text: markOf(result) } : result;
    });
    const answer = exchange.answer && contents ? withoutContents(exchange.answer) : exchange.answer;
    return { ...exchange, answer, results };
  });
}

interface Latest {
  verdict: number;
  touched: Map<string, number>;
}

function latestOf(exchanges: Exchange[]): Latest {
  const latest: Latest = { verdict: 0, touched: new Map() };
  for (const { turn, results } of exchanges) {
    for (const { about } of results) {
      if (about.kind === "verdict") latest.verdict = turn;
      if (about.kind === "view" || about.kind === "write") {
        for (const path of about.paths) latest.touched.set(path, turn);
      }
    }
  }
  return latest;
}

function isStale({ about }: ToolResult, turn: number, latest: Latest): boolean {
  if (about.kind === "verdict") return turn < latest.verdict;
  if (about.kind === "view") return about.paths.every((path) => (latest.touched.get(path) ?? 0) > turn);
  return false;
}

function markOf({ about }: ToolResult): string {
  if (about.kind === "view") return `[an earlier view of ${about.paths.join(", ")}; read_files shows it as it is now]`;
  if (about.kind === "verdict") return "[an earlier verdict; run_checks gives the present one]";
  if (about.kind === "write") return `[wrote ${named(about.paths)}; read_files shows them as they are now]`;
  return "[done]";
}

const PATHS_NAMED = 10;

const named = (paths: string[]): string =>
  paths.length <= PATHS_NAMED
    ? paths.join(", ")
    : `${paths.slice(0, PATHS_NAMED).join(", ")} and ${paths.length - PATHS_NAMED} more`;

type Answer = NonNullable<Exchange["answer"]>;

const withoutContents = (answer: Answer): Answer => ({ ...answer, toolCalls: answer.toolCalls.map(shortened) });

function shortened(call: ToolCall): ToolCall {
  if (call.arguments.length <= WORTH_DROPPING) return call;
  try {
    return { ...call, arguments: JSON.stringify(JSON.parse(call.arguments), shortenLong) };
  } catch {
    return call;
  }
}

const BULKY = new Set(["content", "find", "replace", "stdin"]);

const shortenLong = (key: string, value: unknown): unknown =>
  BULKY.has(key) && typeof value === "string" && value.length > WORTH_DROPPING ? elided(byteLength(value)) : value;

/** What stays in a conversation where old contents were dropped. */
export const elided = (bytes: number): string => `[… ${bytes} bytes were written here; read_files shows them]`;

/** A model that copies the mark back would overwrite its file with it. */
export const looksElided = (text: string): boolean =>
  /^\[(?:…|\.\.\.) \d+ bytes were written here; read_files shows them\]$/.test(text.trim());
