/** The workbench of one turn: what its tools can do to files, checks, the gate and the program. */

import { defined } from "../../core/defined.ts";
import { hasExaminer } from "../../core/evidence/evidence-kind.ts";
import type { EvidenceFindings } from "../../core/evidence/gate-evidence.ts";
import { SUMMARY_CHARS } from "../../core/limits.ts";
import type { Draft } from "../../core/program/program.ts";
import type { Run } from "../../core/run/run.ts";
import type { TurnReading } from "../../core/step/step-record.ts";
import { headAndTail } from "../../core/text/cut.ts";
import type { Offer } from "../../core/turn/turn.ts";
import type { Sight, Workbench, WorkFiles } from "../../core/turn/workbench.ts";
import type { Amendment } from "../../core/verdict/amendment.ts";
import type { GateDecision, GateSettings } from "../../core/verdict/gate.ts";
import { gateNote } from "../../core/verdict/gate-words.ts";
import type { GivenCount } from "../../core/verdict/given-tests.ts";
import { type KnownRedLeft, markKnownRed } from "../../core/verdict/known-red.ts";
import type { TestLocks } from "../../core/verdict/test-locks.ts";
import { notRun, type Verdict } from "../../core/verdict/verdict.ts";
import { CALLS_PER_TURN } from "../../tools/run-calls.ts";
import { createStepEvidence, type StepEvidence } from "../evidence/step-evidence.ts";
import { examinedFiles, withLocks } from "../examiner/examined-files.ts";
import { judgeChecks, onlyChecks } from "../examiner/judge-checks.ts";
import { maskedFiles } from "../files/masked-files.ts";
import { type CheckRequest, evaluateTurn } from "../gate/evaluation.ts";
import { runGate } from "../gate/run-gate.ts";
import { createTestAmendments } from "../gate/test-amendments.ts";
import { readingsOf } from "../make/readings.ts";
import type { OpenStep } from "./open-step.ts";
import { offersOf, turnsOf } from "./step-state.ts";

export interface Acceptance {
  summary: string;
  next?: string | undefined;
  unchecked: string[];
  amendments: Amendment[];
  verdict: Verdict;
  givenTests?: GivenCount | undefined;
  ownTestsPassed?: number | undefined;
  /** No file was changed. */
  unchanged: boolean;
  /** Where the run asks for evidence. */
  evidence?: EvidenceFindings | undefined;
  /** Versions of tests that stay locked beside the accepted ones. */
  testLocks?: TestLocks | undefined;
  /** Where something was red before the run: what is left of it, and what is mended. */
  knownRed?: KnownRedLeft | undefined;
}

export interface GateReport {
  decision: GateDecision;
  refusal: string[];
}

export interface TurnWorkbench extends Workbench {
  verdicts: Verdict[];
  /** Of this turn. */
  amendments: Amendment[];
  /** Those that were refused in this turn. */
  offers: Offer[];
  readings: TurnReading[];
  evidence: StepEvidence;
  acceptance: () => Acceptance | undefined;
  /** What the gate decided about this verdict. */
  gateOf: (verdict: Verdict) => GateReport | undefined;
  draft: () => Draft | undefined;
}

/** The result of one call takes at most a fifth of the window, all results of a turn two fifths. */
const ANSWER_SHARE = 0.2;
const TURN_SHARE = 0.4;
const CHARS_PER_TOKEN = 3;
const ANSWER_CHARS_MOST = 40_000;

function answerCharsOf(contextWindow: number, calls: number): number {
  const ran = Math.max(1, Math.min(calls, CALLS_PER_TURN));
  const share = Math.min(ANSWER_SHARE, TURN_SHARE / ran);
  return Math.min(ANSWER_CHARS_MOST, Math.floor(contextWindow * share * CHARS_PER_TOKEN));
}

function gateSettings({ document, state: { run } }: OpenStep): GateSettings {
  const { checks } = document.pack.declaration;
  return {
    testsSeen: run.testsSeen,
    ...defined({ syntaxSeen: run.syntaxSeen }),
    syntax: checks.syntax || checks.prose === true,
    tests: checks.tests && run.options.runTests,
  };
}

