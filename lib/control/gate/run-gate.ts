/** The gate of an instruction: all checks run, and what it did to the tests that stood before it is judged here. */

import { defined } from "../../core/defined.ts";
import type { EvidenceFindings } from "../../core/evidence/gate-evidence.ts";
import type { Run } from "../../core/run/run.ts";
import type { Offer } from "../../core/turn/turn.ts";
import { acceptedCases, lostCases } from "../../core/verdict/accepted-cases.ts";
import type { Amendment } from "../../core/verdict/amendment.ts";
import {
  decideGate,
  type GateCheck,
  type GateDecision,
  type GateSettings,
  type TestBaseline,
} from "../../core/verdict/gate.ts";
import { type GateReport, gateText, refusalOf } from "../../core/verdict/gate-words.ts";
import { type GivenLeft, givenLeft, givenPartlyHeard, leftWords } from "../../core/verdict/given-left.ts";
import {
  type GivenCount,
  givenCount,
  givenToLeaveOut,
  givenUnseen,
  holdsTests,
} from "../../core/verdict/given-tests.ts";
import { type KnownRed, type KnownRedLeft, knownRedAfter } from "../../core/verdict/known-red.ts";
import type { TestLocks } from "../../core/verdict/test-locks.ts";
import { isBroken, isOutOfTime, type Verdict } from "../../core/verdict/verdict.ts";
import { decideWithEvidence, type EvidenceAtGate } from "../evidence/at-gate.ts";
import { sha256 } from "../files/digest.ts";
import type { StepState } from "../turn/step-state.ts";
import type { World } from "../world.ts";
import { type AcceptedTestsResult, runAcceptedTests } from "./accepted-tests.ts";
import type { CheckRequest } from "./evaluation.ts";
import { type GivenApart, runGivenApart } from "./given-apart.ts";
import { recheckWithout } from "./recheck-without.ts";
import { changedNow, lockedChanges } from "./test-lock.ts";

export interface GateInput {
  world: Pick<World, "files" | "registry">;
  state: StepState;
  settings: GateSettings;
  /** The pack's own check. */
  command?: string[] | undefined;
  /** Paths of the tests that the user gave. */
  given: readonly string[];
  /** Files of the examiner's checks: they may be red until the code that they are about is there. */
  examined: readonly string[];
  amendments: Amendment[];
  /** Of this instruction, those that were refused. */
  offers: Offer[];
  /** What was red before the run began, and still was at the last acceptance. */
  known?: KnownRed | undefined;
  check: (wanted: CheckRequest) => Promise<Verdict>;
  /** What the run has proven so far. Undefined: it asks for no evidence. */
  evidence: () => Promise<EvidenceAtGate | undefined>;
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
  /** No file is changed. */
  unchanged: boolean;
  knownRed?: KnownRedLeft | undefined;
  evidence?: EvidenceFindings | undefined;
  /** Versions of tests that stay locked, if it is accepted. */
  testLocks?: TestLocks | undefined;
  /** Names the state of the instruction's changes. */
  changes: string;
}

export async function runGate(asked: GateInput): Promise<GateResult> {
  const check = (wanted: CheckRequest): Promise<Verdict> => asked.check({ ...wanted, repeatsLate: true });
  const judging = { ...asked, check };
  const { settings, command } = judging;
  const verdict = await check({
    syntax: {},
    tests: {},
    atGate: true,
    ...(command ? { command: { argv: command } } : {}),
  });
  const own = await recheckWithout({ ...judging, isLast: isLast(judging.state) }, verdict);
  const isAllGiven = !own || isLast(judging.state);
  const { unseen, left } = isAllGiven ? await runUnseenUserTests(judging, own ?? verdict) : {};
  const isCounted = judging.given.length > 0 && !isOutOfTime(verdict.tests);
  const counted = isCounted ? givenCount(verdict, judging.given) : undefined;
  const before = judging.state.run;
  const held = own ? { ...verdict, syntax: own.syntax, tests: own.tests } : verdict;
  const locked = await checkLockedTests(judging, { held, own });
  const changed = changedNow(judging.state).map(({ folded, now }) => [folded, now?.path, now?.sha256]);
  const changes = sha256(JSON.stringify(changed.sort()));
  const conceded = concededChecks(judging.offers, changes);
  const isLeftMeant = left?.isMeant === true && conceded.has("given tests");
  const standing: TestBaseline = {
    weakened: locked.weakened.length > 0,
    lockedLate: locked.isLate === true,
    passedBefore: passedBefore(judging, own !== undefined),
    givenBroken: areTestsBroken(unseen) || fewerGiven(before, counted) || (isBlocking(left) && !isLeftMeant),
    unchanged: changed.length === 0 && !judging.offers.some(({ blocking }) => blocking.includes("changes")),
    conceded,
  };
  const testsSeen = own ? (before.ownTestsPassed ?? 0) > 0 : settings.testsSeen;
  const judged = { ...settings, testsSeen };
  const beside = withGiven(decideGate(held, judged, standing), { unseen, left });
  const ordinary = unseen ? [verdict, unseen] : [verdict];
  const apart = beside.accepted ? await runApart(judging, ordinary, changes) : undefined;
  const { decision, evidence } = await decideWithEvidence(
    withApart(beside, apart, conceded),
    { ask: judging.evidence, offers: judging.offers },
    { verdict, changes: changedNow(judging.state) },
  );
  const givenTests = withApartRun(counted, apart);
  const report: GateReport = {
    decision,
    verdict,
    own,
    unseen,
    left,
    apart,
    standing,
    givenTests,
    evidence,
    settings: judged,
    weakened: locked.weakened,
    accepted: locked.verdict,
    isExamined: judging.given.length === 0,
    givenBefore: before.givenTests,
    knownRed: judging.known && knownRedAfter(judging.known, held),
  };
  return {
    verdict,
    decision,
    text: gateText(report),
    refusal: refusalOf(report),
    evidence,
    givenTests,
    changes,
    unchanged: changed.length === 0,
    knownRed: report.knownRed,
    ...defined({ testLocks: settings.tests ? locksOf(judging, held, locked) : undefined }),
    ...(judging.given.length + judging.examined.length > 0 ? { ownTestsPassed: own?.tests.passed ?? 0 } : {}),
  };
}

