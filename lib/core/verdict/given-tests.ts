/** Tests that the user gave: which cases of a run are theirs, and how many of them pass. Pure. */
import * as z from "zod";
import { lex, type Token } from "../text/lex.ts";
import { go, javascript, python, type ReadableLanguage } from "../text/source-languages.ts";
import { isFoundByRunners } from "./test-paths.ts";
import type { TestCase, Verdict } from "./verdict.ts";

/** Apart from what the run wrote to test with. `not_run`: the ordinary run alone speaks for them; `detail` says why. */
export const ApartRun = z.object({ status: z.enum(["passed", "not_run"]), detail: z.string().optional() });
export type ApartRun = z.infer<typeof ApartRun>;

export const GivenCount = z.object({
  passed: z.int().nonnegative(),
  total: z.int().nonnegative(),
  /** Of the last instruction. */
  apart: ApartRun.optional(),
});
export type GivenCount = z.infer<typeof GivenCount>;

/** How the given tests fare; undefined where the verdict does not tell all its cases. */
export function givenCount({ tests }: Verdict, given: readonly string[]): GivenCount | undefined {
  if (tests.cases.length < tests.passed + tests.failed + tests.errors + tests.skipped) return undefined;
  const theirs = tests.cases.filter((one) => given.some((path) => isOf(one, path)));
  return theirs.length === 0
    ? undefined
    : { passed: theirs.filter(({ status }) => status === "passed").length, total: theirs.length };
}

/** For people: `given tests 3/3 (not run apart: why)` */
export const givenNote = ({ passed, total, apart }: GivenCount): string =>
  `given tests ${passed}/${total}${apart?.status === "not_run" ? ` (not run apart: ${apart.detail ?? "unknown"})` : ""}`;

/**
 * Without these files what is left is what the run wrote itself. Beside what runners find by themselves, these are the
 * files that turn out to have cases, or to need what is not there; what such tests share stays for the others.
 */
export const givenToLeaveOut = ({ syntax, tests }: Verdict, given: readonly string[]): string[] =>
  given.filter(
    (path) =>
      isFoundByRunners(path) ||
      syntax.errors.some((error) => error.path === path) ||
      tests.cases.some((one) => isOf(one, path)),
  );

/** Files that runners would look into, and of which the verdict says nothing. */
export const givenUnseen = ({ tests }: Verdict, given: readonly string[]): string[] =>
  given.filter((path) => isFoundByRunners(path) && !tests.cases.some((one) => isOf(one, path)));

/** What tests share lies among them, and no runner has anything to say of it. Of a language that we cannot read: it may. */
export function holdsTests(path: string, text: string): boolean {
  if (path.endsWith(".py")) return PYTHON_TESTS.test(codeOf(tokensOf(text, python)));
  if (path.endsWith(".go")) return /\bfunc (?:Test|Fuzz|Example)/.test(codeOf(tokensOf(text, go)));
  if (!/\.(?:[cm]?[jt]s|[jt]sx)$/.test(path)) return true;
  const tokens = tokensOf(text, javascript);
  const code = codeOf(tokens);
  if (RENAMED_RUNNER.test(code)) return true;
  // What others import may declare tests when they call it.
  if (EXPORTS.test(code)) return SCRIPT_TESTS.test(codeOf(outermost(tokens)));
  return SCRIPT_TESTS.test(code) || FAILING.test(code);
}

/** Functions, classes that take their tests from others, and what is brought from elsewhere. */
const PYTHON_TESTS =
  /\bdef (?:test|runTest\b)|\bclass \w*Test\w* \( (?![^)]*TestCase)\w|(?:^|\n)test\w* =|\bimport (?:\*|[\w ,(]*\btest_)/;
const SCRIPT_TESTS = /(?<!\. )\b(?:test|it|describe|suite|context|specify)(?: \. \w+)* [('`]/;
const RUNNERS = "'(?:node:test|vitest|@jest/globals|mocha|ava|tap|tape|uvu|qunit|@playwright/test)'";
/** Under a name of their own: `import check from "node:test"`, `import { test as check }`. */
const RENAMED_RUNNER = new RegExp(
  `import (?:\\* as )?\\w+ (?:, {[^}]*} )?from ${RUNNERS}|\\w = require \\( ${RUNNERS}|\\b(?:test|it|describe|suite) (?:as|:) \\w+[^}]*} (?:from|= require \\() ${RUNNERS}`,
);
const EXPORTS = /\bexport\b|\bmodule \. exports\b|\bexports \. \w/;
/** A script that is a test by itself. */
const FAILING = /\b(?:throw|assert\w*|expect|should|process \. (?:exit|exitCode|abort))\b/;

const tokensOf = (text: string, { shape }: ReadableLanguage): Token[] => lex(text, shape);

/** Words and marks, a line feed before each line, and of strings only the names of modules. */
const codeOf = (tokens: Token[]): string =>
  tokens
    .filter(({ kind }) => kind !== "comment")
    .map(({ kind, text, first }) => (first ? "\n" : " ") + (kind === "string" ? plainString(text) : text))
    .join("")
    .replaceAll(/ ?\n(?!\w+ =)/g, " ");

const plainString = (text: string): string => (/^["'][@\w:/-]+["']$/.test(text) ? `'${text.slice(1, -1)}'` : "''");

/** Without what is between braces. */
function outermost(tokens: Token[]): Token[] {
  let depth = 0;
  return tokens.filter(({ kind, text }) => {
    if (kind === "mark" && text === "}") depth -= 1;
    const out = depth <= 0;
    if (kind === "mark" && text === "{") depth += 1;
    return out;
  });
}

/** `tests/test_a.py::test_b`, `test/a.test.js > adds`; unittest names the module: `tests.test_a.Case.test_b`; Java, the class. */
export function isOf({ name }: Pick<TestCase, "name">, path: string): boolean {
  if (name.startsWith(path)) return !/^[\w./-]/.test(name.slice(path.length));
  if (path.endsWith(".java")) {
    const [owner = ""] = name.split(/[$ ]/, 1);
    return owner !== "" && `/${path}`.endsWith(`/${owner.replaceAll(".", "/")}.java`);
  }
  if (!path.endsWith(".py")) return false;
  const parts = path.slice(0, -".py".length).split("/");
  // Only folders that are packages are in a module's name.
  return parts.some((_, from) => name.startsWith(`${parts.slice(from).join(".")}.`));
}
