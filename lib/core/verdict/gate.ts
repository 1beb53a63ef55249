/** The gate: may an instruction be accepted with this verdict? Pure. */
import { oneLine } from "../text/cut.ts";
import { type CheckStatus, isSettled, type Verdict } from "./verdict.ts";

export interface GateSettings {
  /** An earlier accepted tree had tests: then their absence is not accepted any more. */
  testsSeen: boolean;
  /** The syntax check of an earlier accepted tree passed. */
  syntaxSeen?: boolean;
  /** What the pack's domain has: a book has no tests. */
  syntax: boolean;
  tests: boolean;
}

/** What the gate holds an instruction to beside the verdict: what was there before it, and how it was offered so far. */
export interface TestBaseline {
  /** A locked test says less than it did, and no amendment says why. */
  weakened?: boolean;
  /** Whether one does is not known: their time ended its accepted version. */
  lockedLate?: boolean;
  /** Tests that passed in the last accepted tree, where so many must pass again. */
  passedBefore?: number | undefined;
  /** A test that the user gave does not pass and should. */
  givenBroken?: boolean;
  /** The instruction changed no file, and is offered for the first time. */
  unchanged?: boolean;
  /** Checks that were refused often enough on this very tree because they cannot run any more. */
  conceded?: ReadonlySet<GateCheck>;
}

export type GateCheck =
  | "syntax"
  | "tests"
  | "command"
  | "locked tests"
  | "given tests"
  | "changes"
  | "evidence"
  | "requirements";

export type GateDecision = { accepted: true; unchecked: string[] } | { accepted: false; blocking: GateCheck[] };

/** Unknown is neither passed nor stuck: it is accepted as unchecked where nothing better can be known. */
const UNCHECKED_REASONS = new Set(["no_toolchain", "package_missing", "out_of_time"]);
/** The reason of a check for which the turn had no time left: the next turn has. */
export const NO_TIME_LEFT = "no time left";

type Opinion = "fine" | "blocks" | { unchecked: string };

export function decideGate(verdict: Verdict, settings: GateSettings, standing: TestBaseline = {}): GateDecision {
  const opinions = {
    syntax: settings.syntax ? syntaxOpinion(verdict, settings, standing) : "fine",
    tests: settings.tests ? testsOpinion(verdict, settings, standing) : "fine",
    command: verdict.command ? opinionOf("the pack's check", verdict.command) : "fine",
    "locked tests": standing.weakened ? "blocks" : standing.lockedLate ? LOCKED_LATE : "fine",
    "given tests": standing.givenBroken ? "blocks" : "fine",
    changes: standing.unchanged ? "blocks" : "fine",
  } satisfies Record<Exclude<GateCheck, "evidence" | "requirements">, Opinion>;
  const blocking = (Object.keys(opinions) as (keyof typeof opinions)[]).filter((name) => opinions[name] === "blocks");
  if (blocking.length > 0) return { accepted: false, blocking };
  const unchecked = Object.values(opinions).flatMap((opinion) =>
    typeof opinion === "object" ? [opinion.unchecked] : [],
  );
  return { accepted: true, unchecked };
}

function syntaxOpinion({ syntax }: Verdict, settings: GateSettings, { conceded }: TestBaseline): Opinion {
  if (isLost(syntax, settings.syntaxSeen)) return conceded?.has("syntax") ? lost("syntax", syntax) : "blocks";
  // Our limit was too short, and the model can do nothing about it.
  if (syntax.status === "timed_out" && syntax.reason !== NO_TIME_LEFT) return { unchecked: `syntax: ${TIMED_OUT}` };
  if (syntax.knownRed?.isUncertain && isUnknownBefore(syntax)) return { unchecked: `syntax: ${BEFORE}` };
  return opinionOf("syntax", syntax);
}

/** Nothing is red that was not known to be, as far as the verdict shows. */
const isUnknownBefore = ({ status }: CheckResult): boolean => status !== "failed" && status !== "not_run";
const BEFORE = "what is red may have been red before the run began; the check did not come to its end then";

const TIMED_OUT = "the check ran out of time; a longer --check-minutes may help";
const LOCKED_LATE = { unchecked: `locked tests: ${TIMED_OUT}` };

function testsOpinion(verdict: Verdict, settings: GateSettings, standing: TestBaseline): Opinion {
  const { tests } = verdict;
  if (haveVanished(verdict, standing)) return "blocks";
  if (isLost(tests, settings.testsSeen)) return standing.conceded?.has("tests") ? lost("tests", tests) : "blocks";
  if (tests.knownRed?.isUncertain && tests.failed + tests.errors === 0 && isUnknownBefore(tests))
    return { unchecked: `tests: ${BEFORE}` };
  if (tests.status !== "not_found") return opinionOf("tests", tests);
  return settings.testsSeen ? "blocks" : { unchecked: "tests: there is code but there are no tests" };
}

interface CheckResult {
  status: CheckStatus;
  reason?: string | undefined;
  detail?: string | undefined;
}

/** It ran for an earlier accepted tree and cannot run for this one. */
export const isLost = ({ status, reason = "" }: CheckResult, seen = false): boolean =>
  seen && status === "not_run" && LOST_REASONS.has(reason);

/** Not our own limit: the model can do nothing about that. */
const LOST_REASONS = new Set(["no_toolchain", "package_missing", "nothing_to_check"]);

const lost = (what: string, { reason, detail }: CheckResult): Opinion => ({
  unchecked: `${what}: ran before, and cannot run any more: ${reason}${named(detail)}`,
});

function opinionOf(what: string, { status, reason, detail }: CheckResult): Opinion {
  if (status === "passed") return "fine";
  if (status !== "not_run") return "blocks";
  if (isSettled(reason)) return "fine";
  return reason && UNCHECKED_REASONS.has(reason) ? { unchecked: `${what}: ${reason}${named(detail)}` } : "blocks";
}

/** Which program or package it was. */
const named = (detail = ""): string => (detail === "" ? "" : ` (${oneLine(detail, DETAIL_CHARS)})`);
const DETAIL_CHARS = 200;

/** Green, and with fewer tests than there were: some are gone without a trace. */
export const haveVanished = ({ tests }: Verdict, { passedBefore }: TestBaseline): boolean =>
  tests.status === "passed" && !tests.scope && passedBefore !== undefined && tests.passed < passedBefore;

/** Whether the tree that this verdict is about has tests. */
export const hasTests = ({ tests }: Verdict): boolean =>
  tests.passed + tests.failed + tests.errors + tests.skipped > 0 ||
  tests.status === "passed" ||
  tests.status === "failed";
