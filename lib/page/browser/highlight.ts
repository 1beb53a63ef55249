/** Code with its words coloured. Only the languages that highlight.js calls common; the rest is plain. */
import hljs from "highlight.js/lib/common";
import { escaped, linesOf } from "../code-lines.ts";

/** Colouring is slow: longer texts stay plain. */
const CHARS = 200_000;

/** HTML in which the text is escaped; undefined where it is shown as it is. */
export function highlighted(path: string, text: string): string | undefined {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  // Its languages go by the endings of their files too.
  if (!hljs.getLanguage(ending) || text.length > CHARS) return undefined;
  return hljs.highlight(text, { language: ending, ignoreIllegals: true }).value;
}

/** Each line as HTML, in which the text is escaped: coloured where its language is known. */
export const htmlLines = (path: string, text: string): string[] => linesOf(highlighted(path, text) ?? escaped(text));
