/** Makes the program: given by the user, or written by the model and reflected upon. */
import type { Run } from "../../core/run/run.ts";
import type { StuckCause } from "../../core/turn/stuck.ts";
import { type Ending, endRun } from "../lifecycle/ending.ts";
import { finishPlanning, openPlanning, reflectedDraft } from "../program/planning.ts";
import { replacementOf } from "../program/stored-program.ts";
import type { StepResult } from "../step-result.ts";
import { converse } from "../turn/converse.ts";
import { draftOf } from "../turn/step-state.ts";
import type { Invocation, World } from "../world.ts";
import { interrupted } from "./do-instruction.ts";

export async function planProgram(world: World, run: Run, invocation: Invocation): Promise<StepResult> {
  const step = await openPlanning(world, run, invocation);
  const { state, document } = step;
  if (document.given !== undefined) {
    const given = await replacementOf(world.files, run.id, document.given);
    return { kind: "done", run: await finishPlanning(world, state.run, { draft: given, frames: document.frames }) };
  }
  const result = await converse(step, () => reflectedDraft(step) !== undefined);
  if (result.kind === "done" || result.kind === "stuck") {
    // When planning is stuck, the last valid program is used.
    const draft = draftOf(state);
    if (draft) return { kind: "done", run: await finishPlanning(world, state.run, { draft }) };
  }
  if (result.kind === "done") throw new Error(`Run ${run.id} finished planning without a program.`);
  if (result.kind === "stuck") return { kind: "done", run: await endRun(world, state.run, noProgram(result.cause)) };
  const again = { next: "wait", waitSeconds: 1 } as const;
  return { kind: "answer", answer: await interrupted(result, { world, run: state.run, again }) };
}

function noProgram({ kind, detail }: StuckCause): Ending {
  if (kind === "too_long") {
    return { status: "partial", reason: "trapped", detail: `The program cannot be planned: ${detail}.` };
  }
  return {
    status: "failed",
    reason: "planning",
    detail: `The model wrote no program that could be used: ${detail}. Try another model, or give a program with --program FILE.`,
  };
}
