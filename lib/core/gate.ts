/** The gate: may an instruction be accepted with this verdict? Pure. */
import type { CheckStatus, Verdict } from "./verdict.ts";

export interface GateSettings {
  /** An earlier accepted tree had tests: then their absence is not accepted any more. */
  testsSeen: boolean;
  /** What the pack's domain has: a book has no tests. */
  syntax: boolean;
  tests: boolean;
}

export type GateDecision =
  | { accepted: true; unchecked: string[] }
  | { accepted: false; blocking: ("syntax" | "tests" | "command")[] };

/** Unknown is neither green nor a trap: it is accepted as unchecked where nothing better can be known. */
const UNCHECKED_REASONS = new Set(["no_toolchain", "package_missing"]);
const SETTLED_REASONS = new Set(["nothing_to_check", "turned_off"]);

type Opinion = "fine" | "blocks" | { unchecked: string };

export function decideGate(verdict: Verdict, settings: GateSettings): GateDecision {
  const opinions = {
    syntax: settings.syntax ? opinionOf("syntax", verdict.syntax) : "fine",
    tests: settings.tests ? testsOpinion(verdict, settings) : "fine",
    command: verdict.command ? opinionOf("the pack's check", verdict.command) : "fine",
  } satisfies Record<string, Opinion>;
  const blocking = (["syntax", "tests", "command"] as const).filter((name) => opinions[name] === "blocks");
  if (blocking.length > 0) return { accepted: false, blocking };
  const unchecked = Object.values(opinions).flatMap((opinion) =>
    typeof opinion === "object" ? [opinion.unchecked] : [],
  );
  return { accepted: true, unchecked };
}

function testsOpinion(verdict: Verdict, settings: GateSettings): Opinion {
  if (verdict.tests.status !== "not_found") return opinionOf("tests", verdict.tests);
  return settings.testsSeen ? "blocks" : { unchecked: "tests: there is code but there are no tests" };
}

function opinionOf(what: string, { status, reason }: { status: CheckStatus; reason?: string | undefined }): Opinion {
  if (status === "passed") return "fine";
  if (status !== "not_run") return "blocks";
  if (reason && SETTLED_REASONS.has(reason)) return "fine";
  return reason && UNCHECKED_REASONS.has(reason) ? { unchecked: `${what}: ${reason}` } : "blocks";
}

/** Whether the tree that this verdict is about has tests. */
export const hasTests = ({ tests }: Verdict): boolean =>
  tests.passed + tests.failed + tests.errors + tests.skipped > 0 ||
  tests.status === "passed" ||
  tests.status === "failed";
