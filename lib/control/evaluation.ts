/** Asks the evaluator about the tree as a turn has made it so far, for what the pack's domain has and nobody turned off. */
import type { GateSettings } from "../core/gate.ts";
import { EVALUATION_FLOOR_MS, EVALUATION_MS, INVOCATION_RESERVE_MS } from "../core/limits.ts";
import type { EvaluationRequest } from "../core/ports.ts";
import { notRun, type Verdict } from "../core/verdict.ts";
import { fileStoreKeys } from "../registry/keys.ts";
import { readPack } from "./damage.ts";
import type { InstructionState } from "./instruction-state.ts";
import type { Invocation, World } from "./world.ts";

export interface Wanted extends Pick<EvaluationRequest, "syntax" | "tests" | "incremental" | "command"> {
  /** Paths that are left out of the tree. */
  without?: string[];
}

export interface Evaluating {
  world: World;
  state: InstructionState;
  invocation: Invocation;
  settings: GateSettings;
  /** Whether the pack's domain has tests at all. */
  domainTests: boolean;
}

export async function evaluateTurn(evaluating: Evaluating, wanted: Wanted): Promise<Verdict> {
  const { world, settings, invocation, domainTests } = evaluating;
  const { syntax, tests, incremental, command, without = [] } = wanted;
  const asked: Wanted = {
    ...(syntax && settings.syntax ? { syntax } : {}),
    ...(tests && settings.tests ? { tests } : {}),
    ...(incremental ? { incremental } : {}),
    ...(command ? { command } : {}),
  };
  const withoutTests = notRun(domainTests ? "turned_off" : "nothing_to_check").tests;
  if (!asked.syntax && !asked.tests && !command) return { ...notRun("nothing_to_check"), tests: withoutTests };
  const timeoutMs = Math.min(EVALUATION_MS, invocation.remainingMs() - INVOCATION_RESERVE_MS);
  const verdict =
    timeoutMs < EVALUATION_FLOOR_MS
      ? noTimeLeft(asked)
      : await world.evaluator.evaluate(
          await requestOf(evaluating, { ...asked, timeoutMs, without }),
          invocation.signal,
        );
  return tests && !asked.tests ? { ...verdict, tests: withoutTests } : verdict;
}

/** One check at its slowest: what an answer calls for is only begun where that much is left. Planning checks nothing. */
export const enoughTimeToApply = ({ instruction }: InstructionState, invocation: Invocation): boolean =>
  !instruction || invocation.remainingMs() >= EVALUATION_MS + INVOCATION_RESERVE_MS;

/** A turn that outlasted its invocation would be run again from its beginning, and outlast the next. */
function noTimeLeft({ syntax, tests, command }: Wanted): Verdict {
  const none = notRun("not_asked");
  const late = {
    status: "timed_out" as const,
    reason: "no time left",
    detail: "earlier checks of this turn used it up; check again in the next turn",
  };
  return {
    ...none,
    ...(syntax ? { syntax: { ...none.syntax, ...late } } : {}),
    ...(tests ? { tests: { ...none.tests, ...late } } : {}),
    ...(command ? { command: { ...late, exitCode: null, stdout: "", stderr: "" } } : {}),
    // A replay, which has all the time in the world, is to answer the same.
    requestId: "no-time-left",
  };
}

async function requestOf(
  { world, state }: Evaluating,
  { without, ...asked }: Wanted & { timeoutMs: number; without: string[] },
): Promise<EvaluationRequest> {
  const key = fileStoreKeys(state.run.id).pack(state.run.packed);
  const load = () => readPack(world.files, state.run.id, state.run.packed);
  return {
    runId: state.run.id,
    base: { key, load },
    changes: [...(await state.tree.changes()), ...without.map((path) => ({ path, content: null }))],
    ...asked,
    install: state.run.options.install,
  };
}
