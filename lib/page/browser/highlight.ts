/** Code with its words coloured. Only languages that runs are mostly written in; the rest is plain. */
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import css from "highlight.js/lib/languages/css";
import go from "highlight.js/lib/languages/go";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import markdown from "highlight.js/lib/languages/markdown";
import python from "highlight.js/lib/languages/python";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { escaped, linesOf } from "../code-lines.ts";

const LANGUAGES = { bash, css, go, javascript, json, markdown, python, rust, sql, typescript, xml, yaml };
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

const BY_ENDING: Record<string, keyof typeof LANGUAGES> = {
  ...{ sh: "bash", bash: "bash", css: "css", go: "go", js: "javascript", mjs: "javascript", cjs: "javascript" },
  ...{ jsx: "javascript", json: "json", md: "markdown", py: "python", rs: "rust", sql: "sql", ts: "typescript" },
  ...{ tsx: "typescript", html: "xml", svg: "xml", xml: "xml", yml: "yaml", yaml: "yaml" },
};

/** Colouring is slow: longer texts stay plain. */
const CHARS = 200_000;

/** HTML in which the text is escaped; undefined where it is shown as it is. */
export function highlighted(path: string, text: string): string | undefined {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  const language = Object.hasOwn(BY_ENDING, ending) ? BY_ENDING[ending] : undefined;
  if (!language || text.length > CHARS) return undefined;
  return hljs.highlight(text, { language, ignoreIllegals: true }).value;
}

/** Each line as HTML, in which the text is escaped: coloured where its language is known. */
export const htmlLines = (path: string, text: string): string[] => linesOf(highlighted(path, text) ?? escaped(text));
