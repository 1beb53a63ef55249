/** Tests of Go, Rust and Java that a file surely has, read from its text. Pure. */
import { lex } from "../../text/lex.ts";
import { SOURCE_LANGUAGES } from "../../text/source-languages.ts";
import { maySkip } from "../accepted-cases.ts";
import type { ScriptFile } from "./script-runner.ts";

/** A test that a given file surely has, by its text. */
export interface NamedTest {
  path: string;
  name: string;
}

const COMPILED = /\.(?:go|rs|java)$/;
export const isCompiled = ({ path, text }: ScriptFile): boolean =>
  COMPILED.test(path) && (!path.endsWith(".rs") || RUST_TEST.test(codeOf({ path, text })));

const GO_TEST = /\bfunc (Test(?:[^\Wa-z]\w*)?) \( \w+ \* \w+ \. T \)/g;
const RUST_TEST = /# \[ (?:\w+ : : )?test\b/;
const RUST_NAME = /# \[ test \] fn (\w+)/g;
const JAVA_NAME = /@ Test (?:public )?(?:final )?void (\w+) \(/g;

/** Of a file that may leave tests out, and of one for other systems alone, no name is sure. */
export function namedIn(test: ScriptFile): NamedTest[] {
  const { path, text } = test;
  if (maySkip(text) || /^\/\/ ?(?:go:build|\+build)\b|#!\[cfg/m.test(text)) return [];
  const pattern = path.endsWith(".go") ? GO_TEST : path.endsWith(".rs") ? RUST_NAME : JAVA_NAME;
  return [...codeOf(test).matchAll(pattern)].flatMap(([, name = ""]) =>
    name === "" || name === "TestMain" ? [] : [{ path, name }],
  );
}

/** Words and marks, one space between them; strings are empty. */
export function codeOf({ path, text }: ScriptFile): string {
  const ending = path.slice(path.lastIndexOf(".") + 1);
  const language = SOURCE_LANGUAGES.find(({ extensions }) => extensions.includes(ending));
  const tokens = language?.shape ? lex(text, language.shape) : [];
  return tokens
    .filter(({ kind }) => kind !== "comment")
    .map((token) => (token.kind === "string" ? '""' : token.text))
    .join(" ")
    .replace(/^/, "; ");
}
