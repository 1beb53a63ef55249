/** Python functions whose body is empty or only refuses. Pure. */
import type { Token } from "../../core/text/lex.ts";
import { headerEnd, type LogicalLine, logicalLines, textOf } from "../../core/text/python-lines.ts";
import {
  isLeftToOthers,
  isMoment,
  isOfTests,
  isOnPurpose,
  isOpenClass,
  isPromise,
  isUnfinished,
  meansNothing,
  noCode,
  type Stub,
} from "./excuses.ts";

export function pythonStubs(path: string, tokens: Token[]): Stub[] {
  const lines = logicalLines(tokens);
  const comments = tokens.filter(({ kind }) => kind === "comment");
  return lines.flatMap((line, at) => {
    const found = functionAt(lines, at);
    const kind = found && kindOf(found);
    if (!found || !kind) return [];
    const next = lines[at + found.length]?.line ?? Number.POSITIVE_INFINITY;
    const inside = comments.filter(
      (one) => one.line >= line.line && one.line < next && (one.column > line.indent || one.line === line.line),
    );
    const stub = judge({ ...found, kind, comments: inside, isTest: isOfTests(path) });
    const last = (lines[at + found.length - 1] ?? line).lastLine;
    return stub ? [{ ...stub, line: line.line, lastLine: Math.max(last, ...inside.map((one) => one.line)) }] : [];
  });
}

interface PythonFunction {
  name: string;
  line: LogicalLine;
  decorators: string[];
  body: Token[][];
  documentation: string;
  /** The annotation of what it returns, if any. */
  returns: string;
  /** How many logical lines it takes. */
  length: number;
}

function functionAt(lines: LogicalLine[], at: number): PythonFunction | undefined {
  const line = lines[at];
  const words = line?.tokens.map(({ text }) => text) ?? [];
  const start = words[0] === "async" ? 1 : 0;
  if (!line || words[start] !== "def") return undefined;
  const end = headerEnd(line.tokens);
  if (end === -1) return undefined;
  let length = 1;
  while ((lines[at + length]?.indent ?? -1) > line.indent) length += 1;
  const inline = line.tokens.slice(end + 1);
  const body = inline.length > 0 ? [inline] : lines.slice(at + 1, at + length).map(({ tokens }) => tokens);
  const [first] = body;
  const documented = first?.every(({ kind }) => kind === "string") === true;
  const arrow = words.lastIndexOf("->", end);
  return {
    name: words[start + 1] ?? "",
    line,
    decorators: decoratorsOf(lines, at),
    body: documented ? body.slice(1) : body,
    documentation: documented ? textOf(first) : "",
    returns: arrow === -1 ? "" : words.slice(arrow + 1, end).join(""),
    length,
  };
}

function decoratorsOf(lines: LogicalLine[], at: number): string[] {
  const found: string[] = [];
  for (let before = at - 1; lines[before]?.tokens[0]?.text === "@"; before -= 1)
    found.push((lines[before]?.tokens ?? []).map(({ text }) => text).join(""));
  return found;
}

/** `says`: it returns, prints or raises a text. `constant`: a stub only if a comment promises more. */
type BodyKind = "empty" | "refuses" | "says" | "constant";

