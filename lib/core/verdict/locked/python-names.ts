/** Which names a statement of Python binds, and which names a part lives by. Pure. */
import type { Part } from "./test-part.ts";
import type { Token } from "./token.ts";

/** What its first line gives a name to, in its scope. */
export function pythonBinds(head: Token[]): string[] {
  const words = head.map(({ text }) => text);
  const at = words[0] === "async" ? 1 : 0;
  if (words[at] === "def" || words[at] === "class") return [words[at + 1] ?? ""];
  if (words[0] === "import" || words[0] === "from") return imported(words);
  if (words[0] === "for") return wordsOf(head.slice(1, Math.max(1, words.indexOf("in"))));
  if (words[0] === "with" || words[0] === "except")
    return words.flatMap((word, at) => (word === "as" ? [words[at + 1] ?? ""] : []));
  return assigned(head);
}

/** `import a.b` binds `a`, `import a.b as c` and `from a import b as c` bind `c`. */
const imported = (words: string[]): string[] =>
  namesOf(words.slice(words.indexOf("import") + 1)).map((name) =>
    name.includes("as") || words[0] === "from" ? (name.at(-1) ?? "") : (name[0] ?? ""),
  );

const namesOf = (words: string[]): string[][] =>
  words
    .filter((word) => word !== "(" && word !== ")")
    .join(" ")
    .split(",")
    .map((name) => name.trim().split(/\s+/));

const wordsOf = (tokens: Token[]): string[] => tokens.flatMap(({ kind, text }) => (kind === "word" ? [text] : []));

/** The roots of everything before an equals sign: `a.b = c` changes `a`. */
function assigned(head: Token[]): string[] {
  const found: string[] = [];
  let depth = 0;
  let from = 0;
  for (const [at, { kind, text }] of head.entries()) {
    if (kind !== "mark") continue;
    if ("([{".includes(text)) depth += 1;
    if (")]}".includes(text)) depth -= 1;
    if (depth !== 0 || !ASSIGNS.test(text)) continue;
    for (const root of roots(head.slice(from, at))) found.push(root);
    from = at + 1;
  }
  for (const [at, { text }] of head.entries()) if (text === ":=") found.push(head[at - 1]?.text ?? "");
  return found;
}

const ASSIGNS = /^(?:=|[-+*/%&|^<>@]=)$/;

/** `a`, `a.b[c]`, `(a, b)`, `a: int`: the first name of each. */
function roots(target: Token[]): string[] {
  const colon = target.findIndex(({ text }) => text === ":");
  const own = colon > 0 && target[1]?.text === ":" ? target.slice(0, colon) : target;
  const found: string[] = [];
  let begins = true;
  for (const { kind, text } of own) {
    if (kind === "word" && begins) found.push(text);
    begins = text === "," || text === "(" || text === "*" || (begins && text === "[" && found.length === 0);
  }
  return found;
}

const KEYWORDS =
  /^(?:and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|nonlocal|not|or|pass|raise|return|try|while|with|yield|None|True|False|self|cls|\d.*)$/;

/** Names that are read in a part and not made in it, `.attribute`s of `self` among them. */
export function pythonUses(part: Part): { names: Set<string>; attributes: Set<string> } {
  const names = new Set<string>();
  const attributes = new Set<string>();
  const made = new Set<string>();
  const fixtures = part.kind === "test" || part.tokens.some(({ text }) => text === "fixture");
  let header = part.tokens.some(({ text }) => text === "def");
  for (const [at, { kind, text }] of part.tokens.entries()) {
    if (text === ":" && header) header = false;
    if (kind !== "word" || KEYWORDS.test(text)) continue;
    const before = part.tokens[at - 1]?.text ?? "";
    const next = part.tokens[at + 1]?.text ?? "";
    if (before === ".") {
      if (/^(?:self|cls)$/.test(part.tokens[at - 2]?.text ?? "")) attributes.add(text);
    } else if (next === "=" || MAKES.test(before)) made.add(text);
    else if (!header || fixtures || before === "@") names.add(text);
  }
  for (const name of made) if (!part.binds.includes(name)) names.delete(name);
  return { names, attributes };
}

const MAKES = /^(?:for|as|def|class|import)$/;
