/** A source file that does the same, and whose text is another: what looks at the text of the code notices it. Pure. */
import { lex, type Token } from "../../text/lex.ts";
import { javascript } from "../../text/source-languages.ts";
import { javascriptBodies } from "./javascript.ts";
import { endOf } from "./python.ts";
import { pythonRemarks } from "./python-remarks.ts";
import { replaceAll } from "./replace.ts";
import { isPython, isTyped, type Replacement } from "./stub-file.ts";

/** Remarks between the tokens, where the language takes them anywhere, and one at the end. */
export function withRemarks(path: string, text: string): string {
  const parts = isPython(path) ? pythonRemarks(text) : javascriptRemarks(path, text);
  const remarked = replaceAll(text, parts);
  const end = isPython(path) ? "# end" : "// end";
  return `${remarked}${text === "" || text.endsWith("\n") ? "" : "\n"}${end}\n`;
}

const REMARK = "/* */";

/** A remark within a line ends no statement. */
function javascriptRemarks(path: string, text: string): Replacement[] {
  const tokens = lex(text, javascript.shape);
  if (tokens.some(({ kind }) => kind === "broken")) return [];
  if (hasMarkup(path, tokens)) return bodyRemarks(path, text);
  const unsure = linesToSpare(tokens);
  return tokens.flatMap((token, at): Replacement[] => {
    const before = tokens[at - 1];
    if (!before || unsure.has(token.line) || unsure.has(before.line)) return [];
    const start = endOf({ tokens: [before] });
    const gap = text.slice(start, token.start);
    if (/^[ \t]+$/.test(gap) && before.kind !== "comment" && token.kind !== "comment")
      return [{ start, end: token.start, text: `${gap}${REMARK} ` }];
    const isOpened = gap === "" && before.kind === "mark" && /^[(,;]$/.test(before.text);
    return isOpened && token.kind === "word" ? [{ start, end: start, text: `${REMARK} ` }] : [];
  });
}

/** What reads as a division there may be a regular expression; the first line may name the program that runs the file. */
const linesToSpare = (tokens: Token[]): Set<number> =>
  new Set([
    ...tokens.filter(({ kind, text }) => kind === "mark" && text.startsWith("/")).map(({ line }) => line),
    ...(tokens[0]?.text === "#" && tokens[1]?.text === "!" ? [1] : []),
  ]);

/** The text between tags is shown as it is written. */
const hasMarkup = (path: string, tokens: Token[]): boolean =>
  /\.[jt]sx$/.test(path) ||
  tokens.some(({ text, kind }, at) => kind === "mark" && /^(?:<\/|\/>)/.test(`${text}${tokens[at + 1]?.text ?? ""}`));

function bodyRemarks(path: string, text: string): Replacement[] {
  const { tokens, bodies } = javascriptBodies(text, isTyped(path));
  return bodies.flatMap(({ first, isBlock }) => {
    const brace = tokens[first];
    return isBlock && brace ? [{ start: brace.start + 1, end: brace.start + 1, text: ` ${REMARK}` }] : [];
  });
}
