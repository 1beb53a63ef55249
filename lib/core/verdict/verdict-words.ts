/** Each status of a check in words: for the model in sentences, for watchers in a few words. Pure. */

import { oneLine } from "../text/cut.ts";
import { pluralize } from "../text/format.ts";
import { type CheckStatus, PROSE, type Scope, type Verdict } from "./verdict.ts";

/** A verdict for watchers: `syntax ok · 12 passed · 1 failed`. */
export const noteOf = (verdict: Verdict): string =>
  [
    ...[syntaxNote(verdict.syntax), testsNote(verdict.tests)],
    ...packagesNote(verdict.missingPackages),
    scopeNote(scopesOf(verdict)),
  ]
    .filter((part) => part !== "")
    .join(" · ");

export function syntaxNote({ status, reason, errors, knownRed }: Verdict["syntax"]): string {
  const known = knownRed ? ` · ${knownRed.count} known` : "";
  if (status === "passed") return (reason === PROSE ? "text ok" : "syntax ok") + known;
  if (status === "failed") return findingsNote(errors.filter((error) => !error.known)) + known;
  return wasAsked(reason) ? `syntax ${BRIEFLY[status]}${reasonNote(reason)}` : "";
}

/** What was left out is well formed, and still no code; and a book has no syntax. */
function findingsNote(errors: Verdict["syntax"]["errors"]): string {
  const stubs = errors.filter(({ rule }) => rule === STUB).length;
  const inText = errors.filter(({ rule = "" }) => PROSE_RULES.has(rule)).length;
  const imports = errors.filter(({ message }) => UNRESOLVED.test(message)).length;
  const broken = errors.length - stubs - inText - imports;
  return [
    broken > 0 || errors.length === 0 ? pluralize(broken, "syntax error") : "",
    imports > 0 ? pluralize(imports, "unresolved import") : "",
    stubs > 0 ? pluralize(stubs, "stub") : "",
    inText > 0 ? `${pluralize(inText, "finding")} in the text` : "",
  ]
    .filter((note) => note !== "")
    .join(" · ");
}

/** How checkers name a module of the project that is not there. */
const UNRESOLVED = /^there is no module ".*" in the project$/;

/** The rules of the evaluator that find it. */
const STUB = "stub";
const PROSE_RULES = new Set(["words", "repeated", "meta", "reference"]);

/** What the first check is about. */
export const syntaxTitle = ({ reason }: Verdict["syntax"]): string => (reason === PROSE ? "Text" : "Syntax");

export function testsNote(tests: Verdict["tests"]): string {
  const counts = countsOf(tests);
  if (tests.status === "passed") return tests.scope?.files === 0 ? "tests as before" : counts.join(" · ");
  if (tests.status === "failed") return counts.length > 0 ? counts.join(" · ") : "tests failed";
  return wasAsked(tests.reason) ? `tests ${BRIEFLY[tests.status]}${reasonNote(tests.reason)}` : "";
}

export function syntaxWords(syntax: Verdict["syntax"]): string {
  const { status, knownRed } = syntax;
  const errors = syntax.errors.filter(({ known }) => !known);
  if (status === "passed")
    return knownRed ? `ok, but for ${pluralize(knownRed.count, "error")} from before the run` : "ok";
  if (status === "failed") return `${pluralize(errors.length, "error")}${because(syntax)}`;
  if (status === "timed_out") return `the check was stopped, because it ran out of time${because(syntax)}`;
  if (status === "crashed") return `the checker crashed${because(syntax)}`;
  return `${status === "not_found" ? "nothing found to check" : "not checked"}${because(syntax)}`;
}

export function testsWords(tests: Verdict["tests"]): string {
  const { status } = tests;
  const counts = countsOf(tests).join(", ");
  const runner = tests.runner ? ` (${oneLine(tests.runner, 60)})` : "";
  const soFar = counts === "" ? "" : `; until then ${counts}`;
  if (status === "passed" && tests.scope?.files === 0) return "passed before, and none depends on what changed";
  if (status === "passed") return `${counts || "passed"}${runner}`;
  if (status === "failed") return `${counts || "failed"}${runner}${because(tests)}`;
  if (status === "timed_out") return `stopped, because they ran out of time${runner}${because(tests)}${soFar}`;
  if (status === "crashed") return `the test run crashed${runner}${because(tests)}${soFar}`;
  return `${status === "not_found" ? "none found" : "not run"}${because(tests)}`;
}

