/** The workbench of one turn: tools work here on the overlay; the gate and the program are decided here. */
import { feedbackOf } from "../core/feedback.ts";
import { decideGate, type GateSettings } from "../core/gate.ts";
import { EVALUATION_MS } from "../core/limits.ts";
import type { EvaluationRequest } from "../core/ports.ts";
import type { Draft } from "../core/program.ts";
import type { TaskDocument } from "../core/task.ts";
import { notRun, type Verdict } from "../core/verdict.ts";
import type { Workbench } from "../core/workbench.ts";
import { fileStoreKeys } from "../registry/keys.ts";
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
  draft: () => Draft | undefined;
}

/** An answer may take a fifth of the window, at about three characters a token. */
const ANSWER_SHARE = 0.2;
const ANSWER_CHARS_MOST = 40_000;

export const answerCharsOf = (contextWindow: number): number =>
  Math.min(ANSWER_CHARS_MOST, Math.floor(contextWindow * ANSWER_SHARE * 3));

export function createBench(asked: {
  world: World;
  document: TaskDocument;
  state: InstructionState;
  invocation: Invocation;
}): TurnBench {
  const { world, document, state, invocation } = asked;
  const { checks } = document.pack.declaration;
  const settings: GateSettings = {
    testsSeen: state.run.testsSeen,
    syntax: checks.syntax,
    tests: checks.tests && state.run.options.runTests,
  };
  const verdicts: Verdict[] = [];
  let acceptance: Acceptance | undefined;
  let draft: Draft | undefined;

  async function evaluate(wanted: Wanted): Promise<Verdict> {
    const verdict = await evaluated(wanted);
    verdicts.push(verdict);
    return verdict;
  }

  async function evaluated(wanted: Wanted): Promise<Verdict> {
    const allowed = allow(wanted, settings);
    if (!allowed.syntax && !allowed.tests && !allowed.command)
      return notRun(wanted.tests && checks.tests ? "turned_off" : "nothing_to_check");
    const verdict = await world.evaluator.evaluate(
      await requestOf({ world, state, wanted: allowed }),
      invocation.signal,
    );
    return allowed.tests || !wanted.tests
      ? verdict
      : { ...verdict, tests: notRun(checks.tests ? "turned_off" : "nothing_to_check").tests };
  }

  return {
    verdicts,
    acceptance: () => acceptance,
    draft: () => draft,
    files: state.tree.work,
    answerChars: answerCharsOf(state.run.profile.contextWindow),
    check: (wanted) => evaluate(wanted),
    command: (command) => evaluate({ command }),
    async complete(report) {
      const verdict = await evaluate({
        syntax: {},
        tests: {},
        ...(checks.command ? { command: { argv: checks.command } } : {}),
      });
      const decision = decideGate(verdict, settings);
      if (!decision.accepted) {
        const text = `The instruction is not accepted yet: ${decision.blocking.join(" and ")} must be put right first.\n\n${feedbackOf(verdict)}`;
        return { accepted: false, text, note: `not accepted: ${decision.blocking.join(", ")}` };
      }
      acceptance = { ...report, unchecked: decision.unchecked, verdict };
      const told = decision.unchecked.length > 0 ? ` Unchecked: ${decision.unchecked.join("; ")}.` : "";
      return {
        accepted: true,
        text: `Accepted.${told}`,
        note: decision.unchecked.length > 0 ? "accepted, unchecked" : "accepted",
      };
    },
    async takeProgram(taken) {
      const decision = acceptDraft(taken, document.requirements, state.run.options.steps);
      if ("problem" in decision) return decision.problem;
      draft = decision.draft;
      return undefined;
    },
  };
}

interface Wanted {
  syntax?: { paths?: string[] };
  tests?: { paths?: string[] };
  command?: { argv: string[]; stdin?: string; timeoutSeconds?: number };
}

/** What the pack's domain does not have, and what the user turned off, is not asked for. */
function allow(wanted: Wanted, settings: GateSettings): Wanted {
  return {
    ...(wanted.syntax && settings.syntax ? { syntax: wanted.syntax } : {}),
    ...(wanted.tests && settings.tests ? { tests: wanted.tests } : {}),
    ...(wanted.command ? { command: wanted.command } : {}),
  };
}

async function requestOf({
  world,
  state,
  wanted,
}: {
  world: World;
  state: InstructionState;
  wanted: Wanted;
}): Promise<EvaluationRequest> {
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
    ...wanted,
    install: state.run.options.install,
    timeoutMs: EVALUATION_MS,
  };
}
