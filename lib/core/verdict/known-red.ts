/** Known red: what was wrong in the tree that a run starts from. It does not block, and must not grow. Pure. */
import * as z from "zod";
import { isOf } from "./given-tests.ts";
import { CheckStatus, type Finding, isBroken, isOutOfTime, type TestCase, type Verdict } from "./verdict.ts";

export const KnownRed = z.object({
  /** Names of test cases that did not pass. */
  cases: z.array(z.string()),
  /** What the syntax check found, each as often as it was found. */
  findings: z.array(z.string()),
  /** Cases that did not pass and are not listed: there were too many. */
  more: z.int().optional(),
  /** A check that did not come to its end: which of its cases are red is unknown. `not_run`: its time ended it. */
  tests: CheckStatus.optional(),
  syntax: CheckStatus.optional(),
});
export type KnownRed = z.infer<typeof KnownRed>;

/** The item `RUN#id / BASELINE`: how the starting tree was judged, and what of it is still known red. */
export const StoredBaseline = z.object({
  /** Of the verdict in the file store. */
  key: z.string(),
  sha256: z.string(),
  known: KnownRed,
});
export type StoredBaseline = z.infer<typeof StoredBaseline>;

/** What is red in the starting tree. */
export function knownRedOf({ syntax, tests }: Verdict): KnownRed {
  const red = tests.cases.filter(isRed);
  const more = Math.max(0, tests.failed + tests.errors - red.length);
  return bounded({
    cases: red.map(nameOf),
    findings: syntax.errors.map(findingKey),
    ...(more > 0 ? { more } : {}),
    ...(isBroken(tests.status) && (tests.status !== "failed" || red.length + more === 0)
      ? { tests: tests.status }
      : {}),
    // The rest of the suite did not have its turn. Earlier versions wrote `timed_out`, and took all that is red for known.
    ...(isOutOfTime(tests) ? { tests: "not_run" as const } : {}),
    ...(isBroken(syntax.status) && syntax.errors.length === 0 ? { syntax: syntax.status } : {}),
  });
}

/** An item of the registry holds so much; what does not fit is only counted. */
const LISTED_CHARS = 200_000;

function bounded(known: KnownRed): KnownRed {
  let room = LISTED_CHARS;
  const fits = (text: string): boolean => {
    room -= text.length * 3;
    return room >= 0;
  };
  const findings = known.findings.filter(fits);
  const cases = known.cases.filter(fits);
  const more = (known.more ?? 0) + known.cases.length - cases.length;
  const isCut = findings.length < known.findings.length;
  return { ...known, findings, cases, ...(more > 0 ? { more } : {}), ...(isCut ? { syntax: "failed" } : {}) };
}

/** How many there are; a check that did not come to its end counts as one. */
export const countKnownRed = ({ cases, findings, more = 0, tests, syntax }: KnownRed): number =>
  cases.length + findings.length + more + (tests ? 1 : 0) + (syntax ? 1 : 0);

/** The verdict with what was red before marked and no longer counted. Marked verdicts stay as they are. */
export function markKnownRed(verdict: Verdict, known: KnownRed | undefined): Verdict {
  const { syntax, tests } = verdict;
  if (!known || countKnownRed(known) === 0 || syntax.knownRed || tests.knownRed) return verdict;
  return { ...verdict, syntax: markSyntax(syntax, known), tests: markTests(tests, known) };
}

function markSyntax(syntax: Verdict["syntax"], known: KnownRed): Verdict["syntax"] {
  if (!isBroken(syntax.status)) return syntax;
  const left = [...known.findings];
  const errors = syntax.errors.map((error): Finding => {
    const at = left.indexOf(findingKey(error));
    if (at >= 0) left.splice(at, 1);
    return at >= 0 || known.syntax ? { ...error, known: true } : error;
  });
  const count = errors.filter((error) => error.known).length;
  const isUncertain = known.syntax !== undefined && (count > known.findings.length - left.length || count === 0);
  if (count === 0 && !isUncertain) return syntax;
  const knownRed = { count, ...(isUncertain ? { isUncertain } : {}) };
  const isClear = syntax.status === "failed" && count > 0 && count === errors.length;
  return { ...syntax, errors, knownRed, ...(isClear ? { status: "passed" as const } : {}) };
}