/** `calls`: how many the answer has; they share the window. */
export function createTurnWorkbench(step: OpenStep, calls: number): TurnWorkbench {
  const { world, document, state, baseline } = step;
  const { run } = state;
  const settings = gateSettings(step);
  const userTests = document.tests ?? [];
  const testAmendments = createTestAmendments(state, userTests);
  const { verdicts, check, evaluate } = createChecks(step, settings);
  const offers: Offer[] = [];
  const readings: TurnReading[] = [];
  const decisions = new Map<Verdict, GateReport>();
  let acceptance: Acceptance | undefined;
  let draft: Draft | undefined;
  const evidence = createStepEvidence(step, evaluate);

  return {
    verdicts,
    evidence,
    offers,
    readings,
    amendments: testAmendments.ofTurn,
    acceptance: () => acceptance,
    gateOf: (verdict) => decisions.get(verdict),
    draft: () => draft,
    files: guardedFiles(step, () => testAmendments.all()),
    answerChars: answerCharsOf(run.profile.contextWindow, calls),
    noteSight: (sight) => noteReadings(step, readings, sight),
    check,
    command: (command) => check({ command }),
    async complete(report) {
      if (step.examines) {
        const judged = await judgeChecks({ step, evidence: await evidence.standing(), offers });
        if (judged.decision.accepted) acceptance = { ...handOver(report, run), ...NOTHING_FOUND };
        return { ...judged, accepted: judged.decision.accepted };
      }
      const amendments = testAmendments.all();
      const { decision, text, refusal, changes, ...result } = await runGate({
        world,
        state,
        settings,
        given: userTests,
        examined: await examinedApart(step),
        amendments,
        check,
        command: document.pack.declaration.checks.command,
        offers: [...offersOf(state), ...offers],
        known: baseline?.known,
        evidence: () => evidence.atGate(),
      });
      decisions.set(result.verdict, { decision, refusal });
      if (decision.accepted) {
        if (result.evidence) evidence.noteAccepted(result.evidence);
        acceptance = { ...handOver(report, run), amendments, ...result, unchecked: decision.unchecked };
      } else {
        if (result.evidence) evidence.noteMet(result.evidence);
        offers.push({ changes, blocking: decision.blocking });
      }
      return { accepted: decision.accepted, text, note: gateNote(decision, result.verdict) };
    },
    amend: testAmendments.amend,
    prove: evidence.prove,
    async takeProgram(program) {
      const decision = step.acceptProgram?.(program) ?? { problem: "The program cannot be changed now." };
      if ("problem" in decision) return decision.problem;
      draft = decision.draft;
      return undefined;
    },
  };
}

/** The examiner has no code to be judged. */
const NOTHING_FOUND = { unchecked: [], amendments: [], verdict: notRun("not_asked"), unchanged: false };

function guardedFiles(step: OpenStep, amended: () => Amendment[]): WorkFiles {
  const { state } = step;
  const files = maskedFiles(state.tree.work);
  if (step.examines) return onlyChecks(files, step);
  return hasExaminer(state.run) ? withLocks(files, { locked: () => examinedApart(step), amended }) : files;
}

/** What the examiner wrote, without tests of the user that it named. */
const examinedApart = async ({ world, state, document: { tests = [] } }: OpenStep): Promise<string[]> =>
  (await examinedFiles(world, state.run)).filter((path) => !tests.includes(path));

/** Every verdict is journaled, in the order in which it was asked for. */
function createChecks({ world, document, state, invocation, baseline }: OpenStep, settings: GateSettings) {
  const verdicts: Verdict[] = [];
  const { checks } = document.pack.declaration;
  const found = (request: CheckRequest): Promise<Verdict> =>
    evaluateTurn({ world, state, invocation, settings, domain: checks }, request);
  const noted = (verdict: Verdict): Verdict => {
    verdicts.push(verdict);
    return verdict;
  };
  return {
    verdicts,
    check: async (request: CheckRequest): Promise<Verdict> =>
      noted(markKnownRed(await found(request), baseline?.known)),
    /** Of evidence: nothing of it is known red, and watchers see what came of it. */
    evaluate: async (request: CheckRequest): Promise<Verdict> =>
      noted({ ...(await found(request)), purpose: "evidence" }),
  };
}

/** Without what the instruction itself has changed. */
async function noteReadings({ world, state }: OpenStep, readings: TurnReading[], sight: Sight): Promise<void> {
  const ofTurn = state.tree.changedPaths();
  const own = new Set([...turnsOf(state).flatMap(({ changes }) => changes.map(({ path }) => path)), ...ofTurn]);
  const files = { registry: world.registry, runId: state.run.id };
  readings.push(...(await readingsOf(sight, { own, ofTurn }, files)));
}

interface Report {
  summary: string;
  next?: string;
}

/** Cut to fit the first message of the next conversation. */
function handOver({ summary, next }: Report, { profile }: Run): Report {
  const chars = Math.min(SUMMARY_CHARS, Math.floor(answerCharsOf(profile.contextWindow, 1) / 2));
  const cut = (text: string): string => headAndTail(text.toWellFormed(), chars);
  return { summary: cut(summary), ...(next === undefined ? {} : { next: cut(next) }) };
}
