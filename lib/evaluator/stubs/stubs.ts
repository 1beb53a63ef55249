/** Finds what stands where code should: elisions, empty bodies, files that lost what is still used. Pure. */
import type { Finding } from "../../core/verdict/verdict.ts";
import { commentsIn, isElision } from "./elisions.ts";
import { javascriptSuspects } from "./javascript-bodies.ts";
import { type Language, languageOf } from "./language.ts";
import { lex, type Token } from "./lex.ts";
import { otherSuspects } from "./other-bodies.ts";
import { pythonSuspects } from "./python-bodies.ts";
import { shrunkSuspects } from "./shrunk.ts";
import type { Suspect } from "./suspect.ts";

export interface ChangedFile {
  path: string;
  text: string;
  /** As it was in the last accepted tree. Absent: it is new. */
  before?: string;
}

export interface SourceFile {
  path: string;
  text: string;
}

export const mayHoldStubs = (path: string): boolean => languageOf(path) !== undefined;

/** `others`: the rest of the tree; asked for only where a finding depends on it. */
export function findStubs(changed: ChangedFile[], others: () => SourceFile[]): Finding[] {
  const found = changed.flatMap((file) => {
    const fresh = withoutOld(suspectsIn(file.path, file.text), file.before, file.path);
    return fresh.slice(0, SUSPECTS).map((suspect) => ({ path: file.path, suspect }));
  });
  const rest = once(others);
  const isExtended = remembered((name) => [...changed, ...rest()].some((file) => extend(file, name)));
  const settled = found.filter(({ suspect: { unlessExtended: name } }) => name === undefined || !isExtended(name));
  const stubs = settled.map(({ path, suspect: { line, message } }) => ({ path, line, message, rule: RULE }));
  return [...stubs, ...shrunkSuspects(changed, rest).map((one) => ({ ...one, rule: RULE }))].slice(0, STUBS);
}

function once<T>(read: () => T[]): () => T[] {
  let known: T[] | undefined;
  return () => {
    known ??= read();
    return known;
  };
}

function remembered(answer: (name: string) => boolean): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    const found = known.get(name) ?? answer(name);
    known.set(name, found);
    return found;
  };
}

const RULE = "stub";
/** Who left more has been told enough. */
const STUBS = 50;
const SUSPECTS = 200;
/** What a machine wrote is not read line by line. */
const LONGEST_TEXT = 400_000;
const LONGEST_LINE = 500;

function suspectsIn(path: string, text: string): Suspect[] {
  const language = languageOf(path);
  if (!language || text.length > LONGEST_TEXT) return [];
  try {
    return suspectsOf(path, text, language);
  } catch (problem) {
    // Strings within strings without end: nobody writes code so.
    if (problem instanceof RangeError) return [];
    throw problem;
  }
}

function suspectsOf(path: string, text: string, language: Language): Suspect[] {
  const written = text.split("\n").map((line) => line.length <= LONGEST_LINE);
  const tokens = lex(text, language);
  const elisions = commentsIn(tokens)
    .filter(isElision)
    .map(({ line, text: comment }) => ({ line, message: elided(comment) }));
  const bodies = bodiesIn(path, tokens, language);
  const toldOf = (comment: number): boolean =>
    bodies.some(({ line, lastLine = line }) => line <= comment && comment <= lastLine);
  return [...elisions.filter(({ line }) => !toldOf(line)), ...bodies]
    .filter(({ line }) => written[line - 1])
    .sort((one, other) => one.line - other.line);
}

function bodiesIn(path: string, tokens: Token[], language: Language): Suspect[] {
  if (language.name === "python") return pythonSuspects(path, tokens);
  if (language.name === "javascript") return javascriptSuspects(path, tokens);
  return otherSuspects(tokens, language);
}

function elided(comment: string): string {
  const shown = comment.replace(/\s+/g, " ").slice(0, COMMENT_CHARS);
  return `"${shown}" stands where code should: nothing is filled in later, so write that code out`;
}
const COMMENT_CHARS = 80;

/** What the accepted tree had, or the user gave, is not held against who changes something else in the file. */
function withoutOld(suspects: Suspect[], before: string | undefined, path: string): Suspect[] {
  if (before === undefined || suspects.length === 0) return suspects;
  const old = suspectsIn(path, before).map(({ message }) => message);
  return suspects.filter(({ message }) => {
    const at = old.indexOf(message);
    if (at !== -1) old.splice(at, 1);
    return at === -1;
  });
}

/** Others build upon the class: in Python between brackets, elsewhere after a word. */
const extend = ({ text }: SourceFile, name: string): boolean =>
  text.includes(name) &&
  new RegExp(
    `\\bclass\\s+\\w+[^:{]{0,300}?(?:[(,.]|\\bextends)\\s*(?:[\\w.]+\\.)?${name.replaceAll("$", "\\$")}\\b`,
  ).test(text);
