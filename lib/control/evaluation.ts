/** Asks the evaluator about the tree as a turn has made it so far, for what the pack's domain has and nobody turned off. */
import type { GateSettings } from "../core/gate.ts";
import { EVALUATION_MS } from "../core/limits.ts";
import type { EvaluationRequest } from "../core/ports.ts";
import { notRun, type Verdict } from "../core/verdict.ts";
import { fileStoreKeys } from "../registry/keys.ts";
import type { InstructionState } from "./instruction-state.ts";
import type { Invocation, World } from "./world.ts";

export type Wanted = Pick<EvaluationRequest, "syntax" | "tests" | "command">;

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
  const { syntax, tests, command } = wanted;
  const asked: Wanted = {
    ...(syntax && settings.syntax ? { syntax } : {}),
    ...(tests && settings.tests ? { tests } : {}),
    ...(command ? { command } : {}),
  };
  const withoutTests = notRun(domainTests ? "turned_off" : "nothing_to_check").tests;
  if (!asked.syntax && !asked.tests && !command) return { ...notRun("nothing_to_check"), tests: withoutTests };
  const verdict = await world.evaluator.evaluate(await requestOf(evaluating, asked), invocation.signal);
  return tests && !asked.tests ? { ...verdict, tests: withoutTests } : verdict;
}

async function requestOf({ world, state }: Evaluating, asked: Wanted): Promise<EvaluationRequest> {
  const key = fileStoreKeys(state.run.id).pack(state.run.packed);
  const load = async () => {
    const bytes = await world.files.get(key);
    if (!bytes) throw new Error(`The file store is damaged: ${key} is missing.`);
    return bytes;
  };
  return {
    runId: state.run.id,
    base: { key, load },
    changes: await state.tree.changes(),
    ...asked,
    install: state.run.options.install,
    timeoutMs: EVALUATION_MS,
  };
}
