/** Where a step comes from that may take an instruction's place: the run that this one was made of, or a call. */
import { defined } from "../../core/defined.ts";
import type { StepKey } from "../../core/make/step-record.ts";
import type { Instruction } from "../../core/program/program.ts";
import type { RunPatch } from "../../registry/commit.ts";
import type { OpenStep } from "../turn/open-step.ts";
import { type Choice, chooseStep } from "./choose-step.ts";
import { findRecalled } from "./recalled-call.ts";

export interface StepSource {
  choice: Choice;
  /** That has the step. */
  run: string;
  /** The instruction whose checks began too late before. */
  late: number | undefined;
  patchLate: RunPatch;
  /** If the step is taken over, and if it is not. */
  patchTaken: RunPatch;
  patchPassed: RunPatch;
  /** Of the instruction, either way. */
  set?: Partial<Instruction>;
  isCall: boolean;
  /** There was nothing to take over. */
  isSilent: boolean;
}

export async function sourceOf(step: OpenStep, key: StepKey): Promise<StepSource> {
  const { run } = step.state;
  const { make, pc } = run;
  if (!make || make.executes === pc) return callOf(step, key);
  return {
    choice: await chooseStep(step, key),
    run: make.from,
    late: make.late,
    patchLate: { make: { ...make, late: pc } },
    patchPassed: { make: { ...make, executes: pc } },
    patchTaken: {},
    isCall: false,
    isSilent: false,
  };
}

/** Only in runs of an earlier version: it looked for calls that other runs had made. */
async function callOf(step: OpenStep, key: StepKey): Promise<StepSource> {
  const { memo = {}, pc } = step.state.run;
  const recalled = await findRecalled(step, key);
  const passed = { patchPassed: { remove: ["memo" as const] }, late: memo.late, isCall: true };
  if (!recalled) return { ...passed, choice: { why: "" }, run: "", patchLate: {}, patchTaken: {}, isSilent: true };
  const { run, chosen } = recalled;
  const { of } = memo;
  return {
    ...passed,
    choice: { chosen },
    run,
    ...(of ? { set: { memo: of } } : {}),
    isSilent: false,
    patchLate: { memo: { ...memo, late: pc } },
    patchTaken: { memo: defined({ of }) },
  };
}