function markTests(tests: Verdict["tests"], known: KnownRed): Verdict["tests"] {
  if (!isBroken(tests.status)) return tests;
  const names = new Set(known.cases);
  // A file that could not be loaded has hidden its cases.
  const isHidden = (one: TestCase): boolean =>
    (known.tests !== undefined && known.tests !== "not_run") ||
    known.cases.some((name) => name !== one.name && isOf(one, name));
  const listed = tests.cases.filter(isRed);
  const hidden = listed.filter((one) => !names.has(nameOf(one)) && isHidden(one));
  const red = new Set(listed.filter((one) => names.has(nameOf(one)) || hidden.includes(one)));
  // Beyond what both lists hold only numbers can be compared.
  const open = tests.failed + tests.errors - red.size;
  const counted = open <= (known.more ?? 0) ? open : 0;
  const count = red.size + counted;
  const isStopped = known.tests !== undefined && tests.status !== "failed";
  const isUncertain = isStopped || hidden.length > 0 || counted > 0;
  if (count === 0 && !isUncertain) return tests;
  const errors = [...red].filter(({ status }) => status === "error").length;
  const isClear = tests.status === "failed" && count > 0 && open === counted;
  return {
    ...tests,
    cases: tests.cases.map((one) => (red.has(one) || (counted > 0 && isRed(one)) ? { ...one, known: true } : one)),
    failed: isClear ? 0 : tests.failed - (red.size - errors),
    errors: isClear ? 0 : tests.errors - errors,
    knownRed: { count, ...(isUncertain ? { isUncertain } : {}) },
    ...(isClear ? { status: "passed" as const } : {}),
  };
}

export interface KnownRedLeft {
  left: KnownRed;
  /** Names of what is red no more. */
  mended: string[];
}

/** What is left of it in the tree of this marked verdict. Only a check that came to its end says that something is mended. */
export function knownRedAfter(known: KnownRed, { syntax, tests }: Verdict): KnownRedLeft {
  const isSyntaxDone = (syntax.status === "passed" || syntax.status === "failed") && !syntax.scope;
  const isTestsDone = (tests.status === "passed" || tests.status === "failed") && !tests.scope;
  const errors = syntax.errors.filter((error) => error.known).map(findingKey);
  const findings = isSyntaxDone ? errors : known.findings;
  const cases = isTestsDone ? casesLeft(known, tests) : known.cases;
  const { more = 0, tests: stopped, syntax: unsure } = known;
  const moreLeft = isTestsDone ? Math.min(more, Math.max(0, (tests.knownRed?.count ?? 0) - cases.length)) : more;
  const gone = findings.reduce((rest, one) => without(rest, one), known.findings);
  return {
    left: bounded({
      cases,
      findings,
      ...(moreLeft > 0 ? { more: moreLeft } : {}),
      ...(stopped && !isTestsDone ? { tests: stopped } : {}),
      ...(unsure && !isSyntaxDone ? { syntax: unsure } : {}),
    }),
    mended: [...known.cases.filter((name) => !cases.includes(name) && isSeenGreen(name, tests)), ...gone],
  };
}

/** It passes, or the file whose loading failed has cases now; what was deleted is not mended. */
const isSeenGreen = (name: string, { cases }: Verdict["tests"]): boolean =>
  cases.some((one) => (nameOf(one) === name ? one.status === "passed" : isOf(one, name)));

/** A case that is skipped now, or not listed, is still red. */
function casesLeft(known: KnownRed, tests: Verdict["tests"]): string[] {
  const { passed, failed, errors, skipped, knownRed } = tests;
  const isWhole = tests.cases.length >= passed + failed + errors + skipped + (knownRed?.count ?? 0);
  const status = new Map(tests.cases.map((one) => [nameOf(one), one]));
  const still = known.cases.filter((name) => {
    const now = status.get(name);
    return now ? now.status !== "passed" : !isWhole;
  });
  const shown = tests.cases.filter((one) => one.known && isRed(one)).map(nameOf);
  return [...new Set([...still, ...shown])];
}

const without = (list: string[], one: string): string[] => {
  const at = list.indexOf(one);
  return at < 0 ? list : list.toSpliced(at, 1);
};

export const isRed = ({ status }: Pick<TestCase, "status">): boolean => status === "failed" || status === "error";

const NAME_CHARS = 500;
const nameOf = ({ name }: Pick<TestCase, "name">): string => name.slice(0, NAME_CHARS).toWellFormed();

/** Without places, which move with every edit. */
const findingKey = ({ path, rule = "", message }: Finding): string =>
  `${path}: ${message.replaceAll(/\d+/g, "#")}${rule === "" ? "" : ` (${rule})`}`.slice(0, NAME_CHARS).toWellFormed();
