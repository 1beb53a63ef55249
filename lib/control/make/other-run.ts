/** Offers a step that another run executed: the run that this one was made of, or one that had made the same call. */
import { defined } from "../../core/defined.ts";
import type { Evidence } from "../../core/evidence/evidence.ts";
import { addCopied } from "../../core/make/copied-steps.ts";
import type { MemoState } from "../../core/make/recalled-call.ts";
import type { Instruction } from "../../core/program/program.ts";
import type { EventBody } from "../../core/run/event.ts";
import type { Run } from "../../core/run/run.ts";
import { inOneLine } from "../../core/step/reasons.ts";
import type { StepKey } from "../../core/step/step-record.ts";
import type { RunPatch } from "../../registry/commit.ts";
import type { Decided, Offer, OfferedStep, StepSource } from "../adopt/step-source.ts";
import { enoughTimeToApply } from "../gate/evaluation.ts";
import { endAtMinutes } from "../lifecycle/ending.ts";
import { readInstruction, startedCommit } from "../steps/open-instruction.ts";
import type { OpenStep } from "../turn/open-step.ts";
import { type ChosenStep, chooseStep } from "./choose-step.ts";
import { findRecalled } from "./recalled-call.ts";
import { keyOfStep } from "./record-step.ts";

export const offerOfOtherRun: StepSource = async (world, run, invocation) => {
  const { make, memo, pc } = run;
  const isMade = make !== undefined && make.executes !== pc;
  if (!isMade && memo === undefined) return undefined;
  // A replay is over where its journal ends.
  if (world.recorded?.takesOverAt(pc) === false) return { done: { kind: "answer", answer: { next: "stop" } } };
  const ended = await endAtMinutes(world, run);
  if (ended) return { done: { kind: "done", run: ended } };
  const opened = await readInstruction(world, run, invocation);
  if (!enoughTimeToApply(opened.state, invocation)) return { done: { kind: "answer", answer: { next: "execute" } } };
  const key = keyOfStep(opened);
  if (!key) throw new Error(`Instruction ${pc} of run ${run.id} has no key.`);
  return isMade ? offerOfSource(opened, key, make) : offerOfCall(opened, key, memo);
};

async function offerOfSource(opened: OpenStep, key: StepKey, make: NonNullable<Run["make"]>): Promise<Offer> {
  const { pc } = opened.state.run;
  const choice = await chooseStep(opened, key);
  const passed = (why: string): Decided => ({
    run: { make: { ...make, executes: pc } },
    events: [madeEvent(opened, { decision: "executed", why })],
  });
  if ("why" in choice) return { refused: { opened, passed, why: choice.why } };
  const { chosen } = choice;
  return {
    step: {
      ...offered(opened, chosen, { run: make.from }),
      passed,
      late: make.late === pc ? undefined : { make: { ...make, late: pc } },
    },
  };
}

/** Only in runs of an earlier version: it looked for calls that other runs had made. */
async function offerOfCall(opened: OpenStep, key: StepKey, memo: MemoState = {}): Promise<Offer> {
  const { run } = opened.state;
  const { of, late } = memo;
  const recalled = await findRecalled(opened, key);
  const isOver: RunPatch = { remove: ["memo"] };
  if (!recalled) return { refused: { opened, passed: () => ({ run: isOver, events: [] }), why: "" } };
  const { chosen, run: from } = recalled;
  const set = defined({ memo: of });
  return {
    step: {
      ...offered(opened, chosen, {
        run: from,
        patch: { memo: defined({ of }), copied: addCopied(run.copied, chosen.step) },
        set,
        isCall: true,
      }),
      passed: (why) => ({
        run: isOver,
        set,
        events: [madeEvent(opened, { decision: "executed", why, from: { run: from } })],
      }),
      late: late === run.pc ? undefined : { memo: { ...memo, late: run.pc } },
    },
  };
}

interface Source {
  run: string;
  patch?: Partial<Run>;
  set?: Partial<Instruction>;
  isCall?: true;
}

function offered(
  opened: OpenStep,
  { step, readings, conflicts, reasons }: ChosenStep,
  { run: from, patch = {}, set = {}, isCall }: Source,
): Omit<OfferedStep, "passed"> {
  const { run } = opened.state;
  const { turns, microUsd, instruction } = step;
  const copied = { run: from, instruction };
  const started = startedCommit(opened, run);
  const made = madeEvent(opened, {
    why: inOneLine(reasons),
    decision: reasons.length === 0 ? "copied" : "kept",
    saved: { turns, microUsd },
    ...(isCall ? { from: copied } : {}),
  });
  return {
    opened,
    step,
    readings,
    conflicts,
    reasons,
    evidence: ownEvidence(step.evidence, run.pc),
    adopted: {
      copied,
      run: patch,
      events: [...started.events, made],
      instruction: { ...started.instruction.set, inherited: { ...copied, turns, microUsd }, ...set },
    },
  };
}

/** As if its first turn had gathered it. */
const ownEvidence = (evidence: Evidence[] = [], instruction: number): Evidence[] =>
  evidence.map((each) => ({ ...each, instruction, turn: 1 }));

type MadeEvent = Extract<EventBody, { type: "made" }>;

const madeEvent = (
  { state: { run, instruction } }: OpenStep,
  decided: Omit<MadeEvent, "type" | "instruction" | "title">,
): MadeEvent => ({ type: "made", instruction: run.pc, title: instruction?.title ?? "", ...decided });