const CONSTANT =
  /^return(?: (?:None|True|False|-? ?\d[\w.]*|\[ \]|\{ \}|\( \)|(?:dict|list|set) \( \)|"[^"]*"|'[^']*'))?$/;

function kindOf({ name, body }: PythonFunction): BodyKind | undefined {
  if (body.length > 1) return undefined;
  const text = textOf(body[0] ?? []);
  if (/^(?:pass|\.\.\.)?$/.test(text)) return "empty";
  if (/^raise NotImplementedError\b/.test(text)) return "refuses";
  if (text === "return NotImplemented" && !name.startsWith("__")) return "refuses";
  if (/^(?:print|return|raise (?:Exception|RuntimeError)|log\w*)\b/.test(text) && isUnfinished(text)) return "says";
  return CONSTANT.test(text) ? "constant" : undefined;
}

interface Candidate extends PythonFunction {
  kind: BodyKind;
  comments: Token[];
  isTest: boolean;
}

function judge(found: Candidate): Pick<Stub, "message" | "unlessExtended"> | undefined {
  const { name, kind, line, comments, isTest } = found;
  const stub = { message: noCode(`${name}()`) };
  if (isLeftOpen(found)) return undefined;
  if (comments.some(({ text }) => isPromise(text))) return stub;
  if (kind === "constant") return undefined;
  const said = textOf(found.body[0] ?? []);
  if (isLeftToOthers(said + found.documentation)) return undefined;
  if (kind === "says") return isTest ? undefined : stub;
  if (line.within.some(({ tokens }) => tokens[0]?.text !== "class")) return undefined;
  if (kind === "empty" && (comments.some(({ text }) => isOnPurpose(text, name)) || ignoresAll(found))) return undefined;
  // It gives its reason for refusing.
  if (kind === "refuses" && /["']/.test(said) && !isUnfinished(said)) return undefined;
  if (isTest) return isUnwrittenTest(found) ? stub : undefined;
  const owner = line.within.at(-1);
  if (owner) return judgeMethod(found, owner);
  return kind === "empty" && (meansNothing(name) || name.startsWith("_")) ? undefined : stub;
}

function judgeMethod({ name, kind, returns }: Candidate, owner: LogicalLine) {
  const { name: ownerName, bases } = classOf(owner);
  if (isOpenClass(ownerName)) return undefined;
  const mustReturn = (returns !== "" && !RETURNS_NOTHING.test(returns)) || RETURNING.test(name);
  const excused = bases !== "" || isMoment(name) || meansNothing(name) || /^__\w+__$/.test(name);
  if (kind === "empty" && !mustReturn && excused) return undefined;
  return { message: noCode(`${name}() of ${ownerName}`), unlessExtended: ownerName };
}

const RETURNS_NOTHING = /^["']?(?:(?:NoReturn|Never|Any)["']?$|Optional\[)|\bNone\b/;
const RETURNING = /^__(?:str|repr|len|eq|hash|iter|next|getitem|contains)__$/;

/** A function that names what it ignores. */
const ignoresAll = ({ line: { tokens } }: PythonFunction): boolean =>
  /^\( (?:(?:self|cls) , )?(?:\*\*? )?_/.test(textOf(tokens.slice(tokens.findIndex(({ text }) => text === "("))));

const isUnwrittenTest = ({ name, line, decorators }: PythonFunction): boolean =>
  /^test_\w{3}/.test(name) &&
  decorators.length === 0 &&
  line.within.length <= 1 &&
  !/^test_\w*(?:noop|nothing|empty|pass)/.test(name);

/** Decorators that leave a function what it is. Under any other, an empty one may be meant. */
const PLAIN_DECORATOR =
  /^@(?:staticmethod|classmethod|property|(?:functools\.)?(?:cached_property|cache|lru_cache.*|wraps.*)|\w+\.(?:get|post|put|patch|delete|route)\(.*|pytest\.mark\.parametrize.*)$/;
const OPEN_BASES = /\b(?:Protocol|ABC|ABCMeta|Interface|TypedDict|\w*Error|\w*Exception)\b/;

function isLeftOpen({ line, decorators }: PythonFunction): boolean {
  const owner = line.within.at(-1);
  return (
    decorators.some((one) => !PLAIN_DECORATOR.test(one)) ||
    (owner?.tokens[0]?.text === "class" && OPEN_BASES.test(classOf(owner).bases))
  );
}

function classOf({ tokens }: LogicalLine): { name: string; bases: string } {
  const [, name = "", ...rest] = tokens.map(({ text }) => text);
  const bases = rest
    .join("")
    .replace(/^\[.*?\](?=[(:])/, "")
    .replace(/^\(|\)?:$/g, "");
  return { name, bases: bases.replace(/^(?:object|Generic\[.*\])$/, "") };
}

/** `...` among other statements of a function or a file: code was there once. */
export function loneDots(tokens: Token[]): number[] {
  const lines = logicalLines(tokens);
  const isDots = (line: LogicalLine): boolean => textOf(line.tokens) === "...";
  const hasCode = new Set<LogicalLine | undefined>();
  for (const line of lines)
    if (!isDots(line) && !line.tokens.every(({ kind }) => kind === "string")) hasCode.add(line.within.at(-1));
  return lines.flatMap((line) => {
    const owner = line.within.at(-1);
    const isClass = owner?.tokens[0]?.text === "class";
    return isDots(line) && !isClass && hasCode.has(owner) ? [line.line] : [];
  });
}
