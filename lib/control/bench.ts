/** The workbench of one turn: tools work here on the overlay; the gate and the program are decided here. */
import { headAndTail } from "../core/excerpt.ts";
import { feedbackOf } from "../core/feedback.ts";
import { decideGate, type GateDecision, type GateSettings } from "../core/gate.ts";
import { SUMMARY_CHARS } from "../core/limits.ts";
import type { Draft } from "../core/program.ts";
import type { Run } from "../core/run.ts";
import type { StoredTask } from "../core/task.ts";
import type { Verdict } from "../core/verdict.ts";
import type { Workbench } from "../core/workbench.ts";
import { CALLS_PER_TURN } from "../tools/run-calls.ts";
import { evaluateTurn, type Wanted } from "./evaluation.ts";
import type { InstructionState } from "./instruction-state.ts";
import { acceptDraft } from "./program-draft.ts";
import type { Invocation, World } from "./world.ts";

export interface Acceptance {
  summary: string;
  next?: string | undefined;
  unchecked: string[];
  verdict: Verdict;
}

export interface TurnBench extends Workbench {
  verdicts: Verdict[];
  acceptance: () => Acceptance | undefined;
  /** What the gate decided with this verdict, where it was asked. */
  gateOf: (verdict: Verdict) => GateDecision | undefined;
  draft: () => Draft | undefined;
}

/** What one call answers may take a fifth of the window, and all that those of a turn answer two fifths. */
const ANSWER_SHARE = 0.2;
const TURN_SHARE = 0.4;
const CHARS_PER_TOKEN = 3;
const ANSWER_CHARS_MOST = 40_000;

function answerCharsOf(contextWindow: number, calls: number): number {
  const ran = Math.max(1, Math.min(calls, CALLS_PER_TURN));
  const share = Math.min(ANSWER_SHARE, TURN_SHARE / ran);
  return Math.min(ANSWER_CHARS_MOST, Math.floor(contextWindow * share * CHARS_PER_TOKEN));
}

export function createBench(asked: {
  world: World;
  document: StoredTask;
  state: InstructionState;
  invocation: Invocation;
  /** How many calls the answer has. */
  calls: number;
}): TurnBench {
  const { world, document, state, invocation } = asked;
  const { run } = state;
  const { checks } = document.pack.declaration;
  const settings: GateSettings = {
    testsSeen: run.testsSeen,
    syntax: checks.syntax,
    tests: checks.tests && run.options.runTests,
  };
  const answerChars = answerCharsOf(run.profile.contextWindow, asked.calls);
  const verdicts: Verdict[] = [];
  const decisions = new Map<Verdict, GateDecision>();
  let acceptance: Acceptance | undefined;
  let draft: Draft | undefined;

  async function check(wanted: Wanted): Promise<Verdict> {
    const evaluating = { world, state, invocation, settings, domainTests: checks.tests };
    const verdict = await evaluateTurn(evaluating, wanted);
    verdicts.push(verdict);
    return verdict;
  }

  return {
    verdicts,
    acceptance: () => acceptance,
    gateOf: (verdict) => decisions.get(verdict),
    draft: () => draft,
    files: state.tree.work,
    answerChars,
    check,
    command: (command) => check({ command }),
    async complete(report) {
      const command = checks.command ? { command: { argv: checks.command } } : {};
      const verdict = await check({ syntax: {}, tests: {}, ...command });
      const decision = decideGate(verdict, settings);
      decisions.set(verdict, decision);
      if (decision.accepted) acceptance = { ...handOver(report, run), unchecked: decision.unchecked, verdict };
      return inWords(decision, verdict);
    },
    async takeProgram(taken) {
      const decision = acceptDraft(taken, document.requirements, run.options.steps);
      if ("problem" in decision) return decision.problem;
      draft = decision.draft;
      return undefined;
    },
  };
}

interface Report {
  summary: string;
  next?: string;
}

/** The next conversation opens with it, in whatever window. */
function handOver({ summary, next }: Report, { profile }: Run): Report {
  const chars = Math.min(SUMMARY_CHARS, Math.floor(answerCharsOf(profile.contextWindow, 1) / 2));
  const cut = (text: string): string => headAndTail(text.toWellFormed(), chars);
  return { summary: cut(summary), ...(next === undefined ? {} : { next: cut(next) }) };
}

function inWords(decision: GateDecision, verdict: Verdict): { accepted: boolean; text: string; note: string } {
  if (!decision.accepted) {
    const blocking = decision.blocking.join(" and ");
    const text = `The instruction is not accepted yet: ${blocking} must be put right first.\n\n${feedbackOf(verdict)}`;
    return { accepted: false, text, note: `not accepted: ${blocking}` };
  }
  if (decision.unchecked.length === 0) return { accepted: true, text: "Accepted.", note: "accepted" };
  return {
    accepted: true,
    text: `Accepted. Unchecked: ${decision.unchecked.join("; ")}.`,
    note: "accepted, unchecked",
  };
}
