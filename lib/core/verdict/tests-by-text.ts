/** The tests that a file surely has, read from its text. Pure. */
import { lex, type Token } from "../text/lex.ts";
import { javascript, python } from "../text/source-languages.ts";

/** Functions of the module; what classes and functions hold may be for others to call. */
export function pythonTests(text: string): string[] {
  const tokens = lex(text, python.shape).filter(({ kind }) => kind !== "comment");
  return tokens.flatMap((token, at) => {
    const [before, next] = [tokens[at - 1], tokens[at + 1]];
    const start = before?.text === "async" ? before : token;
    const isTest = token.text === "def" && start.column === 0 && /^test/.test(next?.text ?? "");
    return isTest && !isDecorated(tokens, start) ? [next?.text ?? ""] : [];
  });
}

/** What is decorated may be no test, such as a fixture that is called `test_client`. */
function isDecorated(tokens: Token[], start: Token): boolean {
  const lines = tokens.slice(0, tokens.indexOf(start)).filter(({ first, column }) => first && column === 0);
  return lines.at(-1)?.text === "@" || lines.at(-1)?.text === ")";
}

/** Long names are cut in reports, and those with escapes are other names. */
const SCRIPT_NAME = /^(["'`])([^\\\n$%]{1,100})\1$/;

export function scriptTests(text: string): string[] {
  const tokens = lex(text, javascript.shape).filter(({ kind }) => kind !== "comment");
  return tokens.flatMap((token, at) => {
    const isCalled = /^(?:test|it)$/.test(token.text) && token.kind === "word" && token.first;
    const [mark, name] = tokens.slice(at + 1, at + 3);
    const [, , plain] = (isCalled && mark?.text === "(" && SCRIPT_NAME.exec(name?.text ?? "")) || [];
    return plain === undefined ? [] : [plain];
  });
}
