/** The workbench of one turn: tools work here on the overlay; the gate and the program are decided here. */

import { SUMMARY_CHARS } from "../../core/limits.ts";
import type { Draft } from "../../core/program/program.ts";
import type { Run } from "../../core/run/run.ts";
import type { StoredTask } from "../../core/run/task.ts";
import { headAndTail } from "../../core/text/cut.ts";
import type { Workbench } from "../../core/turn/workbench.ts";
import type { Amendment } from "../../core/verdict/amendment.ts";
import type { GateDecision, GateSettings } from "../../core/verdict/gate.ts";
import { gateNote } from "../../core/verdict/gate-words.ts";
import type { GivenCount } from "../../core/verdict/given-tests.ts";
import type { Verdict } from "../../core/verdict/verdict.ts";
import { CALLS_PER_TURN } from "../../tools/run-calls.ts";
import { type CheckRequest, evaluateTurn } from "../gate/evaluation.ts";
import { runGate } from "../gate/run-gate.ts";
import { createTestAmendments } from "../gate/test-amendments.ts";
import { acceptDraft } from "../program/program-draft.ts";
import type { Invocation, World } from "../world.ts";
import type { InstructionState } from "./instruction-state.ts";

export interface Acceptance {
  summary: string;
  next?: string | undefined;
  unchecked: string[];
  amendments: Amendment[];
  verdict: Verdict;
  givenTests?: GivenCount | undefined;
  ownTestsPassed?: number | undefined;
}

export interface GateReport {
  decision: GateDecision;
  refusal: string[];
}

export interface TurnWorkbench extends Workbench {
  verdicts: Verdict[];
  /** Of this turn. */
  amendments: Amendment[];
  acceptance: () => Acceptance | undefined;
  /** What the gate decided with this verdict, where it was asked. */
  gateOf: (verdict: Verdict) => GateReport | undefined;
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

export function createTurnWorkbench(asked: {
  world: World;
  document: StoredTask;
  state: InstructionState;
  invocation: Invocation;
  /** How many calls the answer has. */
  calls: number;
}): TurnWorkbench {
  const { world, document, state, invocation } = asked;
  const { run } = state;
  const { checks } = document.pack.declaration;
  const settings: GateSettings = {
    testsSeen: run.testsSeen,
    syntax: checks.syntax || checks.prose === true,
    tests: checks.tests && run.options.runTests,
  };
  const answerChars = answerCharsOf(run.profile.contextWindow, asked.calls);
  const given = document.tests ?? [];
  const amending = createTestAmendments(state, given);
  const verdicts: Verdict[] = [];
  const decisions = new Map<Verdict, GateReport>();
  let acceptance: Acceptance | undefined;
  let draft: Draft | undefined;

  async function check(wanted: CheckRequest): Promise<Verdict> {
    const evaluating = { world, state, invocation, settings, domain: checks };
    const verdict = await evaluateTurn(evaluating, wanted);
    verdicts.push(verdict);
    return verdict;
  }

  return {
    verdicts,
    amendments: amending.ofTurn,
    acceptance: () => acceptance,
    gateOf: (verdict) => decisions.get(verdict),
    draft: () => draft,
    files: state.tree.work,
    answerChars,
    check,
    command: (command) => check({ command }),
    async complete(report) {
      const amendments = amending.all();
      const judging = { world, state, settings, command: checks.command, given, amendments, check };
      const { decision, text, refusal, ...judged } = await runGate(judging);
      decisions.set(judged.verdict, { decision, refusal });
      const handed = { ...handOver(report, run), amendments, ...judged };
      if (decision.accepted) acceptance = { ...handed, unchecked: decision.unchecked };
      return { accepted: decision.accepted, text, note: gateNote(decision, judged.verdict) };
    },
    amend: amending.amend,
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
