/** The events of a turn. Pure. */
import type { EventBody } from "../../core/run/event.ts";
import { ellipsis, oneLine } from "../../core/text/cut.ts";
import { loopsOf } from "../../core/turn/loops.ts";
import type { ToolAnswer } from "../../core/turn/tool-note.ts";
import type { EffectsBody, Turn, TurnInputs } from "../../core/turn/turn.ts";
import { foldAmendments } from "../../core/verdict/amendment.ts";
import { isRed } from "../../core/verdict/known-red.ts";
import type { Verdict } from "../../core/verdict/verdict.ts";
import { scopesOf } from "../../core/verdict/verdict-words.ts";
import type { GateReport } from "./turn-workbench.ts";

const VERDICTS_SHOWN = 4;
const TOOLS_SHOWN = 20;

export function turnEvent(
  turn: Turn,
  answers: ToolAnswer[],
  details: { contextTokens: number; model?: string; answeredBy?: string; reserved?: true },
): EventBody {
  return {
    type: "turn",
    instruction: turn.instruction,
    turn: turn.turn,
    outcome: turn.outcome ?? "tools",
    tools: answers.slice(0, TOOLS_SHOWN).map(toolEvent),
    inputTokens: turn.inputTokens,
    cachedTokens: turn.cachedTokens,
    outputTokens: turn.outputTokens,
    microUsd: turn.microUsd,
    milliseconds: turn.milliseconds,
    answeredAt: turn.at,
    ...details,
  };
}

const toolEvent = ({ tool, ok, note, text, facts: { files, refusal } }: ToolAnswer) => ({
  name: tool,
  ok,
  note: note.slice(0, 120),
  ...(files === undefined ? {} : { files }),
  // Why the gate did not accept is in the note.
  ...(ok || refusal !== undefined ? {} : { reason: ellipsis(oneLine(text, 2 * REASON_CHARS), REASON_CHARS) }),
});

const REASON_CHARS = 160;

/** A conversation that begins in the middle of an instruction. */
export function openingEvents({ instruction, turn }: Turn, { opening }: TurnInputs): EventBody[] {
  if (turn === 1 || opening?.why === undefined) return [];
  return [{ type: "restarted", instruction, turn, why: opening.why }];
}

/** Reported with the turn that completed a loop; the measure applies to the next turn. */
export function loopEvents(turns: Turn[], forgivenTurn: number): EventBody[] {
  const last = turns.at(-1);
  const { measure } = loopsOf(turns.filter(({ turn }) => turn > forgivenTurn).map(({ signature }) => signature));
  if (!last || !measure || last.outcome === "accepted") return [];
  return [{ type: "loop", instruction: last.instruction, turn: last.turn, measure }];
}

/** Reported at once: watchers see why a test changes. */
export const amendedEvents = ({ instruction, turn }: Turn, { amendments = [] }: EffectsBody): EventBody[] =>
  amendments.length > 0 ? [{ type: "amended", instruction, turn, amendments: foldAmendments(amendments) }] : [];

type GateOf = (verdict: Verdict) => GateReport | undefined;

/** Only verdicts that say something, and what the gate decided by them. */
export function verdictEvents(turn: Turn, verdicts: Verdict[], gateOf: GateOf): EventBody[] {
  const ran = ({ syntax, tests, purpose }: Verdict): boolean =>
    purpose === undefined && (syntax.status !== "not_run" || tests.status !== "not_run");
  const decided = (verdict: Verdict): boolean => /unchecked|blocked/.test(gateWord(gateOf(verdict)));
  const telling = verdicts.filter((verdict) => ran(verdict) || decided(verdict));
  return telling.slice(-VERDICTS_SHOWN).map((verdict) => verdictEvent(turn, verdict, gateOf(verdict)));
}

function verdictEvent({ instruction, turn }: Turn, verdict: Verdict, opinion: GateReport | undefined): EventBody {
  const { syntax, tests, evaluator } = verdict;
  const errors = syntax.errors.filter(({ known }) => !known);
  const [error] = errors;
  const failed = tests.cases.find((one) => isRed(one) && !one.known);
  const knownRed = (syntax.knownRed?.count ?? 0) + (tests.knownRed?.count ?? 0);
  const detail = error ? `${error.path}:${error.line ?? "?"} ${error.message}` : (failed?.name ?? "");
  return {
    type: "verdict",
    instruction,
    turn,
    syntax: syntax.status,
    tests: tests.status,
    passed: tests.passed,
    failed: tests.failed,
    errors: errors.length + tests.errors,
    ...(tests.errors > 0 ? { testErrors: tests.errors } : {}),
    gate: gateWord(opinion),
    detail: detail.slice(0, 200),
    ...(opinion && opinion.refusal.length > 0 ? { refusal: opinion.refusal } : {}),
    ...(syntax.scope || tests.scope ? { scope: scopesOf(verdict) } : {}),
    ...(knownRed > 0 ? { knownRed } : {}),
    ...(evaluator ? { evaluator } : {}),
  };
}

function gateWord(opinion: GateReport | undefined): "accepted" | "unchecked" | "blocked" | "none" {
  if (!opinion) return "none";
  const { decision } = opinion;
  if (!decision.accepted) return "blocked";
  return decision.unchecked.length > 0 ? "unchecked" : "accepted";
}
