/** Tokens of a test file. Pure. */
import { lex, type Token } from "../../text/lex.ts";
import { go, javascript, python } from "../../text/source-languages.ts";

export type { Token } from "../../text/lex.ts";
export type Language = "python" | "javascript" | "go";

const SOURCES = { python, javascript, go };

export const tokensOf = (text: string, language: Language): Token[] => lex(text, SOURCES[language].shape);
