/** What a turn tells its watchers. Pure. */
import type { EventBody } from "../core/event.ts";
import type { ToolResult, Turn } from "../core/turn.ts";
import type { Verdict } from "../core/verdict.ts";

const VERDICTS_TOLD = 4;
const TOOLS_TOLD = 20;

export function turnEvent(turn: Turn, results: ToolResult[], contextTokens: number): EventBody {
  return {
    type: "turn",
    instruction: turn.instruction,
    turn: turn.turn,
    outcome: turn.outcome ?? "tools",
    tools: results.slice(0, TOOLS_TOLD).map(({ tool, ok, note }) => ({ name: tool, ok, note: note.slice(0, 120) })),
    inputTokens: turn.inputTokens,
    cachedTokens: turn.cachedTokens,
    outputTokens: turn.outputTokens,
    microUsd: turn.microUsd,
    milliseconds: turn.milliseconds,
    contextTokens,
  };
}

/** Only verdicts that say something; `final` is the one that the instruction was accepted with. */
export function verdictEvents(
  turn: Turn,
  verdicts: Verdict[],
  final: { verdict: Verdict; unchecked: string[] } | undefined,
): EventBody[] {
  const telling = verdicts.filter(
    (verdict) => verdict.syntax.status !== "not_run" || verdict.tests.status !== "not_run",
  );
  return telling
    .slice(-VERDICTS_TOLD)
    .map((verdict) => verdictEvent(turn, verdict, verdict === final?.verdict ? final.unchecked : undefined));
}

function verdictEvent(
  { instruction, turn }: Turn,
  { syntax, tests }: Verdict,
  unchecked: string[] | undefined,
): EventBody {
  const gate = unchecked === undefined ? "none" : unchecked.length > 0 ? "unchecked" : "accepted";
  const error = syntax.errors[0];
  const failed = tests.cases.find(({ status }) => status === "failed" || status === "error");
  const detail = error ? `${error.path}:${error.line ?? "?"} ${error.message}` : (failed?.name ?? "");
  return {
    type: "verdict",
    instruction,
    turn,
    syntax: syntax.status,
    tests: tests.status,
    passed: tests.passed,
    failed: tests.failed,
    errors: syntax.errors.length + tests.errors,
    gate,
    detail: detail.slice(0, 200),
  };
}
