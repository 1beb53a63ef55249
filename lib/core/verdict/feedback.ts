/** What a verdict says to the model: short, the worst first, foreign text between fences. Pure. */

import { headAndTail, oneLine } from "../text/cut.ts";
import { sanitize } from "../text/sanitize.ts";
import { commandOutput } from "./command-feedback.ts";
import { type FailureGroup, groupFailures } from "./group-failures.ts";
import { withOutput } from "./program-output.ts";
import { type Finding, PROSE, type TestCase, type Verdict } from "./verdict.ts";
import { commandWords, missingWords, scopeWords, syntaxTitle, syntaxWords, testsWords } from "./verdict-words.ts";

/** What was checked, in about `chars` characters at most. */
export function feedbackOf(verdict: Verdict, chars: number = FEEDBACK_CHARS): string {
  const { syntax, tests, command, truncated } = verdict;
  const sentences = [syntaxSentence(syntax), `Tests: ${testsWords(tests)}.`, ...scopeWords(verdict)];
  if (command) sentences.push(`Command: ${commandWords(command)}.`);
  sentences.push(...missingWords(verdict), ...cutWords(truncated));
  const outputs = [syntaxDetails(syntax), testDetails(tests, chars), ...(command ? commandOutput(command, chars) : [])];
  return withOutput(sentences, outputs, chars);
}

/** Only what the syntax check found. */
export const syntaxFeedback = ({ syntax }: Verdict, chars: number = FEEDBACK_CHARS): string =>
  withOutput([syntaxSentence(syntax)], [syntaxDetails(syntax)], chars);

const syntaxSentence = (syntax: Verdict["syntax"]): string => `${syntaxTitle(syntax)}: ${syntaxWords(syntax)}.`;

const FEEDBACK_CHARS = 8_000;
/** The first errors are the causes; the rest mostly follow from them. */
const FINDINGS_SHOWN = 20;
/** They block nothing, and are not worth many words. */
const WARNINGS_SHOWN = 3;
const CASES_SHOWN = 10;
/** They do not block, and may still be what the task is about. */
const KNOWN_SHOWN = 5;
const NAMES_SHOWN = 5;
const NAME_CHARS = 120;
const LINE_CHARS = 300;
const MESSAGE_CHARS = 1_500;
const MESSAGE_FLOOR = 150;
const OUTPUT_CHARS = 3_000;

function syntaxDetails({ errors: all, reason, warnings = [] }: Verdict["syntax"]): string {
  const errors = all.filter(({ known }) => !known);
  const knownErrors = all.filter(({ known }) => known);
  const shown = errors.slice(0, FINDINGS_SHOWN).map(findingLine);
  const shownKnown = knownErrors.slice(0, KNOWN_SHOWN).map((error) => `Known red: ${findingLine(error)}`);
  const advice = warnings.slice(0, WARNINGS_SHOWN).map((warning) => `Advice: ${findingLine(warning)}`);
  return [
    ...shown,
    ...andMore(errors.length - shown.length, reason === PROSE ? "findings" : "syntax errors"),
    ...shownKnown,
    ...andMore(knownErrors.length - shownKnown.length, "known errors"),
    ...advice,
    ...andMore(warnings.length - advice.length, "pieces of advice"),
  ].join("\n");
}

function findingLine({ path, line, column, message, rule }: Finding): string {
  const place = [oneLine(path, LINE_CHARS), line, column].filter((part) => part !== undefined).join(":");
  return `${place} ${oneLine(message, LINE_CHARS)}${rule ? ` (${oneLine(rule, 60)})` : ""}`;
}

function testDetails(tests: Verdict["tests"], chars: number): string {
  const red = tests.cases.filter((one) => one.status === "failed" || one.status === "error");
  const bad = red.filter(({ known }) => !known);
  const shown = groupFailures(bad).slice(0, CASES_SHOWN);
  const mentioned = mentionedIn(shown);
  const before = groupFailures(red.filter(({ known }) => known)).slice(0, KNOWN_SHOWN);
  const room = Math.floor(chars / 2 / Math.max(1, shown.length + before.length));
  const messageChars = Math.min(MESSAGE_CHARS, Math.max(MESSAGE_FLOOR, room));
  const lines = [
    ...shown.map((one) => caseText(one, messageChars)),
    ...andMore(bad.length - mentioned, "tests that did not pass"),
    ...(before.length > 0 ? [KNOWN_RED] : []),
    ...before.map((one) => caseText(one, messageChars)),
    ...andMore(red.length - bad.length - mentionedIn(before), "known red tests"),
  ];
  const output = tests.status === "passed" ? "" : sanitize(tests.output).trim();
  if (output !== "") lines.push(`Output of the test run:\n${headAndTail(output, OUTPUT_CHARS)}`);
  return lines.join("\n\n");
}

const KNOWN_RED = "Known red, from before the run began; it does not block:";

const mentionedIn = (groups: FailureGroup[]): number => groups.reduce((sum, { others }) => sum + 1 + others.length, 0);

function caseText({ first: { name, status, message }, others }: FailureGroup, messageChars: number): string {
  const title = `${status === "error" ? "ERROR" : "FAILED"} ${oneLine(name, LINE_CHARS)}`;
  const said = sanitize(message ?? "").trim();
  const parts = [title, ...(said === "" ? [] : [headAndTail(said, messageChars)]), ...moreLikeIt(others)];
  return parts.join("\n");
}

/** Their messages are shown above. */
function moreLikeIt(others: TestCase[]): string[] {
  if (others.length === 0) return [];
  const names = others.slice(0, NAMES_SHOWN).map(({ name }) => oneLine(name, NAME_CHARS));
  return [`… and ${others.length} more like it: ${names.join(", ")}${others.length > names.length ? ", …" : ""}`];
}

const andMore = (count: number, what: string): string[] => (count > 0 ? [`… and ${count} more ${what}`] : []);

const cutWords = (truncated: string[]): string[] =>
  truncated.length > 0 ? [`Cut short: ${oneLine(truncated.join("; "), LINE_CHARS)}.`] : [];
