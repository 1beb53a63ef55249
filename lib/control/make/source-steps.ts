/** The steps of the run that exists, and those of them that some new step may take over. */
import type { Evidence } from "../../core/evidence/evidence.ts";
import type { InheritedAnswer } from "../../core/make/inherited-steps.ts";
import type { SourceStep } from "../../core/make/plan-make.ts";
import type { Instruction } from "../../core/program/program.ts";
import type { Run } from "../../core/run/run.ts";
import type { Step } from "../../core/step/step.ts";
import type { StepRecord } from "../../core/step/step-record.ts";
import type { RunStores, StoredProgram } from "../program/stored-program.ts";
import { STEP } from "../turn/body-kinds.ts";
import { readBody } from "../turn/journal.ts";
import { handoverHash, ownHash, ownParts, questionHash, requirementTexts } from "./step-key.ts";

const AT_ONCE = 32;

export async function readSource(
  { files, registry }: RunStores,
  { id }: Run,
  { instructions, requirements }: StoredProgram,
): Promise<SourceStep[]> {
  const known = requirementTexts(requirements);
  const steps: SourceStep[] = [];
  for (let start = 0; start < instructions.length; start += AT_ONCE)
    steps.push(...(await Promise.all(instructions.slice(start, start + AT_ONCE).map(read))));
  return steps;

  async function read(each: Instruction): Promise<SourceStep> {
    const { number, title, kind, text: question, choices, saveTo, status, step, inherited, microUsd } = each;
    const own = ownParts(each, known);
    const shared = { number, title, accepted: status === "accepted", handsOver: handoverHash([each], undefined) };
    if (kind === "ask") {
      const asked = { own: questionHash({ question, choices, saveTo }), asks: true as const, microUsd: 0 };
      return { ...shared, ...asked, instruction: own.instruction, record: await answerRecord(each) };
    }
    return {
      ...shared,
      own: ownHash(own),
      instruction: own.instruction,
      record: step && (await readBody(files, { key: step.body, hash: step.sha256 }, STEP)),
      microUsd: microUsd + (inherited?.microUsd ?? 0),
    };
  }

  /** It depends on nothing, and wrote one file. */
  async function answerRecord({ number, title, text, answer }: Instruction): Promise<StepRecord | undefined> {
    if (answer === undefined) return undefined;
    const writes = (await registry.turns(id, number)).flatMap(({ changes }) => changes);
    const parts = ownParts({ title, text, requirements: [] }, known);
    const key = { ...parts, task: "", prompts: "", tools: "", model: "", handover: "" };
    const changed = writes.map(({ path, sha256, was }) => ({ path, sha256, was }));
    return { key, touched: changed.map(({ path }) => path), writes: changed, readings: [], ran: false };
  }
}

export interface Inheritable {
  steps: Map<string, Step[]>;
  answers: Map<string, InheritedAnswer[]>;
}

/** `wanted`: what the new steps say. Absent: which ones there will be is known when the program is executed. `evidence`: of all steps. */
export function inheritable(
  source: SourceStep[],
  instructions: Instruction[],
  { wanted, evidence }: { wanted: ReadonlySet<string> | undefined; evidence: Evidence[] },
): Inheritable {
  const steps = new Map<string, Step[]>();
  const answers = new Map<string, InheritedAnswer[]>();
  for (const [index, { own, accepted, record }] of source.entries()) {
    const instruction = instructions[index];
    if (!accepted || !record || !instruction || (wanted && !wanted.has(own))) continue;
    const { number, answer } = instruction;
    if (answer !== undefined) answers.set(own, [...(answers.get(own) ?? []), { instruction: number, sha256: answer }]);
    else {
      const proven = evidence.filter((each) => each.instruction === number);
      const step = { ...inheritedStep(instruction, record), ...(proven.length > 0 ? { evidence: proven } : {}) };
      steps.set(own, [...(steps.get(own) ?? []), step]);
    }
  }
  return { steps, answers };
}

export function inheritedStep(instruction: Instruction, record: Step["record"]): Step {
  const { number, summary = "", next, amendments, unchanged, unchecked, unproven = [], turns, microUsd } = instruction;
  const { inherited } = instruction;
  return {
    instruction: number,
    record,
    summary,
    ...(next === undefined ? {} : { next }),
    ...(amendments ? { amendments } : {}),
    ...(unchanged || unchecked.length + unproven.length > 0 ? { insisted: true as const } : {}),
    turns: turns + (inherited?.turns ?? 0),
    microUsd: microUsd + (inherited?.microUsd ?? 0),
  };
}