export interface Scopes {
  syntax?: Scope | undefined;
  tests?: Scope | undefined;
}

/** Of what it does not hold, everything was looked at. */
export const scopesOf = ({ syntax, tests }: Verdict): Scopes => ({
  ...(syntax.scope ? { syntax: syntax.scope } : {}),
  ...(tests.scope ? { tests: tests.scope } : {}),
});

/** What was left out, for watchers. */
export function scopeNote({ syntax, tests }: Scopes): string {
  const parts = [
    ...(syntax ? [`checked ${syntax.files} of ${pluralize(syntax.of, "file")}`] : []),
    ...(tests ? [`ran ${tests.files} of ${pluralize(tests.of, "test file")}`] : []),
  ];
  return parts.length > 0 ? `${parts.join(", ")}; everything at the gate` : "";
}

/** What was left out, for the model. */
export function scopeWords(verdict: Verdict): string[] {
  const said = scopeNote(scopesOf(verdict)).replace("; everything at the gate", "");
  return said === "" ? [] : [`This time only ${said}; complete_instruction checks everything.`];
}

export function commandWords(command: NonNullable<Verdict["command"]>): string {
  const { status, exitCode } = command;
  if (status === "timed_out") return `stopped, because it ran out of time${because(command)}`;
  if (status === "crashed") return `crashed${because(command)}`;
  if (status === "not_run" || status === "not_found") return `not run${because(command)}`;
  return `${exitCode === null ? "ended by a signal" : `exit code ${exitCode}`}${because(command)}`;
}

export function commandNote(command: Verdict["command"]): string {
  if (!command) return "not run";
  const ended = command.status === "passed" || command.status === "failed";
  return ended ? `exit ${command.exitCode ?? "by a signal"}` : BRIEFLY[command.status];
}

/** One sentence, so that its consequences are not taken for an error of the program. */
export function missingWords({ missingPackages, availablePackages = [] }: Packages): string[] {
  if (missingPackages.length === 0) return [];
  const missing = missingPackages.map((one) => one.replace(/^(.*?): (.*)$/s, "$1 ($2)")).join(", ");
  const instead =
    availablePackages.length > 0 ? `; available: ${oneLine(availablePackages.join(", "), PACKAGES_CHARS)}` : "";
  return [`Packages that are not available: ${oneLine(missing, PACKAGES_CHARS)}${instead}.`];
}

type Packages = Pick<Verdict, "missingPackages" | "availablePackages">;

const PACKAGES_CHARS = 1_000;

/** Why, in words: reasons are codes or the evaluator's own text, details are its text. */
export function because({ reason, detail }: Pick<Verdict["syntax"], "reason" | "detail">): string {
  const said = [
    ...(reason && reason !== PROSE ? [wordsFor(reason)] : []),
    ...(detail ? [oneLine(detail, REASON_CHARS)] : []),
  ];
  return said.length > 0 ? ` (${said.join(": ")})` : "";
}

const REASON_CHARS = 300;

const REASONS: Record<string, string> = {
  nothing_to_check: "there is no code to check",
  no_toolchain: "the tools for this language are not installed here",
  package_missing: "a package is missing",
  out_of_time: "it takes longer than a check may take",
  turned_off: "the user turned it off",
  not_asked: "not asked for",
  tampered: "the report of the tests was tampered with",
};

const wordsFor = (reason: string): string =>
  Object.hasOwn(REASONS, reason) ? (REASONS[reason] ?? reason) : oneLine(reason, REASON_CHARS);

const BRIEFLY: Record<CheckStatus, string> = {
  passed: "passed",
  failed: "failed",
  timed_out: "timed out",
  crashed: "crashed",
  not_found: "not found",
  not_run: "not run",
};

/** A check that was not requested is not mentioned. */
const wasAsked = (reason: string | undefined): boolean => reason !== "not_asked";

const reasonNote = (reason: string | undefined): string =>
  reason ? ` (${oneLine(reason.replaceAll("_", " "), 40)})` : "";

const packagesNote = (packages: string[]): string[] =>
  packages.length > 0 ? [`${pluralize(packages.length, "package")} missing`] : [];

function countsOf({ passed, failed, errors, skipped, knownRed }: Verdict["tests"]): string[] {
  const counts: [number, string][] = [
    [passed, "passed"],
    [failed, "failed"],
    [errors, errors === 1 ? "error" : "errors"],
    [skipped, "skipped"],
    [knownRed?.count ?? 0, "known red"],
  ];
  return counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
}
