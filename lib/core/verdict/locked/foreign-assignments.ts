/** Assignments of Python that change what is not their own: `app.total = sum`. Pure. */
import type { Part } from "./test-part.ts";
import type { Token } from "./token.ts";

export interface Own {
  /** Names of modules as a whole. */
  modules: Set<string>;
  /** Names that `from … import …` brings. */
  brought: Set<string>;
  /** What accepted tests of the file use or make. */
  taken: Set<string>;
}

export function ownOf(parts: readonly Part[], taken: Iterable<string> = []): Own {
  const own: Own = { modules: new Set(), brought: new Set(), taken: new Set(taken) };
  const pending = [...parts];
  for (let part = pending.pop(); part; part = pending.pop()) {
    importsIn(part.tokens, own);
    for (const inner of part.parts ?? []) pending.push(inner);
  }
  return own;
}

/** Imports within functions count, too: there they are used. */
function importsIn(tokens: Token[], own: Own): void {
  for (const [at, { text }] of tokens.entries()) {
    if (text !== "import" || tokens[at]?.kind !== "word") continue;
    const from = !tokens[at]?.first && tokens[at - 1]?.kind === "word";
    const { line } = tokens[at] ?? { line: 0 };
    let root = true;
    for (let next = at + 1; next < tokens.length && next < at + NAMES; next += 1) {
      const token = tokens[next];
      if (!token || /^(?:\)|;|import)$/.test(token.text) || (token.line !== line && tokens[at + 1]?.text !== "("))
        break;
      if (token.kind === "word" && (root || tokens[next - 1]?.text === "as")) {
        if (!isOthers(tokens, at, token.text)) (from ? own.brought : own.modules).add(token.text);
      }
      root = token.text === "," || token.text === "(";
    }
  }
}
const NAMES = 200;

const isOthers = (tokens: Token[], at: number, name: string): boolean =>
  OTHERS.test(name) || OTHERS.test(tokens[at - 1]?.text ?? "") || OTHERS.test(tokens[at + 1]?.text ?? "");

/** They belong to no project. */
const OTHERS =
  /^(?:os|sys|io|re|json|time|random|socket|ssl|logging|warnings|signal|subprocess|locale|tempfile|shutil|pathlib|datetime|decimal|asyncio|threading|multiprocessing|urllib|http|builtins|gc|resource|readline|curses|tkinter|turtle|numpy|np|pandas|pd|matplotlib|mpl|plt|pyplot|torch|django|settings|flask|requests|httpx|aiohttp|sqlalchemy|hypothesis|freezegun|faker|__future__|typing|mock|unittest|pytest)$/;

/** `name.a.b = value` at the beginning of a statement, where the value is no literal, or the name is the tests' own. */
export function outside(tokens: Token[], own: Own): string[] {
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== "word" || !(token.first || /^[:;]$/.test(tokens[at - 1]?.text ?? ";"))) continue;
    let end = at + 1;
    while (tokens[end]?.text === "." && tokens[end + 1]?.kind === "word") end += 2;
    if (end === at + 1 || tokens[end]?.text !== "=") continue;
    const name = token.text;
    const made = own.taken.has(name) && !own.modules.has(name) && !own.brought.has(name);
    if (made || (own.modules.has(name) && !isLiteral(tokens, end)) || (own.brought.has(name) && isName(tokens, end)))
      return ["it changes something that is not its own"];
  }
  return [];
}

/** Up to the end of the line, or of the brackets. */
function valueIn(tokens: Token[], equals: number): Token[] {
  const value: Token[] = [];
  let depth = 0;
  for (let at = equals + 1; at < tokens.length && at < equals + NAMES; at += 1) {
    const token = tokens[at];
    if (!token || (depth === 0 && value.length > 0 && (token.first || token.text === ";"))) break;
    if ("([{".includes(token.text)) depth += 1;
    if (")]}".includes(token.text)) depth -= 1;
    value.push(token);
  }
  return value;
}

const isLiteral = (tokens: Token[], equals: number): boolean =>
  valueIn(tokens, equals).every(
    ({ kind, text }) => kind === "string" || kind === "mark" || /^(?:True|False|None|\d.*)$/.test(text),
  );

/** Another function in its place: `sum`, `fake.sum`, `lambda: 3`. */
function isName(tokens: Token[], equals: number): boolean {
  const value = valueIn(tokens, equals);
  if (value[0]?.text === "lambda") return true;
  return (
    value.every(({ kind, text }) => kind === "word" || text === ".") &&
    !/^(?:True|False|None|\d.*)$/.test(value[0]?.text ?? "None")
  );
}
