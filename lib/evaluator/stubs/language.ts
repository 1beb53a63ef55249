/** How comments and strings are written in each language, so that neither is taken for the other. */

export interface Language {
  name: "python" | "javascript" | "go" | "rust" | "braces" | "shell" | "marks";
  lineComments: string[];
  blockComments: [string, string][];
  /** Strings that end with their line. */
  quotes: string;
  /** Strings that may go on over lines, the longer marks first. */
  longQuotes: string[];
  /** What a backslash means nothing in. */
  rawQuotes?: string;
}

const C_COMMENTS: Pick<Language, "lineComments" | "blockComments"> = {
  lineComments: ["//"],
  blockComments: [["/*", "*/"]],
};
const HASH_COMMENTS: Pick<Language, "lineComments" | "blockComments"> = { lineComments: ["#"], blockComments: [] };

const python: Language = { name: "python", ...HASH_COMMENTS, quotes: `"'`, longQuotes: ['"""', "'''"] };
const javascript: Language = { name: "javascript", ...C_COMMENTS, quotes: `"'`, longQuotes: ["`"] };
const go: Language = { name: "go", ...C_COMMENTS, quotes: `"'`, longQuotes: ["`"], rawQuotes: "`" };
const rust: Language = { name: "rust", ...C_COMMENTS, quotes: "'", longQuotes: ['"'] };
const braces: Language = { name: "braces", ...C_COMMENTS, quotes: `"'`, longQuotes: ['"""'] };
const php: Language = { ...braces, lineComments: ["//", "#"] };
const shell: Language = { name: "shell", ...HASH_COMMENTS, quotes: "", longQuotes: ['"', "'"], rawQuotes: "'" };
const ruby: Language = { name: "marks", ...HASH_COMMENTS, quotes: `"'`, longQuotes: [] };
const css: Language = { name: "marks", lineComments: [], blockComments: [["/*", "*/"]], quotes: `"'`, longQuotes: [] };
const html: Language = {
  name: "marks",
  lineComments: [],
  blockComments: [["<!--", "-->"]],
  quotes: "",
  longQuotes: [],
};

const BY_ENDING: Record<string, Language> = {
  py: python,
  ...Object.fromEntries(["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"].map((ending) => [ending, javascript])),
  go,
  rs: rust,
  ...Object.fromEntries(
    ["c", "cc", "cpp", "cs", "dart", "h", "hpp", "java", "kt", "scala", "swift"].map((e) => [e, braces]),
  ),
  php,
  sh: shell,
  bash: shell,
  rb: ruby,
  css,
  scss: css,
  html,
  htm: html,
};

/** Undefined: nothing is known of how such a file is written, or it only declares what is written elsewhere. */
export function languageOf(path: string): Language | undefined {
  if (/\.d\.[cm]?ts$/.test(path)) return undefined;
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(BY_ENDING, ending) ? BY_ENDING[ending] : undefined;
}
