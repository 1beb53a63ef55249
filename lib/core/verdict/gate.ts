/** The gate: may an instruction be accepted with this verdict? Pure. */
import { oneLine } from "../text/cut.ts";
import { type CheckStatus, isSettled, type Verdict } from "./verdict.ts";

export interface GateSettings {
  /** An earlier accepted tree had tests: then their absence is not accepted any more. */
  testsSeen: boolean;
  /** What the pack's domain has: a book has no tests. */
  syntax: boolean;
  tests: boolean;
}

/** What the gate holds an instruction to beside the verdict: the tests that were there before it. */
export interface TestBaseline {
  /** A locked test says less than it did, and no amendment says why. */
  weakened?: boolean;
  /** Tests that passed in the last accepted tree, where so many must pass again. */
  passedBefore?: number | undefined;
  /** A test that the user gave does not pass and should. */
  givenBroken?: boolean;
}

export type GateCheck = "syntax" | "tests" | "command" | "locked tests" | "given tests";

export type GateDecision = { accepted: true; unchecked: string[] } | { accepted: false; blocking: GateCheck[] };

/** Unknown is neither passed nor stuck: it is accepted as unchecked where nothing better can be known. */
const UNCHECKED_REASONS = new Set(["no_toolchain", "package_missing"]);

type Opinion = "fine" | "blocks" | { unchecked: string };

export function decideGate(verdict: Verdict, settings: GateSettings, standing: TestBaseline = {}): GateDecision {
  const opinions = {
    syntax: settings.syntax ? opinionOf("syntax", verdict.syntax) : "fine",
    tests: settings.tests ? testsOpinion(verdict, settings, standing) : "fine",
    command: verdict.command ? opinionOf("the pack's check", verdict.command) : "fine",
    "locked tests": standing.weakened ? "blocks" : "fine",
    "given tests": standing.givenBroken ? "blocks" : "fine",
  } satisfies Record<GateCheck, Opinion>;
  const blocking = (Object.keys(opinions) as GateCheck[]).filter((name) => opinions[name] === "blocks");
  if (blocking.length > 0) return { accepted: false, blocking };
  const unchecked = Object.values(opinions).flatMap((opinion) =>
    typeof opinion === "object" ? [opinion.unchecked] : [],
  );
  return { accepted: true, unchecked };
}

function testsOpinion(verdict: Verdict, settings: GateSettings, standing: TestBaseline): Opinion {
  if (haveVanished(verdict, standing)) return "blocks";
  if (verdict.tests.status !== "not_found") return opinionOf("tests", verdict.tests);
  return settings.testsSeen ? "blocks" : { unchecked: "tests: there is code but there are no tests" };
}

interface CheckResult {
  status: CheckStatus;
  reason?: string | undefined;
  detail?: string | undefined;
}

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