/** Where no accepted tree held a test, there is nothing to weaken; where tests are red, they come first. */
async function checkLockedTests(
  { world, state, settings, amendments, given, examined, check }: GateInput,
  { held, own }: { held: Verdict; own: Verdict | undefined },
): Promise<AcceptedTestsResult & Partial<TestLocks>> {
  if (!settings.tests || (state.run.lockedTests ?? 0) === 0) return { weakened: [] };
  const locked = await lockedChanges(world, state, new Set(amendments.map(({ path }) => path)));
  const { locks, cases } = locked;
  if (isBroken(held.tests.status)) return { weakened: locked.weakened };
  const without = own ? givenToLeaveOut(held, [...given, ...examined]) : [];
  const { weakened, ...ran } = await runAcceptedTests({ locked, without, check });
  const lost = lostCases({ before: cases, verdict: held, touched: locked.touched });
  return { weakened: [...locked.weakened, ...weakened, ...lost], ...ran, ...defined({ locks, cases }) };
}

/** Where nothing could be run, the last that was run still says what must run. */
function locksOf({ given, examined }: GateInput, held: Verdict, { locks = {}, cases }: Partial<TestLocks>): TestLocks {
  const now = held.tests.status === "not_run" ? cases : acceptedCases(held, [...given, ...examined]);
  return { locks, ...defined({ cases: now }) };
}

/** What cannot run is insisted on twice; a model that cannot mend it must not be trapped by it. */
const REFUSALS = 2;

function concededChecks(offers: Offer[], changes: string): Set<GateCheck> {
  const same = offers.filter((offer) => offer.changes === changes);
  const often = (check: GateCheck): boolean =>
    same.filter(({ blocking }) => blocking.includes(check)).length >= REFUSALS;
  return new Set((["syntax", "tests", "given tests"] as const).filter(often));
}

interface GivenRun {
  unseen?: Verdict | undefined;
  left?: GivenLeft | undefined;
}

/** At the end each given test must have been run, whatever settings and code have made of the whole. */
async function runUnseenUserTests({ given, state, settings, check }: GateInput, verdict: Verdict): Promise<GivenRun> {
  const { status, reason } = verdict.tests;
  const lookedAt = status === "passed" || status === "not_found" || reason === "nothing_to_check";
  if (given.length === 0 || !settings.tests || !isLast(state) || !lookedAt) return {};
  const texts = new Map(
    await Promise.all(given.map(async (path) => [path, textOf(await state.tree.work.read(path))] as const)),
  );
  const paths = givenUnseen(verdict, given).filter((path) => holdsTests(path, texts.get(path) ?? ""));
  const partly = givenPartlyHeard(verdict, texts);
  const unseen =
    paths.length + partly.length > 0 ? await check({ tests: { paths: [...paths, ...partly] } }) : undefined;
  return { unseen, left: givenLeft({ verdict, unseen, texts }) };
}

/** What only the text of a file says is no reason to refuse. */
const isBlocking = (left: GivenLeft | undefined): boolean => left !== undefined && left.skipped.length > 0;

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

function withGiven(decision: GateDecision, { unseen, left }: GivenRun): GateDecision {
  const isSeen = left === undefined && (!unseen || unseen.tests.status === "passed");
  if (!decision.accepted || isSeen) return decision;
  return { accepted: true, unchecked: [...decision.unchecked, `given tests: ${left ? leftWords(left) : SOME_UNSEEN}`] };
}

const SOME_UNSEEN = "some were not seen to run";

/** At the end what the run wrote to test with must not be what makes the given tests pass. */
async function runApart(
  { given, state, settings, check }: GateInput,
  ordinary: Verdict[],
  changes: string,
): Promise<GivenApart | undefined> {
  const hasPassed = ordinary.some(({ tests }) => tests.status === "passed");
  if (given.length === 0 || !settings.tests || !isLast(state) || !hasPassed) return undefined;
  return runGivenApart({ state, given, ordinary, changes, check });
}

/** A project may need what it wrote for that, and cannot be put right then: it is not green. A forged result is refused. */
function withApart(beside: GateDecision, apart: GivenApart | undefined, conceded: Set<GateCheck>): GateDecision {
  const { status, detail } = apart?.opinion ?? {};
  if (!beside.accepted || (status !== "failed" && status !== "forged")) return beside;
  if (status === "forged" || !conceded.has("given tests")) return { accepted: false, blocking: ["given tests"] };
  return { accepted: true, unchecked: [...beside.unchecked, `given tests: ${detail}`] };
}

function withApartRun(count: GivenCount | undefined, apart: GivenApart | undefined): GivenCount | undefined {
  const { status, detail } = apart?.opinion ?? {};
  if (!count || (status !== "passed" && status !== "not_run")) return count;
  return { ...count, apart: { status, ...defined({ detail }) } };
}
