/** Code with its words coloured, of the languages that projects are mostly written in; the rest is plain. */
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import go from "highlight.js/lib/languages/go";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import makefile from "highlight.js/lib/languages/makefile";
import markdown from "highlight.js/lib/languages/markdown";
import php from "highlight.js/lib/languages/php";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { escaped, linesOf } from "../code-lines.ts";

const LANGUAGES = {
  bash,
  c: cpp,
  cpp,
  csharp,
  css,
  go,
  ini,
  h: cpp,
  java,
  javascript,
  json,
  makefile,
  markdown,
  php,
  python,
  ruby,
  rust,
  scss: css,
  sql,
  typescript,
  xml,
  yaml,
};
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

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
