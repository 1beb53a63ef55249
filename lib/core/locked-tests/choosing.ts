/** The options of JavaScript's test runners that choose among tests, with what they are set to. Pure. */
import { compact } from "./part.ts";
import { tokensOf } from "./token.ts";

/** Options that choose among tests, or take the truth from them, of any of JavaScript's runners. */
const CHOOSING =
  /^["']?(?:testPathIgnorePatterns|modulePathIgnorePatterns|testMatch|testRegex|testNamePattern|testPathPatterns?|passWithNoTests|allowOnly|bail|roots|rootDir|projects|exclude|include|includeSource|setupFiles|setupFilesAfterEnv|globalSetup|runner|testRunner|testEnvironment|reporters?|resolver|moduleNameMapper|transform|alias|preset|spec|ignore|grep|fgrep|invert|files|match|extension|require|forbidOnly|dangerouslyIgnoreUnhandledErrors|retry|watch|related|changed|shard|root|dir|extends|workspace|opt|config|package|file|exit)["']?$/;

/** Each option that chooses, with what it is set to. */
export function choosing(text: string): string[] {
  const tokens = tokensOf(text, "javascript").filter(({ kind }) => kind !== "comment");
  const found: string[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.kind === "mark" || tokens[at + 1]?.text !== ":" || !CHOOSING.test(token.text)) continue;
    let depth = 0;
    let end = at + 2;
    for (; end < tokens.length && end < at + OPTION_TOKENS; end += 1) {
      const text = tokens[end]?.text ?? "";
      if ("([{".includes(text)) depth += 1;
      if (")]}".includes(text)) depth -= 1;
      if (depth < 0 || (depth === 0 && text === ",")) break;
    }
    found.push(compact(tokens.slice(at, end), true).replaceAll(/["'`]/g, '"'));
  }
  return found.sort();
}
const OPTION_TOKENS = 2_000;
