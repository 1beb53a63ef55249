/** JSON: as strict as its readers are. Settings whose tools allow comments may have them; JSON lines are read line by line. */

import { messageOf } from "../../../core/errors.ts";
import { lex, type SourceShape } from "../../../core/text/lex.ts";
import type { CheckRequest, Language } from "../../language.ts";
import { javascript } from "../javascript/javascript.ts";
import { createDataLanguage, type Problem } from "./data-language.ts";
import { positionAt } from "./position-at.ts";
import { isTemplated } from "./templates.ts";

const OWN =
  /\.(?:json|jsonc|ipynb|jsonl|ndjson|webmanifest|geojson|code-workspace)$|(?:^|\/)\.(?:eslintrc|babelrc|swcrc|prettierrc)$/;
/** Written by tools, and large. */
const LOCK_FILE = /(?:^|\/)(?:package-lock|npm-shrinkwrap|composer\.lock|packages\.lock|deno\.lock)\.json$/;
/** Settings that their tools read with comments and commas at the end. */
const RELAXED =
  /\.(?:jsonc|code-workspace)$|(?:^|\/)\.vscode\/|(?:^|\/)(?:[tj]sconfig[^/]*|\.?devcontainer|\.eslintrc|\.babelrc|babel\.config|\.swcrc|biome|deno|tslint|turbo|nx|project|angular|cspell|api-extractor|typedoc|rush|wrangler|renovate|\.oxlintrc|\.jshintrc|appsettings[^/]*|launchSettings|language-configuration)(?:\.json)?$/;
/** May be YAML as well. */
const EITHER = /(?:^|\/)\.(?:prettierrc|eslintrc)$/;
const BY_LINE = /\.(?:jsonl|ndjson)$/;

export const json: Language = createDataLanguage({
  name: "JSON",
  rule: "json",
  owns: (path) => OWN.test(path) && !LOCK_FILE.test(path),
  problemsIn(text, path) {
    if (EITHER.test(path) && !/^\s*[[{/]/.test(text)) return [];
    if (BY_LINE.test(path)) return problemsByLine(text);
    const problem = problemOf(RELAXED.test(path) ? withoutComments(text) : text);
    return problem && !isTemplate(text) ? [problem] : [];
  },
  reportedElsewhere: (path, { tree, paths }: CheckRequest) =>
    path === "package.json" && [...tree.files, ...(paths ?? [])].some(javascript.owns),
});

/** Braces that open twice are no JSON, and mostly no template either: `{{"a": 1}}` is a mistake. */
const isTemplate = (text: string): boolean => isTemplated(text) && /\{%|<%|\{\{[-~]?\s*[\w.$#/(]|\$\{\w+\}/.test(text);

/** The position is in most of the parser's messages; of an unexpected token, it is found by parsing beginnings of the text. */
function problemOf(text: string): Problem | undefined {
  const message = errorOf(text);
  if (message === undefined) return undefined;
  const [said = ""] = message.split(/ (?:in JSON )?at position|, (?:\.\.\.)?"/);
  const stated = /at position (\d+)/.exec(message)?.[1];
  const offset = stated === undefined ? (isUnexpected(message) ? firstUnexpected(text) : text.length) : Number(stated);
  return { ...positionAt(text, offset), message: text.trim() === "" ? "the file is empty" : said };
}

function errorOf(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

const isUnexpected = (message = ""): boolean => message.startsWith("Unexpected token");

function firstUnexpected(text: string): number {
  let sound = 0;
  let broken = text.length;
  while (broken - sound > 1) {
    const middle = (sound + broken) >> 1;
    if (isUnexpected(errorOf(text.slice(0, middle)))) broken = middle;
    else sound = middle;
  }
  return sound;
}

const WITH_COMMENTS: SourceShape = { lineComments: ["//"], blockComments: [["/*", "*/"]], quotes: '"', longQuotes: [] };

/** Comments, and commas before a closing bracket, become spaces. */
function withoutComments(text: string): string {
  const tokens = lex(text, WITH_COMMENTS);
  const code = tokens.filter(({ kind }) => kind !== "comment");
  const isIdle = (at: number): boolean =>
    code[at]?.text === "," && /^[\]}]$/.test(code[at + 1]?.text ?? "") && !/^[[{,]$/.test(code[at - 1]?.text ?? "[");
  const idle = new Set(code.filter((_, at) => isIdle(at)));
  let plain = "";
  let end = 0;
  for (const token of tokens) {
    plain += text.slice(end, token.start);
    end = token.start + token.text.length;
    plain += token.kind === "comment" || idle.has(token) ? token.text.replace(/[^\n]/g, " ") : token.text;
  }
  return plain + text.slice(end);
}

function problemsByLine(text: string): Problem[] {
  return text.split("\n").flatMap((line, at) => {
    const problem = line.trim() === "" ? undefined : problemOf(line);
    return problem ? [{ ...problem, line: at + 1 }] : [];
  });
}
