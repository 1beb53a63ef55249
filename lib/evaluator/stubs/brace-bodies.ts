/** Functions between braces whose body is empty or only refuses. Pure. */
import type { Token } from "../../core/text/lex.ts";
import type { ReadableLanguage } from "../../core/text/source-languages.ts";
import {
  isCallback,
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

export function braceStubs(path: string, tokens: Token[], language: ReadableLanguage): Stub[] {
  const judge = language.shape.dialect === "javascript" ? judgeScript : judgeOther;
  const isTest = isOfTests(path);
  return blocksIn(tokens).flatMap((block) => {
    const inside = tokens.slice(block.open + 1, block.close);
    if (inside.length > LONGEST_BODY) return [];
    const code = inside.filter(({ kind }) => kind !== "comment");
    const said = wordsOf(code.filter(({ kind }) => kind === "string"));
    const comments = inside.flatMap(({ kind, text }) => (kind === "comment" ? [text] : []));
    const stub = judge(block, { text: wordsOf(code), said, comments, language, isTest });
    const [first, last] = [tokens[block.open], tokens[block.close]];
    return stub && first && last ? [{ ...stub, line: first.line, lastLine: last.line }] : [];
  });
}
const LONGEST_BODY = 40;
const LONGEST_HEADING = 120;

interface Block {
  open: number;
  close: number;
  /** The words before it; what is in brackets is left out: `export function parse () : string [] `. */
  heading: string;
  /** The first parameter's name. */
  parameter: string;
  /** It is an argument, a default or an element of a list. */
  isPassed: boolean;
  owner?: string;
}

const CLOSING: Record<string, string> = { ")": "(", "]": "[", "}": "{" };

function blocksIn(tokens: Token[]): Block[] {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  const braces: number[] = [];
  const blocks: Block[] = [];
  const headings = new Map<number, Pick<Block, "heading" | "parameter" | "isPassed">>();
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind !== "mark") continue;
    if (text === "{") {
      const isPassed = /^[([]$/.test(tokens[open.at(-1) ?? -1]?.text ?? "");
      headings.set(at, { ...headingOf(tokens, at, pairs), isPassed });
      braces.push(at);
    }
    if (text === "(" || text === "[" || text === "{") open.push(at);
    const start = open.at(-1);
    if (CLOSING[text] === undefined || start === undefined || tokens[start]?.text !== CLOSING[text]) continue;
    open.pop();
    pairs.set(at, start);
    const heading = headings.get(start);
    if (text !== "}" || !heading) continue;
    braces.pop();
    const around = headings.get(braces.at(-1) ?? -1);
    const inArguments = around?.isPassed && !/(?:\(\)|=>)$/.test(around.heading);
    const owner = around ? { owner: around.heading } : {};
    blocks.push({ ...heading, open: start, close: at, ...owner, isPassed: heading.isPassed || inArguments === true });
  }
  return blocks;
}

function headingOf(tokens: Token[], brace: number, pairs: Map<number, number>) {
  const words: string[] = [];
  let parameter = "";
  let at = brace - 1;
  for (; at >= 0 && brace - at < LONGEST_HEADING; at -= 1) {
    const { kind, text } = tokens[at] ?? { kind: "mark", text: ";" };
    if (kind === "comment") continue;
    const start = kind === "mark" ? pairs.get(at) : undefined;
    if (kind === "mark" && (/^[;{}]$/.test(text) || (start === undefined && /^[([]$/.test(text)))) break;
    words.unshift(start === undefined ? text : `${tokens[start]?.text}${text}`);
    if (start === undefined) continue;
    parameter = tokens[start + 1]?.text ?? "";
    at = start;
  }
  return { heading: words.join(" "), parameter };
}

const wordsOf = (tokens: Token[]): string => tokens.map(({ text }) => text).join(" ");

interface Body {
  /** Its code, without comments. */
  text: string;
  /** Its strings. */
  said: string;
  comments: string[];
  language: ReadableLanguage;
  isTest: boolean;
}

const CONTROL =
  /^(?:if|for|while|switch|catch|with|await|super|else|match|when|synchronized|using|lock|constructor|return)$/;
const TYPE = "(?: : [^=]*)?";
const FUNCTION = new RegExp(
  `(?:([=(:,?&|!>]+|return) )?(?:async )?function (?:\\* )?([\\w$]+ )?(?:< .* > )?\\(\\)${TYPE}$`,
);
const ASSIGNED = new RegExp(
  `([\\w$]+)(?: : [^=]*)? = (?:async )?(?:function (?:\\* )?(?:[\\w$]+ )?\\(\\)${TYPE}|(?:< .* > )?(?:\\(\\)|[\\w$]+)${TYPE} =>)$`,
);
const METHOD = new RegExp(`([\\w$]+)(?: < .* >)? \\(\\)(${TYPE})$`);
const CLASS = /(?:^|\s)(abstract )?class(?: (?!extends\b|implements\b)([\w$]+))?(?: < .* >)?( extends .*)?$/;

function judgeScript(
  block: Block,
  { text, said, comments, isTest }: Body,
): Pick<Stub, "message" | "unlessExtended"> | undefined {
  const { heading, owner = "", parameter, isPassed } = block;
  const [, abstract, ownerName = "", base] = CLASS.exec(owner) ?? [];
  const inClass = CLASS.test(owner);
  const [, before, declared] = FUNCTION.exec(heading) ?? [];
  const assigned = ASSIGNED.exec(heading)?.[1];
  const method = METHOD.exec(heading)?.[1];
  const name = (assigned ?? declared ?? (/\bfunction\b/.test(heading) ? "" : method) ?? "").trim();
  const isNamed = assigned !== undefined || (declared !== undefined && before === undefined) || inClass;
  if (name === "" || CONTROL.test(name) || /\bset [\w$]+ \(\)$/.test(heading) || abstract) return undefined;
  const refuses = REFUSES.test(text) && isUnfinished(text);
  const stub = { message: noCode(ownerName ? `${name}() of ${ownerName}` : `${name}()`) };
  if ((text === "" || refuses || CONSTANT.test(text)) && comments.some(isPromise)) return stub;
  if (isPassed || !isNamed || isTest || (text !== "" && !refuses)) return undefined;
  if (refuses)
    return isLeftToOthers(said) || isOpenClass(ownerName) ? undefined : { ...stub, ...extendable(ownerName) };
  if (comments.some((comment) => isOnPurpose(comment, name)) || /^_|^[A-Z]/.test(name)) return undefined;
  // A default that is assigned later.
  if (/\blet [\w$]+(?: : [^=]*)? =/.test(heading.slice(0, HEADING_CHARS))) return undefined;
  if (parameter.startsWith("_") || meansNothing(name)) return undefined;
  const mustReturn = mustReturnBy(heading);
  if (inClass) {
    const isExcused = isOpenClass(ownerName) || base !== undefined || isMoment(name);
    return isExcused && !mustReturn ? undefined : { ...stub, ...extendable(ownerName) };
  }
  return isCallback(name) && comments.length === 0 && !mustReturn ? undefined : stub;
}

const extendable = (name: string): Pick<Stub, "unlessExtended"> => (name === "" ? {} : { unlessExtended: name });

/** Its return type says that it returns a value. */
function mustReturnBy(heading: string): boolean {
  const type = /\(\) : ([^=]*?)(?: =>)?$/.exec(heading.slice(-HEADING_CHARS))?.[1] ?? "";
  return type !== "" && !/\b(?:void|any|never|undefined|unknown|asserts|this)\b/.test(type);
}

/** Longer ones are none that a person writes. */
const HEADING_CHARS = 2_000;
const REFUSES = /^(?:throw (?:new )?[\w"'`]|console|return (?:new )?(?:Promise|["']))/;
const CONSTANT = /^return(?: (?:null|true|false|-? ?\d[\w.]*|\[ \]|\{ \}|""|''))?(?: ;)?$/;

/** Of other languages only refusals and promises are judged: an empty body is often meant. */
function judgeOther({ heading }: Block, { text, said, comments, language }: Body): Pick<Stub, "message"> | undefined {
  const name = /(?<!\w)(\w+)(?: < .* >)? \(\)/.exec(heading.slice(0, HEADING_CHARS))?.[1];
  if (name === undefined || CONTROL.test(name)) return undefined;
  const isPromised = comments.some(isPromise);
  const refuses =
    text.length <= HEADING_CHARS &&
    language.refusal?.test(text) &&
    (text.match(/;/g)?.length ?? 0) <= 1 &&
    (PLAIN.test(text) || (isUnfinished(text) && !isLeftToOthers(said)) || (isPromised && /^(?::|true)/.test(text)));
  return refuses || (text === "" && isPromised) ? { message: noCode(`${name}()`) } : undefined;
}

/** These refuse without further words. */
const PLAIN = /^(?:todo|unimplemented) !|^TODO \(|^throw (?:new )?NotImplemented(?:Error|Exception) \(/;
