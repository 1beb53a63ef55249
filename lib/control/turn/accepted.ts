/** What the acceptance of an instruction changes, beside the turn that brought it. */
import type { Instruction } from "../../core/program/program.ts";
import { instructionMsAt } from "../../core/run/active-time.ts";
import type { EventBody } from "../../core/run/event.ts";
import type { Run } from "../../core/run/run.ts";
import { type AcceptanceFacts, factsOf } from "../../core/turn/acceptance-facts.ts";
import { firstModelPatch } from "../../core/turn/model-fallback.ts";
import type { Turn } from "../../core/turn/turn.ts";
import { hasTests } from "../../core/verdict/gate.ts";
import type { StoredBaseline } from "../../core/verdict/known-red.ts";
import { countKnownRed } from "../../core/verdict/known-red.ts";
import type { TestLocks } from "../../core/verdict/test-locks.ts";
import { testsAdded } from "../gate/test-lock.ts";
import type { World } from "../world.ts";
import type { StepState } from "./step-state.ts";
import type { Acceptance } from "./turn-workbench.ts";

export interface AcceptedCommit {
  run: Partial<Run>;
  instruction: { number: number; set: Partial<Instruction> };
  baseline?: StoredBaseline;
  testLocks?: TestLocks;
  /** What a fork after this instruction begins with. */
  facts: AcceptanceFacts;
  events: EventBody[];
}

/** In the instruction's item; the others are only counted. */
const MENDED_NAMED = 100;

export function acceptedCommit(asked: {
  world: World;
  state: StepState;
  turn: Turn;
  acceptance: Acceptance | undefined;
  baseline: StoredBaseline | undefined;
  /** More of the instruction. */
  set: Partial<Instruction>;
}): AcceptedCommit | undefined {
  const { state, turn, acceptance, baseline } = asked;
  const { instruction, run } = state;
  if (!acceptance || !instruction) return undefined;
  const { unchecked, summary, next, amendments, unchanged, knownRed } = acceptance;
  const { mended = [] } = knownRed ?? {};
  const unproven = (acceptance.evidence?.unproven ?? []).map(({ requirement }) => requirement);
  const now = asked.world.clock.now();
  const turns = [...state.entries.map((entry) => entry.turn), turn];
  const microUsd = turns.reduce((sum, each) => sum + each.microUsd, 0);
  const milliseconds = instructionMsAt(instruction, run, now);
  const asks = turns.filter(({ copied }) => copied === undefined).length;
  // What a lane did of it before.
  const { turns: taken = asks, microUsd: paid = microUsd } = asked.set;
  const totals = { turns: taken, microUsd: paid, milliseconds };
  const found = { unchecked, ...testsAfter(run, { turns, acceptance }) };
  const known = knownRed?.left ?? baseline?.known;
  return {
    // The next instruction begins with its own count of turns.
    run: { pc: run.pc + 1, turn: 0, forgivenTurn: 0, ...found, ...firstModelPatch(run) },
    facts: {
      run: factsOf({ ...run, ...found }),
      ...(acceptance.testLocks ? { testLocks: acceptance.testLocks } : {}),
      ...(known ? { known } : {}),
    },
    instruction: {
      number: instruction.number,
      set: {
        status: "accepted",
        acceptedAt: new Date(now).toISOString(),
        summary,
        ...(next ? { next } : {}),
        unchecked,
        ...(unchanged ? { unchanged } : {}),
        ...(mended.length > 0 ? { mended: mended.slice(0, MENDED_NAMED) } : {}),
        ...(unproven.length > 0 ? { unproven } : {}),
        ...(amendments.length > 0 ? { amendments } : {}),
        ...totals,
        ...asked.set,
      },
    },
    ...(acceptance.testLocks ? { testLocks: acceptance.testLocks } : {}),
    ...(baseline && knownRed ? { baseline: { ...baseline, known: knownRed.left } } : {}),
    events: [{ ...acceptedEvent(instruction, acceptance), ...totals, filesWritten: pathsIn(turns) }],
  };
}

const pathsIn = (turns: Turn[]): number =>
  new Set(turns.flatMap((each) => each.changes.map((change) => change.path))).size;

type AcceptedEvent = Extract<EventBody, { type: "instruction_accepted" }>;

function acceptedEvent(
  { number, title }: Instruction,
  { verdict, unchecked, givenTests, knownRed, unchanged }: Acceptance,
): Omit<AcceptedEvent, "turns" | "microUsd" | "milliseconds" | "filesWritten"> {
  const { passed, failed, errors } = verdict.tests;
  return {
    type: "instruction_accepted",
    instruction: number,
    title,
    unchecked: unchecked.length > 0,
    tests: { passed, total: passed + failed + errors },
    ...(givenTests ? { given: givenTests } : {}),
    ...(knownRed ? { knownRed: countKnownRed(knownRed.left) } : {}),
    ...(knownRed?.mended.length ? { mended: knownRed.mended.length } : {}),
    ...(unchanged ? { unchanged } : {}),
  };
}

/** What the next instruction finds, and is held to. */
function testsAfter(run: Run, { turns, acceptance }: { turns: Turn[]; acceptance: Acceptance }): Partial<Run> {
  const { verdict, amendments, givenTests, ownTestsPassed, knownRed } = acceptance;
  const { status, scope, passed, failed, errors } = verdict.tests;
  const counted = status !== "not_run" && !scope;
  return {
    testsSeen: run.testsSeen || hasTests(verdict),
    ...(verdict.syntax.status === "passed" ? { syntaxSeen: true as const } : {}),
    lockedTests: Math.max(0, (run.lockedTests ?? 0) + testsAdded(turns)),
    ...(amendments.length > 0 ? { amended: (run.amended ?? 0) + amendments.length } : {}),
    ...(givenTests ? { givenTests } : {}),
    ...(knownRed ? { knownRed: countKnownRed(knownRed.left) } : {}),
    ...(ownTestsPassed === undefined ? {} : { ownTestsPassed }),
    ...(counted ? { testsPassed: passed, testsTotal: passed + failed + errors } : {}),
  };
}
