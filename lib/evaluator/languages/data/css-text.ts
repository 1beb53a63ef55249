/** What is wrong with a CSS text. Who has none does not load the parser. */
import { CssSyntaxError, parse } from "postcss";
import type { Problem } from "./data-language.ts";

export function cssProblem(text: string): Problem | undefined {
  try {
    parse(text);
    return undefined;
  } catch (problem) {
    if (!(problem instanceof CssSyntaxError)) throw problem;
    return { line: problem.line ?? 1, column: problem.column ?? 1, message: problem.reason };
  }
}
