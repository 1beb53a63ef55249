/** Python functions that do nothing yet, and dots where code should be. Pure. */
import { commentsIn, isPromise } from "./elisions.ts";
import type { Token } from "./lex.ts";
import { headerEnd, type LogicalLine, logicalLines, textOf } from "./python-lines.ts";
import {
  isForOthers,
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

export function pythonSuspects(path: string, tokens: Token[]): Suspect[] {
  const lines = logicalLines(tokens);
  const comments = commentsIn(tokens);
  const file = { test: isOfTests(path), mentions: mentionsIn(tokens) };
  const suspects: Suspect[] = [];
  for (const [at, line] of lines.entries()) {
    const found = functionAt(lines, at);
    const body = found && bodyOf(found);
    if (!found || !body) continue;
    const last = lines[at + found.length]?.line ?? Number.POSITIVE_INFINITY;
    const inside = comments.filter((one) => one.line >= line.line && one.line < last && belongs(one, line));
    const ownerSays = documentationOf(line.within.at(-1), lines);
    const suspect = judge({ ...found, ...file, kind: body, comments: inside, ownerSays });
    if (suspect)
      suspects.push({ line: line.line, lastLine: lastOf(inside, lines[at + found.length - 1] ?? line), ...suspect });
  }
  return [...suspects, ...loneDots(lines)];
}

function documentationOf(owner: LogicalLine | undefined, lines: LogicalLine[]): string {
  const first = owner && lines[lines.indexOf(owner) + 1];
  return first?.tokens.every(({ kind }) => kind === "string") ? textOf(first.tokens) : "";
}

const lastOf = (comments: Token[], { lastLine }: LogicalLine): number =>
  Math.max(lastLine, ...comments.map(({ line }) => line));

/** In the body, or behind the function's own lines. */
const belongs = (comment: Token, { indent, line }: LogicalLine): boolean =>
  comment.column > indent || comment.line === line;

interface Found {
  name: string;
  line: LogicalLine;
  decorators: string[];
  body: LogicalLine["tokens"][];
  documentation: string;
  /** What it promises to answer; empty where it promises nothing. */
  answers: string;
  /** How many logical lines it takes. */
  length: number;
}

function functionAt(lines: LogicalLine[], at: number): Found | undefined {
  const line = lines[at];
  const words = line?.tokens.map(({ text }) => text) ?? [];
  const start = words[0] === "async" ? 1 : 0;
  if (!line || words[start] !== "def") return undefined;
  const end = headerEnd(line.tokens);
  if (end === -1) return undefined;
  let length = 1;
  while ((lines[at + length]?.indent ?? 0) > line.indent) length += 1;
  const inline = line.tokens.slice(end + 1);
  const body = inline.length > 0 ? [inline] : lines.slice(at + 1, at + length).map(({ tokens }) => tokens);
  const [first] = body;
  const documented = first?.every(({ kind }) => kind === "string") === true;
  const arrow = words.findLastIndex((word, index) => index < end && word === ">" && words[index - 1] === "-");
  return {
    name: words[start + 1] ?? "",
    line,
    decorators: decoratorsOf(lines, at),
    body: documented ? body.slice(1) : body,
    documentation: documented ? textOf(first) : "",
    answers: arrow === -1 ? "" : words.slice(arrow + 1, end).join(""),
    length,
  };
}

function decoratorsOf(lines: LogicalLine[], at: number): string[] {
  const found: string[] = [];
  for (let before = at - 1; lines[before]?.tokens[0]?.text === "@"; before -= 1)
    found.push((lines[before]?.tokens ?? []).map(({ text }) => text).join(""));
  return found;
}

type Body = "nothing" | "refuses" | "says so" | "trivial";

function bodyOf({ name, body }: Found): Body | undefined {
  if (body.length > 1) return undefined;
  const text = textOf(body[0] ?? []);
  if (/^(?:pass|\.\.\.)?$/.test(text)) return "nothing";
  if (/^raise NotImplementedError\b/.test(text)) return "refuses";
  if (text === "return NotImplemented" && !name.startsWith("__")) return "refuses";
  if (/^(?:print|return|raise (?:Exception|RuntimeError)|log\w*)\b/.test(text) && isUnfinished(text)) return "says so";
  return /^return(?: (?:None|True|False|-? ?\d[\w.]*|\[ \]|\{ \}|\( \)|(?:dict|list|set) \( \)|"[^"]*"|'[^']*'))?$/.test(
    text,
  )
    ? "trivial"
    : undefined;
}

interface Judged extends Found {
  comments: Token[];
  /** Tests define functions only to have some. */
  test: boolean;
  mentions: Map<string, Mention[]>;
  kind: Body;
  /** The documentation of the class it is a method of. */
  ownerSays: string;
}

function judge(found: Judged): Omit<Suspect, "line"> | undefined {
  const { name, comments, kind: body } = found;
  if (isLeftOpen(found)) return undefined;
  const message = noBody(`${name}()`);
  if (comments.some(({ text }) => isPromise(text))) return { message };
  if (body === "trivial") return undefined;
  const said = textOf(found.body[0] ?? []) + found.documentation;
  if (body === "says so") return found.test || isLeftToOthers(said) ? undefined : { message };
  const nested = found.line.within.some(({ tokens }) => tokens[0]?.text !== "class");
  if (nested) return undefined;
  if (
    (body === "nothing" && comments.some(({ text }) => isOnPurpose(text))) ||
    isLeftToOthers(said) ||
    (body === "nothing" && ignoresAll(found))
  )
    return undefined;
  // Who says why it refuses means to.
  if (body === "refuses" && /["']/.test(textOf(found.body[0] ?? [])) && !isUnfinished(said)) return undefined;
  if (found.test) return isUnwrittenTest(found) ? { message } : undefined;
  const owner = found.line.within.at(-1);
  if (owner) return judgeMethod({ found, body, owner, message });
  return body === "nothing" && (meansNothing(name) || isIdle(name, found.mentions)) ? undefined : { message };
}

interface Mention {
  before: string;
  after: string;
}

function mentionsIn(tokens: Token[]): Map<string, Mention[]> {
  const mentions = new Map<string, Mention[]>();
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind !== "word") continue;
    const mention = { before: tokens[at - 1]?.text ?? "", after: tokens[at + 1]?.text ?? "" };
    const others = mentions.get(text);
    if (others) others.push(mention);
    else mentions.set(text, [mention]);
  }
  return mentions;
}

/** Private and never mentioned, or what is taken where nothing else is: `log = nolog`. */
function isIdle(name: string, mentions: Map<string, Mention[]>): boolean {
  const places = mentions.get(name) ?? [];
  if (name.startsWith("_") && places.length === 1) return true;
  return places.some(({ before, after }) => /^(?:=|or|else)$/.test(before) && after !== "(");
}

interface Method {
  found: Judged;
  body: Body;
  owner: LogicalLine;
  message: string;
}

function judgeMethod({ found, body, owner, message }: Method): Omit<Suspect, "line"> | undefined {
  const { name, bases } = classOf(owner);
  if (isOpenClass(name) || isForOthers(found.ownerSays)) return undefined;
  const suspect = { message: message.replace("()", `() of ${name}`), unlessExtended: name };
  if (body === "refuses" || promisesAnswer(found)) return suspect;
  const excused = bases !== "" || isMoment(found.name) || meansNothing(found.name) || /^__\w+__$/.test(found.name);
  return excused ? undefined : suspect;
}

const promisesAnswer = ({ answers, name }: Found): boolean =>
  (answers !== "" && !/^["']?(?:None|NoReturn|Never|Any|.*\bNone\b.*|Optional\[.*)["']?$/.test(answers)) ||
  /^__(?:str|repr|len|eq|hash|iter|next|getitem|contains)__$/.test(name);

/** A function that names what it ignores. */
const ignoresAll = ({ line: { tokens } }: Found): boolean =>
  /^\( (?:(?:self|cls) , )?(?:\* ){0,2}_/.test(textOf(tokens.slice(tokens.findIndex(({ text }) => text === "("))));

/** A test that tests nothing; one that is only found is the business of its class. */
const isUnwrittenTest = ({ name, line, decorators }: Found): boolean =>
  /^test_\w{3}/.test(name) &&
  decorators.length === 0 &&
  line.within.length <= 1 &&
  !/^test_\w*(?:noop|nothing|empty|pass)/.test(name);

/** Decorators that leave a function what it is. Under any other, an empty one may be meant. */
const PLAIN_DECORATOR =
  /^@(?:staticmethod|classmethod|property|(?:functools\.)?(?:cached_property|cache|lru_cache.*|wraps.*)|\w+\.(?:get|post|put|patch|delete|route)\(.*|pytest\.mark\.parametrize.*)$/;

function isLeftOpen({ line, decorators }: Found): boolean {
  if (decorators.some((one) => !PLAIN_DECORATOR.test(one))) return true;
  const owner = line.within.at(-1);
  if (owner?.tokens[0]?.text !== "class") return false;
  return /\b(?:Protocol|ABC|ABCMeta|Interface|TypedDict|\w*Error|\w*Exception)\b/.test(classOf(owner).bases);
}

function classOf({ tokens }: LogicalLine): { name: string; bases: string } {
  const [, name, ...rest] = tokens.map(({ text }) => text);
  const bases = rest
    .join("")
    .replace(/^\[.*?\](?=[(:])/, "")
    .replace(/^\(|\)?:$/g, "");
  return { name: name ?? "", bases: bases.replace(/^(?:object|Generic\[.*\])$/, "") };
}

/** `...` among other statements: code was there once. */
function loneDots(lines: LogicalLine[]): Suspect[] {
  const isDots = ({ tokens }: LogicalLine): boolean => textOf(tokens) === "...";
  const filled = new Set<LogicalLine | undefined>();
  for (const line of lines)
    if (!isDots(line) && !line.tokens.every(({ kind }) => kind === "string")) filled.add(line.within.at(-1));
  return lines.flatMap((line) => {
    const owner = line.within.at(-1);
    const isCode = owner === undefined || /^(?:async|def)$/.test(owner.tokens[0]?.text ?? "");
    return isCode && filled.has(owner) && isDots(line)
      ? [{ line: line.line, message: 'a lone "..." does nothing: write the code that it stands for' }]
      : [];
  });
}
