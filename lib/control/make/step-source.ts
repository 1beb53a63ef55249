/** Where a step comes from that may take an instruction's place: the run that this one was made of, or an earlier call. */
import type { StepKey } from "../../core/make/step-record.ts";
import type { Instruction } from "../../core/program/program.ts";
import type { RunPatch } from "../../registry/commit.ts";
import { findMemo } from "../memo/find-memo.ts";
import type { OpenStep } from "../turn/open-step.ts";
import { type Choice, chooseStep } from "./choose-step.ts";

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

async function callOf(step: OpenStep, key: StepKey): Promise<StepSource> {
  const { memo = { calls: [] }, pc } = step.state.run;
  const offered = await findMemo(step, key);
  const passed = { patchPassed: { remove: ["memo" as const] }, late: memo.late, isCall: true };
  if (!offered) {
    return { ...passed, choice: { why: "" }, run: "", patchLate: {}, patchTaken: {}, isSilent: true };
  }
  const { run, reference: of, choice } = offered;
  const { late: _late, ...rest } = memo;
  return {
    ...passed,
    choice,
    run,
    set: { memo: of },
    isSilent: false,
    patchLate: { memo: { ...memo, late: pc } },
    patchTaken: { memo: { ...rest, of } },
  };
}
