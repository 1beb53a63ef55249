/** The languages of source files: their extensions and how comments and strings are written in them. Pure. */
import type { SourceShape } from "./lex.ts";

export interface SourceLanguage {
  name: string;
  /** Without the dot, in lower case. */
  extensions: string[];
  shape: SourceShape;
  /** A function's body that may only refuse, as words with spaces between them. */
  refusal?: RegExp;
}

const SLASHES: Pick<SourceShape, "lineComments" | "blockComments"> = {
  lineComments: ["//"],
  blockComments: [["/*", "*/"]],
};
const HASH: Pick<SourceShape, "lineComments" | "blockComments"> = { lineComments: ["#"], blockComments: [] };
const NO_COMMENTS = { lineComments: [], blockComments: [] };

export const python: SourceLanguage = {
  name: "Python",
  extensions: ["py"],
  shape: { ...HASH, quotes: `"'`, longQuotes: ['"""', "'''"], dialect: "python" },
};
export const javascript: SourceLanguage = {
  name: "JavaScript",
  extensions: ["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"],
  shape: { ...SLASHES, quotes: `"'`, longQuotes: ["`"], dialect: "javascript" },
};
export const go: SourceLanguage = {
  name: "Go",
  extensions: ["go"],
  shape: { ...SLASHES, quotes: `"'`, longQuotes: ["`"], rawQuotes: "`" },
  refusal: /^(?:return .*errors \. New|panic|return .*fmt \. Errorf) \(.*$/,
};
const C_LIKE: SourceShape = { ...SLASHES, quotes: `"'`, longQuotes: ['"""'] };
const C_REFUSAL = /^(?:throw (?:new )?\w.*|TODO \(.*|fatalError \(.*)$/;

export const SOURCE_LANGUAGES: SourceLanguage[] = [
  python,
  javascript,
  go,
  // A single quote may begin a lifetime.
  {
    name: "Rust",
    extensions: ["rs"],
    shape: { ...SLASHES, quotes: "", longQuotes: ['"'] },
    refusal: /^(?:todo|unimplemented) ! [([{].*$/,
  },
  {
    name: "C",
    extensions: ["c", "cc", "cpp", "cs", "dart", "h", "hpp", "java", "kt", "scala", "swift"],
    shape: C_LIKE,
    refusal: C_REFUSAL,
  },
  { name: "PHP", extensions: ["php"], shape: { ...C_LIKE, lineComments: ["//", "#"] }, refusal: C_REFUSAL },
  {
    name: "shell",
    extensions: ["sh", "bash"],
    shape: { ...HASH, quotes: "", longQuotes: ['"', "'"], rawQuotes: "'", dialect: "shell" },
    refusal: /^(?:echo|printf|return|exit|:|true)\b.*$|^:.*$/,
  },
  { name: "Ruby", extensions: ["rb"], shape: { ...HASH, quotes: `"'`, longQuotes: [] } },
  {
    name: "CSS",
    extensions: ["css", "scss"],
    shape: { ...NO_COMMENTS, blockComments: [["/*", "*/"]], quotes: `"'`, longQuotes: [] },
  },
  {
    name: "HTML",
    extensions: ["html", "htm"],
    shape: { ...NO_COMMENTS, blockComments: [["<!--", "-->"]], quotes: "", longQuotes: [] },
  },
];

const BY_EXTENSION = new Map(SOURCE_LANGUAGES.flatMap((one) => one.extensions.map((each) => [each, one] as const)));

export const extensionOf = (path: string): string => /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "";

export const sourceLanguageOf = (path: string): SourceLanguage | undefined => BY_EXTENSION.get(extensionOf(path));
