/** What the test session of a noxfile.py installs and runs, as far as it is literal: it is read, and never run. Pure. */
import { isName, type Literal, opensValue, type Token, tokensOf, valueFrom } from "./setup-script.ts";

export interface NoxSession {
  /** Lines of requirements, as pip takes them. */
  deps: string[];
  commands: string[];
  /** Something that it installs is not a literal. */
  isUnread: boolean;
}

const TESTS = /^(?:unit|run|py)?_?tests?(?:_\w+)?$|^unit$/;

/** The first session that tests. */
export function noxSession(source: string): NoxSession | undefined {
  const tokens = tokensOf(source);
  const names = namesIn(tokens);
  for (let at = 0; at < tokens.length; at += 1) {
    if (tokens[at]?.text !== "def" || !tokens[at]?.isTop) continue;
    const [name = "", , session = ""] = tokens.slice(at + 1, at + 4).map(({ text }) => text);
    if (!TESTS.test(name) || !isDecorated(tokens, at)) continue;
    let end = at + 1;
    while (end < tokens.length && !beginsStatement(tokens[end])) end += 1;
    const found = sessionIn(tokens.slice(at, end), { session, names });
    if (found.commands.length + found.deps.length > 0) return found;
  }
  return undefined;
}

const beginsStatement = (token: Token | undefined): boolean => token?.isTop === true && token.text !== ")";

/** `@nox.session`, `@session(...)` right before it, perhaps with others. */
function isDecorated(tokens: Token[], from: number): boolean {
  for (let at = from - 1; at >= 0; at -= 1) {
    if (!beginsStatement(tokens[at])) continue;
    if (tokens[at]?.text !== "@") return false;
    const [first, , second] = tokens.slice(at + 1, at + 4).map(({ text }) => text);
    if (first === "session" || (first === "nox" && second === "session")) return true;
  }
  return false;
}

function namesIn(tokens: Token[]): Map<string, Literal> {
  const names = new Map<string, Literal>();
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token?.isTop || !isName(token) || tokens[at + 1]?.text !== "=") continue;
    const reader = { tokens, at: at + 2, names };
    const value = pathAt(tokens, at + 2, names) ?? valueFrom(reader);
    if (value !== undefined) names.set(token.text, value);
    if (opensValue(tokens[at + 2])) at = reader.at - 1;
  }
  return names;
}

/** `Path(__file__).parent`, which is where it runs, and `FOLDER / "name"` of what is called so. */
function pathAt(tokens: Token[], at: number, names: Map<string, Literal>): string | undefined {
  let end = at;
  while (end < tokens.length && !tokens[end]?.endsLine) end += 1;
  const line = tokens.slice(at, end + 1).map(({ text }) => text);
  if (/^(?:pathlib\.)?Path\(__file__\)(?:\.(?:resolve|absolute)\(\))?\.parent$/.test(line.join(""))) return ".";
  const [first = "", ...rest] = line;
  const base = names.get(first);
  const parts = rest.filter((_, index) => index % 2 === 1).map((_, index) => tokens[at + 2 * index + 2]?.string ?? "");
  const isPath = rest.length > 0 && rest.every((text, index) => index % 2 === 1 || text === "/");
  return isPath && typeof base === "string" && parts.every((part) => part !== "")
    ? [base, ...parts].join("/")
    : undefined;
}

interface Session {
  /** Its parameter. */
  session: string;
  names: Map<string, Literal>;
}

function sessionIn(tokens: Token[], { session, names }: Session): NoxSession {
  const found: NoxSession = { deps: [], commands: [], isUnread: false };
  for (const [at, { text }] of tokens.entries()) {
    if (text !== session || tokens[at + 1]?.text !== "." || tokens[at + 3]?.text !== "(") continue;
    const verb = tokens[at + 2]?.text ?? "";
    if (!/^(?:install|run|run_always|run_install)$/.test(verb)) continue;
    const words = wordsIn(tokens, at + 4, { session, names });
    if (verb === "install") {
      found.deps.push(...requirementsIn(words.flatMap((word) => word ?? [])));
      found.isUnread ||= words.includes(undefined);
      // Half of a command is another command.
    } else if (!words.includes(undefined)) found.commands.push(words.map((word = "") => asWord(word)).join(" "));
  }
  return found;
}

/** The arguments by position; undefined where one is no literal. What the user may add is nothing. */
function wordsIn(tokens: Token[], from: number, { session, names }: Session): (string | undefined)[] {
  const reader = { tokens, at: from, names };
  const words: (string | undefined)[] = [];
  while (reader.at < tokens.length && tokens[reader.at]?.text !== ")") {
    const isSpread = tokens[reader.at]?.text === "*";
    if (isSpread) reader.at += 1;
    const isNamed = isName(tokens[reader.at]) && tokens[reader.at + 1]?.text === "=";
    const isGiven = tokens[reader.at]?.text === session && tokens[reader.at + 2]?.text === "posargs";
    const value = isNamed || isGiven ? undefined : valueFrom(reader);
    const all = Array.isArray(value) ? value : [value];
    if (!isNamed && !isGiven) words.push(...all.map((one) => (typeof one === "string" ? one : undefined)));
    skipArgument(reader);
  }
  return words;
}

function skipArgument(reader: { tokens: Token[]; at: number }): void {
  let depth = 0;
  for (; reader.at < reader.tokens.length; reader.at += 1) {
    const text = reader.tokens[reader.at]?.text ?? "";
    if (depth === 0 && text === ")") return;
    if (depth === 0 && text === ",") break;
    if ("([{".includes(text)) depth += 1;
    else if (")]}".includes(text)) depth -= 1;
  }
  reader.at += 1;
}

const WITH_VALUE = /^--(?:only-binary|no-binary|index-url|extra-index-url|find-links|config-settings?|group)$/;

/** `-r file`, `-e .[test]`, `name>=1`; other options decide only how it is installed. */
function requirementsIn(words: string[]): string[] {
  const lines: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (/^(?:-r|-c|-e|--requirement|--constraint|--editable)$/.test(word)) {
      lines.push(`${word} ${words[at + 1] ?? ""}`);
      at += 1;
    } else if (/^-[rce]./.test(word)) lines.push(`${word.slice(0, 2)} ${word.slice(2)}`);
    else if (WITH_VALUE.test(word)) at += 1;
    else if (!word.startsWith("-")) lines.push(word);
  }
  return lines;
}

const asWord = (word: string): string => (/[\s"']/.test(word) ? `"${word.replaceAll('"', '\\"')}"` : word);
