/** The gate of an instruction: all checks run, and what it did to the tests that stood before it is judged here. */

import type { Run } from "../../core/run/run.ts";
import type { Amendment } from "../../core/verdict/amendment.ts";
import { decideGate, type GateDecision, type GateSettings, type TestBaseline } from "../../core/verdict/gate.ts";
import { type GateReport, gateText, refusalOf } from "../../core/verdict/gate-words.ts";
import {
  type GivenCount,
  givenCount,
  givenToLeaveOut,
  givenUnseen,
  holdsTests,
} from "../../core/verdict/given-tests.ts";
import { isBroken, type Verdict } from "../../core/verdict/verdict.ts";
import type { StepState } from "../turn/step-state.ts";
import type { World } from "../world.ts";
import type { CheckRequest } from "./evaluation.ts";
import { weakenedTests } from "./test-lock.ts";

export interface GateInput {
  world: Pick<World, "files" | "registry">;
  state: StepState;
  settings: GateSettings;
  /** The pack's own check. */
  command?: string[] | undefined;
  /** Paths of the tests that the user gave. */
  given: readonly string[];
  amendments: Amendment[];
  check: (wanted: CheckRequest) => Promise<Verdict>;
}

export interface GateResult {
  verdict: Verdict;
  decision: GateDecision;
  /** For the model. */
  text: string;
  /** For watchers, where it is not accepted. */
  refusal: string[];
  /** How the given tests fare, where there are some. */
  givenTests?: GivenCount | undefined;
  /** Without the given tests; 0 where they were not left out. Absent where there are none. */
  ownTestsPassed?: number | undefined;
}

export async function runGate(judging: GateInput): Promise<GateResult> {
  const { settings, command, check } = judging;
  const verdict = await check({
    ...{ syntax: {}, tests: {}, atGate: true },
    ...(command ? { command: { argv: command } } : {}),
  });
  const weakened = settings.tests ? await uncovered(judging) : [];
  const own = await recheckWithoutUserTests(judging, verdict);
  const unseen = own ? undefined : await runUnseenUserTests(judging, verdict);
  const givenTests = judging.given.length > 0 ? givenCount(verdict, judging.given) : undefined;
  const before = judging.state.run;
  const standing: TestBaseline = {
    weakened: weakened.length > 0,
    passedBefore: passedBefore(judging, own !== undefined),
    givenBroken: areTestsBroken(unseen) || fewerGiven(before, givenTests),
  };
  const held = own ? { ...verdict, syntax: own.syntax, tests: own.tests } : verdict;
  const testsSeen = own ? (before.ownTestsPassed ?? 0) > 0 : settings.testsSeen;
  const decision = withUnseen(decideGate(held, { ...settings, testsSeen }, standing), unseen);
  const told: GateReport = {
    decision,
    verdict,
    own,
    unseen,
    weakened,
    standing,
    givenTests,
    givenBefore: before.givenTests,
  };
  return {
    verdict,
    decision,
    text: gateText(told),
    refusal: refusalOf(told),
    givenTests,
    ...(judging.given.length > 0 ? { ownTestsPassed: own?.tests.passed ?? 0 } : {}),
  };
}

/** Where no accepted tree held a test, there is nothing to weaken. */
async function uncovered({ world, state, amendments }: GateInput) {
  if ((state.run.lockedTests ?? 0) === 0) return [];
  const amended = new Set(amendments.map(({ path }) => path));
  return (await weakenedTests(world, state)).filter(({ path }) => !amended.has(path));
}

/**
 * Before the last instruction the code that a given test is about may not be there yet. What the run wrote itself has to
 * pass all the same: it is run without the given tests, where it does not pass with them.
 */
async function recheckWithoutUserTests(
  { given, state, settings, check }: GateInput,
  verdict: Verdict,
): Promise<Verdict | undefined> {
  if (given.length === 0 || !settings.tests || isLast(state)) return undefined;
  const { syntax, tests } = verdict;
  const broken = isBroken(tests.status) || tests.reason === "package_missing";
  if (!broken && !syntax.errors.some(({ path }) => given.includes(path))) return undefined;
  return check({ syntax: {}, tests: {}, without: givenToLeaveOut(verdict, given) });
}

/** At the end each given test must have been run, whatever settings have made of the whole. */
async function runUnseenUserTests(
  { given, state, settings, check }: GateInput,
  verdict: Verdict,
): Promise<Verdict | undefined> {
  const { status, reason } = verdict.tests;
  const lookedAt = status === "passed" || status === "not_found" || reason === "nothing_to_check";
  if (!settings.tests || !isLast(state) || !lookedAt) return undefined;
  const unseen = await testsAmong(givenUnseen(verdict, given), state);
  return unseen.length > 0 ? check({ tests: { paths: unseen } }) : undefined;
}

async function testsAmong(paths: string[], { tree }: StepState): Promise<string[]> {
  const texts = await Promise.all(paths.map(async (path) => textOf(await tree.work.read(path))));
  return paths.filter((path, at) => holdsTests(path, texts[at] ?? ""));
}

const decoder = new TextDecoder();
const textOf = (bytes: Uint8Array | undefined): string => decoder.decode(bytes ?? new Uint8Array());

const isLast = ({ number, run }: StepState): boolean => number >= run.instructions;

const areTestsBroken = (verdict: Verdict | undefined): boolean =>
  verdict !== undefined && isBroken(verdict.tests.status);

const fewerGiven = ({ givenTests: before }: Run, now: GivenCount | undefined): boolean =>
  before !== undefined && now !== undefined && now.passed < before.passed;

/** Where tests may go, because that was said with its reason, their number says nothing. */
function passedBefore({ state: { run }, amendments }: GateInput, own: boolean): number | undefined {
  if (amendments.length > 0 || (run.lockedTests ?? 0) === 0) return undefined;
  return own ? run.ownTestsPassed : run.testsPassed;
}

function withUnseen(decision: GateDecision, unseen: Verdict | undefined): GateDecision {
  if (!decision.accepted || !unseen || unseen.tests.status === "passed") return decision;
  return { accepted: true, unchecked: [...decision.unchecked, "given tests: some were not seen to run"] };
}
