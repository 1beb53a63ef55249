/** JavaScript and TypeScript functions that do nothing yet. Pure. */
import { isPromise } from "./elisions.ts";
import { type Block, blocksOf, type Header } from "./javascript-blocks.ts";
import type { Token } from "./lex.ts";
import {
  isCallback,
  isExplained,
  isLeftToOthers,
  isMoment,
  isOfTests,
  isOnPurpose,
  isOpenClass,
  isUnfinished,
  meansNothing,
  noBody,
  type Suspect,
} from "./suspect.ts";

type FunctionHeader = Extract<Header, { kind: "function" }>;

export function javascriptSuspects(path: string, tokens: Token[]): Suspect[] {
  const code = tokens.filter(({ kind, text }) => kind !== "comment" && text !== "\n");
  const comments = tokens.filter(({ kind }) => kind === "comment");
  const fallbacks = new Set(code.flatMap(({ text }, at) => (/^[|?]$/.test(code[at - 1]?.text ?? "") ? [text] : [])));
  return blocksOf(code).flatMap((block) => {
    const { header } = block;
    if (header.kind !== "function" || block.close >= code.length) return [];
    const body = bodyOf(code, block);
    if (!body) return [];
    const [start, end] = [code[block.open]?.start ?? 0, code[block.close]?.start ?? 0];
    const line = code[block.open]?.line ?? 1;
    const inside = comments.filter((one) => one.start > start && one.start < end);
    const suspect = judge({ header, body, block, comments: inside, code, fallbacks, test: isOfTests(path) });
    return suspect ? [{ line, lastLine: code[block.close]?.line ?? line, ...suspect }] : [];
  });
}

type Body = { kind: "empty" | "trivial" } | { kind: "refuses"; said: string };

function bodyOf(code: Token[], { open, close }: Block): Body | undefined {
  if (close - open > LONGEST_BODY) return undefined;
  const tokens = code.slice(open + 1, close);
  if (tokens.length === 0) return { kind: "empty" };
  const text = tokens.map((token) => token.text).join(" ");
  const said = tokens
    .filter(({ kind }) => kind === "string")
    .map((token) => token.text)
    .join(" ");
  if (tokens.filter((token) => token.text === ";").length > 1) return undefined;
  const refuses = /^(?:throw (?:new )?[\w"'`]|console|return (?:new )?(?:Promise|["']))/.test(text);
  if (refuses && isUnfinished(said)) return { kind: "refuses", said };
  return /^return(?: (?:null|undefined|true|false|-? ?\d[\w.]*|\[ \]|\{ \}|""|''))?(?: ;)?$/.test(text)
    ? { kind: "trivial" }
    : undefined;
}
const LONGEST_BODY = 25;

interface Judged {
  header: FunctionHeader;
  body: Body;
  block: Block;
  comments: Token[];
  code: Token[];
  /** What is taken where nothing else was given. */
  fallbacks: Set<string>;
  test: boolean;
}

function judge({ header, body, block, comments, code, fallbacks, test }: Judged): Omit<Suspect, "line"> | undefined {
  const { name, role } = header;
  const owner = block.within?.header;
  if (owner?.kind === "class" && owner.open) return undefined;
  const message = noBody(`${name || "this function"}()`);
  if (comments.some(({ text }) => isPromise(text))) return { message };
  // What is passed to somebody may well do nothing.
  if (body.kind === "trivial" || role === "passed" || test) return undefined;
  if (body.kind === "empty" && comments.some(({ text }) => isOnPurpose(text) || isExplained(text, name)))
    return undefined;
  if (body.kind === "refuses" && isLeftToOthers(body.said)) return undefined;
  if (body.kind === "empty" && (fallbacks.has(name) || isMeant(header, code))) return undefined;
  if (owner?.kind !== "class") {
    const callback = isCallback(name) && comments.length === 0 && !promisesAnswer(header, code, block);
    return body.kind === "empty" && (callback || meansNothing(name) || role === "method") ? undefined : { message };
  }
  if (isOpenClass(owner.name)) return undefined;
  const excused = owner.base !== "" || isMoment(name) || meansNothing(name) || name.startsWith("[");
  if (body.kind === "empty" && excused && !promisesAnswer(header, code, block)) return undefined;
  const what = owner.name ? message.replace("()", `() of ${owner.name}`) : message;
  return { message: what, ...(owner.name ? { unlessExtended: owner.name } : {}) };
}

/** A constructor, or a function that names what it ignores. */
function isMeant({ name, parameters: { open, close } }: FunctionHeader, code: Token[]): boolean {
  const names = code.slice(open, close + 1).filter(({ kind }) => kind === "word");
  return /^[A-Z]/.test(name) || (names[0]?.text.startsWith("_") ?? false);
}

function promisesAnswer({ parameters }: FunctionHeader, code: Token[], block: Block): boolean {
  const answers = code.slice(parameters.close + 2, block.open).map(({ text }) => text);
  return answers.length > 0 && !/\b(?:void|any|never|undefined|unknown|asserts|this)\b|^[={]/.test(answers.join(" "));
}
