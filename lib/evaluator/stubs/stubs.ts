/** Finds code that is not written: empty and refusing bodies, and lost code, are errors; suspicious wording is advice. Pure. */
import { lex, type Token } from "../../core/text/lex.ts";
import { type ReadableLanguage, readableLanguageOf } from "../../core/text/source-languages.ts";
import type { Finding } from "../../core/verdict/verdict.ts";
import { braceStubs } from "./brace-bodies.ts";
import type { Stub } from "./excuses.ts";
import { lostCode } from "./lost-code.ts";
import { loneDots, pythonStubs } from "./python-bodies.ts";
import { elisionsIn } from "./wording.ts";

export interface SourceFile {
  path: string;
  text: string;
}

export interface ChangedSource extends SourceFile {
  /** As it was in the last accepted tree. Absent: it is new. */
  before?: string;
}

export interface StubFindings {
  errors: Finding[];
  warnings: Finding[];
}

/** A file of declarations only declares what is written elsewhere. */
export const mayHoldStubs = (path: string): boolean =>
  !/\.d\.[cm]?ts$/.test(path) && readableLanguageOf(path) !== undefined;

const RULE = "stub";
/** Findings reported at most. */
const ERRORS = 50;
const WARNINGS = 20;

/** `others`: the rest of the tree; read only where a finding depends on it. */
export function findStubs(changed: ChangedSource[], others: () => SourceFile[]): StubFindings {
  let read: SourceFile[] | undefined;
  const rest = (): SourceFile[] => {
    read ??= others();
    return read;
  };
  const extended = new Map<string, boolean>();
  const isExtended = (name: string): boolean => {
    const known = extended.get(name) ?? [...changed, ...rest()].some((file) => extendsClass(file, name));
    extended.set(name, known);
    return known;
  };
  const found = changed.flatMap((file) =>
    withoutOld(suspectsIn(file.path, file.text), file.before, file.path).map((one) => ({ ...one, path: file.path })),
  );
  const stubs = found.filter((one) => !one.isAdvice && !(one.unlessExtended && isExtended(one.unlessExtended)));
  const findings = (all: Finding[]): Finding[] =>
    all.map(({ path, line, message }) => ({ path, message, rule: RULE, ...(line === undefined ? {} : { line }) }));
  return {
    errors: findings([...stubs, ...lostCode(changed, rest)]).slice(0, ERRORS),
    warnings: findings(found.filter(({ isAdvice }) => isAdvice)).slice(0, WARNINGS),
  };
}

type Suspect = Pick<Stub, "line" | "message" | "unlessExtended"> & { isAdvice?: true };

/** Generated code is not read. */
const LONGEST_TEXT = 400_000;
const LONGEST_LINE = 500;

function suspectsIn(path: string, text: string): Suspect[] {
  const language = mayHoldStubs(path) ? readableLanguageOf(path) : undefined;
  if (!language || text.length > LONGEST_TEXT) return [];
  const lines = text.split("\n");
  const tokens = lex(text, language.shape);
  const stubs: Stub[] = bodiesIn(path, tokens, language);
  const dots = language.shape.dialect === "python" ? loneDots(tokens) : [];
  const advice = [...elisionsIn(tokens), ...dots.map((line) => ({ line, comment: "..." }))]
    .filter(({ line }) => !stubs.some((stub) => stub.line <= line && line <= stub.lastLine))
    .map(({ line, comment }): Suspect => ({ line, message: elided(comment), isAdvice: true }));
  return [...advice, ...stubs]
    .filter(({ line }) => (lines[line - 1] ?? "").length <= LONGEST_LINE)
    .sort((one, other) => one.line - other.line);
}

const bodiesIn = (path: string, tokens: Token[], language: ReadableLanguage): Stub[] =>
  language.shape.dialect === "python" ? pythonStubs(path, tokens) : braceStubs(path, tokens, language);

const COMMENT_CHARS = 80;
const elided = (comment: string): string =>
  `"${comment.slice(0, COMMENT_CHARS)}" may replace code: nothing is filled in later`;

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

/** In Python between brackets, elsewhere after a word. */
const extendsClass = ({ text }: SourceFile, name: string): boolean =>
  text.includes(name) &&
  new RegExp(
    `\\bclass\\s+\\w+[^:{]{0,300}?(?:[(,.]|\\bextends)\\s*(?:[\\w.]+\\.)?${name.replaceAll("$", "\\$")}\\b`,
  ).test(text);
