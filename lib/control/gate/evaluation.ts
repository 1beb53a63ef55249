/** Evaluates the tree as a turn has changed it so far: the checks that the pack declares and the options allow. */

import { defined } from "../../core/defined.ts";
import { EVALUATION_FLOOR_MS, INVOCATION_RESERVE_MS } from "../../core/limits.ts";
import type { Change, EvaluationRequest, PackBase } from "../../core/ports.ts";
import { instructionBudget } from "../../core/program/word-budget.ts";
import type { PackDeclaration } from "../../core/prompt/pack-declaration.ts";
import { evaluationMsOf } from "../../core/run/option-forms.ts";
import { withCanaries } from "../../core/verdict/apart/turned-canaries.ts";
import { type GateSettings, NO_TIME_LEFT } from "../../core/verdict/gate.ts";
import { notRun, type Verdict } from "../../core/verdict/verdict.ts";
import { packBase } from "../files/packs.ts";
import type { StepState } from "../turn/step-state.ts";
import type { Invocation, World } from "../world.ts";
import { evaluateAgain } from "./evaluate-again.ts";

export interface CheckRequest extends Pick<EvaluationRequest, "syntax" | "tests" | "incremental" | "command"> {
  /** Paths that are left out of the tree. */
  without?: string[];
  /** Files that are put back as they were accepted. */
  restored?: { path: string; content: Uint8Array }[];
  /** In place of what the instruction changed: another tree, as changes of the latest pack. */
  tree?: Change[];
  /** Test files of ours that must fail. */
  canaries?: string[];
  /** It is begun only where so much time is left, and takes no more: that it does not end says something of the code. */
  wholeMs?: number;
  /** Where their time ended the tests, they are executed once more with twice the time. */
  repeatsLate?: true;
  /** The instruction is to be accepted: only now what it wrote must be as long as it asks for. */
  atGate?: true;
}

export interface EvaluationContext {
  world: World;
  state: StepState;
  invocation: Invocation;
  settings: GateSettings;
  /** What the pack's domain has at all. */
  domain: Pick<PackDeclaration["checks"], "syntax" | "tests" | "prose">;
}

export async function evaluateTurn(evaluating: EvaluationContext, wanted: CheckRequest): Promise<Verdict> {
  const { world, settings, invocation, domain } = evaluating;
  const { syntax, tests, incremental, command, without = [], restored = [], canaries = [], tree, wholeMs } = wanted;
  const asked: Asked = {
    ...(syntax && domain.syntax ? { syntax } : {}),
    ...(syntax && domain.prose ? { prose: proseOf(evaluating, wanted) } : {}),
    ...(tests && settings.tests ? { tests } : {}),
    ...(incremental ? { incremental } : {}),
    ...(command ? { command } : {}),
  };
  const withoutTests = notRun(domain.tests ? "turned_off" : "nothing_to_check").tests;
  if (!asked.syntax && !asked.prose && !asked.tests && !command)
    return { ...notRun("nothing_to_check"), tests: withoutTests };
  const timeoutMs = Math.min(
    wholeMs ?? evaluationMsOf(evaluating.state.run.options),
    invocation.remainingMs() - INVOCATION_RESERVE_MS,
  );
  const evaluated = async (request: EvaluationRequest): Promise<Verdict> =>
    wanted.repeatsLate
      ? ((await evaluateAgain(world.evaluator, request, invocation)) ?? noTimeLeft(asked))
      : world.evaluator.evaluate(request, invocation.signal);
  const verdict =
    timeoutMs < (wholeMs ?? EVALUATION_FLOOR_MS)
      ? noTimeLeft(asked)
      : await evaluated(await requestOf(evaluating, { ...asked, timeoutMs, without, restored, ...defined({ tree }) }));
  return tests && !asked.tests ? { ...verdict, tests: withoutTests } : withCanaries(verdict, canaries);
}

type Asked = Omit<CheckRequest, "without" | "restored" | "canaries" | "atGate" | "tree" | "wholeMs" | "repeatsLate"> &
  Pick<EvaluationRequest, "prose">;

/** What is written is asked after file by file; how long it is, only when all of it is there. */
function proseOf(
  { state }: EvaluationContext,
  { syntax, atGate }: CheckRequest,
): NonNullable<EvaluationRequest["prose"]> {
  const words = atGate && state.instruction ? instructionBudget(state.instruction) : undefined;
  return { ...syntax, ...(words ? { words } : {}) };
}

/** One check at its slowest: what an answer calls for is only begun where that much is left. Planning checks nothing. */
export const enoughTimeToApply = ({ instruction, run }: StepState, invocation: Invocation): boolean =>
  !instruction || invocation.remainingMs() >= evaluationMsOf(run.options) + INVOCATION_RESERVE_MS;

/** A turn that outlasted its invocation would be run again from its beginning, and outlast the next. */
function noTimeLeft({ syntax, prose, tests, command }: Asked): Verdict {
  const none = notRun("not_asked");
  const late = {
    status: "timed_out" as const,
    reason: NO_TIME_LEFT,
    detail: "earlier checks of this turn used it up; check again in the next turn",
  };
  return {
    ...none,
    ...((syntax ?? prose) ? { syntax: { ...none.syntax, ...late } } : {}),
    ...(tests ? { tests: { ...none.tests, ...late } } : {}),
    ...(command ? { command: { ...late, exitCode: null, stdout: "", stderr: "" } } : {}),
    // A replay, which has all the time in the world, is to answer the same.
    requestId: "no-time-left",
  };
}

/** The turns of an instruction share it: it is put together once. */
const bases = new WeakMap<StepState, PackBase>();

function baseOf({ files }: World, state: StepState): PackBase {
  const base = bases.get(state) ?? packBase(files, state.run);
  bases.set(state, base);
  return base;
}

type Overlay = Required<Pick<CheckRequest, "without" | "restored">> & Pick<CheckRequest, "tree">;

async function requestOf(
  { world, state }: EvaluationContext,
  { without, restored, tree, ...asked }: Asked & Overlay & { timeoutMs: number },
): Promise<EvaluationRequest> {
  return {
    runId: state.run.id,
    base: baseOf(world, state),
    changes: [
      ...(tree ?? (await state.tree.changes())).filter(({ path }) => !restored.some((each) => each.path === path)),
      ...restored,
      ...without.map((path) => ({ path, content: null })),
    ],
    ...asked,
    install: state.run.options.install,
  };
}
