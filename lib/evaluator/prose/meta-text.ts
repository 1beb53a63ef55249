/** Text of the author for the client, which no reader should see. Pure. */

import type { ProseFile } from "../../core/prose/book-text.ts";
import { TOOL_NAMES } from "../../core/turn/tools.ts";
import type { Finding } from "../../core/verdict/verdict.ts";

interface Sign {
  pattern: RegExp;
  message: string;
  /** A figure of the book may say it. */
  maybeSaid?: true;
}

const SIGNS: Sign[] = [
  {
    pattern: /\bas an? (?:large |AI )+language model\b|\bas an AI (?:model|assistant)\b/i,
    message: "a language model speaks of itself",
    maybeSaid: true,
  },
  {
    pattern:
      /^\W*(?:sure|certainly|of course|absolutely|great|okay)\b[^.\n]{0,20}[,!.:] ?(?:here(?:['’]s| is| are)|I(?:['’]ll| will| can)(?: now)? (?:write|continue|revise|rewrite)) (?:the|your|this|a|an)\b[^.\n]{0,40}\b(?:chapter|scene|text|draft|version|passage|continuation|rewrite)\b/i,
    message: "an answer to an order",
  },
  {
    pattern:
      /^\W*(?:here(?:['’]s| is| are)|below is|the following is) (?:the|your|a|an|my) (?:(?:next|first|second|third|last|final|revised|updated|rewritten|complete|completed|full|expanded|requested|new) )*(?:chapter|scene|draft|continuation|rewrite|manuscript|version)\b[^.\n]{0,60}:\W*$/i,
    message: "an announcement of the text",
  },
  {
    pattern:
      /\[\s*(?:to be )?continue(?:d|s)?\b[^\][\n]{0,60}\](?![([])|\[\s*(?:the )?(?:chapter|scene|story|text) continues\b[^\][\n]{0,60}\]/i,
    message: "a mark that the text goes on elsewhere",
  },
  {
    pattern:
      /\b(?:to be continued|(?:I|we)(?:['’]ll| will) continue|continued|continues?) in (?:the|my|our) next (?:response|message|answer|turn|reply|instruction|tool call)\b/i,
    message: "a mark that the text goes on elsewhere",
    maybeSaid: true,
  },
  {
    pattern: /^\W*(?:total |final |approximate )?word[- ]count\W{0,6}(?:about |approx\w*\.? |~ ?)?\d/i,
    message: "a count of words",
  },
  {
    pattern: /^\W*\(?(?:about|approx\.?|approximately|~|≈)? ?\d[\d,]* words?(?: in total| so far)?\)?\W*$/i,
    message: "a count of words",
  },
  {
    pattern:
      /\bin this instruction,? (?:I|we)\b|\b(?:this|the (?:current|next|previous)) instruction (?:asks?|asked|says|requires|required) (?:for|to|me|us|that)\b|\bas (?:instructed|requested) (?:by|in) the (?:user|prompt|instructions?)\b/i,
    message: "the order itself is spoken of",
    maybeSaid: true,
  },
  {
    pattern:
      /<\/?(?:tool_calls?|function_calls?|tool_use|invoke|parameter|think(?:ing)?)(?:\s[^<>]{0,80})?>|<\|[a-z_]{2,20}\|>|\[\/?INST\]|^\s*\{\s*"(?:tool|name|function|thoughts)"\s*:\s*"/,
    message: "the syntax of a tool call",
  },
  {
    pattern: new RegExp(`\\b(?:${TOOL_NAMES.join("|")})\\b`),
    message: "the name of a tool",
  },
  {
    pattern:
      /\[(?:TODO|TBD|TK|FIXME|PLACEHOLDER)\b[^\][\n]{0,80}\]|\[(?:INSERT|YOUR|ADD) [^\][\n]{1,80}\]|\[(?:[Ii]nsert|[Pp]laceholder|[Yy]our|[Aa]dd) [^\][\n]{1,80}\](?![([])|^\W*(?:TODO|FIXME|TBD)\b:?|\b[Ll]orem ipsum dolor\b/,
    message: "something that is still to be filled in",
  },
  {
    pattern:
      /^\W*(?:the )?(?:rest|remainder) of (?:the|this) (?:chapter|scene|section|text|story|file)(?: is| remains| stays| continues)? (?:unchanged|omitted|as before|the same|here)\b/i,
    message: "a mark that text was left out",
  },
];

const FINDINGS_OF_A_FILE = 10;
const SHOWN = 60;
/** A line beyond this is looked at as far as it goes. */
const LINE_CHARS = 20_000;

export function metaText({ path, lines }: ProseFile): Finding[] {
  const findings: Finding[] = [];
  for (const { number, text, kind } of lines) {
    if (kind === "code" || findings.length >= FINDINGS_OF_A_FILE) continue;
    const found = signIn(text.slice(0, LINE_CHARS).replace(/`[^`]*`/g, (code) => " ".repeat(code.length)));
    if (found) findings.push({ path, line: number, column: found.column, message: found.message, rule: "meta" });
  }
  return findings;
}

function signIn(text: string): { column: number; message: string } | undefined {
  for (const { pattern, message, maybeSaid } of SIGNS) {
    const match = pattern.exec(text);
    if (!match || (maybeSaid && isSaid(text, match.index))) continue;
    return {
      column: match.index + 1,
      message: `${message}, which no reader should see: "${match[0].trim().slice(0, SHOWN)}"`,
    };
  }
  return undefined;
}

/** Between quotation marks. */
function isSaid(text: string, at: number): boolean {
  const before = text.slice(0, at);
  const straight = before.split('"').length - 1;
  return (
    straight % 2 === 1 ||
    before.lastIndexOf("“") > before.lastIndexOf("”") ||
    before.lastIndexOf("«") > before.lastIndexOf("»")
  );
}
