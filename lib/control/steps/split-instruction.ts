/** Has the model write smaller instructions in place of the one at the program counter, which is stuck. */
import { defined } from "../../core/defined.ts";
import { SPLITTING_TURNS } from "../../core/limits.ts";
import { type Draft, type DraftInstruction, draftOf, type Requirement } from "../../core/program/program.ts";
import type { Run } from "../../core/run/run.ts";
import { describeStuck, type StuckReason } from "../../core/turn/stuck.ts";
import { instructionKey } from "../../registry/keys.ts";
import { planningTools } from "../../tools/toolbox.ts";
import { damagedItem } from "../files/verified-read.ts";
import { acceptDraft } from "../program/program-draft.ts";
import { programOf, putReplacement } from "../program/stored-program.ts";
import { readTask } from "../program/stored-task.ts";
import type { StepResult } from "../step-result.ts";
import { converse } from "../turn/converse.ts";
import { createCurrentModel } from "../turn/current-model.ts";
import type { OpenStep } from "../turn/open-step.ts";
import { commitRun, recoverStep, type StepState } from "../turn/step-state.ts";
import type { Invocation, World } from "../world.ts";
import { interrupted } from "./do-instruction.ts";
import { totalOf } from "./open-instruction.ts";
import { partsOf, stopOrSkip } from "./stop-or-skip.ts";

export async function splitInstruction(world: World, run: Run, invocation: Invocation): Promise<StepResult> {
  const { step, trap } = await openSplit(world, run, invocation);
  const { state } = step;
  const result = await converse(step, () => partsIn(state) !== undefined);
  const parts = partsIn(state);
  if (result.kind === "done" && parts) return { kind: "done", run: await replaceByParts(world, state, parts) };
  if (result.kind === "done" || result.kind === "stuck") {
    await commitRun(world, state, { run: { remove: ["splitting"] } });
    return { kind: "done", run: await stopOrSkip(world, state, trap) };
  }
  return { kind: "answer", answer: await interrupted(result, { world, run: state.run, again: { next: "execute" } }) };
}

async function openSplit(
  world: World,
  run: Run,
  invocation: Invocation,
): Promise<{ step: OpenStep; trap: StuckReason }> {
  const [document, instruction, requirements, model] = await Promise.all([
    readTask(world.files, run.id),
    world.registry.instruction(run.id, run.pc),
    world.registry.requirements(run.id),
    world.model(run),
  ]);
  if (!instruction?.trap) throw damagedItem(instructionKey(run.id, run.pc));
  const { trap } = instruction;
  const state = await recoverStep(world, { run, instruction, given: document.tests });
  const most = partsOf(run);
  const why = describeStuck(trap);
  const step: OpenStep = {
    world,
    invocation,
    document,
    state,
    tools: planningTools({ hasFiles: false }),
    model: createCurrentModel(world, state, model),
    context: { document, instruction, total: totalOf(run), requirements, split: { why, most } },
    acceptProgram: (draft) => acceptParts(draft, requirements, most),
    turnCap: SPLITTING_TURNS,
    restartedBecause: "it is to be split",
  };
  return { step, trap };
}

function acceptParts(draft: Draft, requirements: Requirement[], most: number): { draft: Draft } | { problem: string } {
  if (draft.tree) return { problem: "Only plain instructions can be in its place: leave out `kind` and its fields." };
  if (draft.instructions.length < 2) return { problem: `That is one instruction; write 2 to ${most} in its place.` };
  return acceptDraft({ ...draft, requirements: [] }, requirements, most);
}

/** As it was written since the instruction was stuck. */
const partsIn = ({ entries, run }: StepState): Draft | undefined =>
  entries.findLast(({ turn, effects }) => turn.turn > run.forgivenTurn && effects?.draft)?.effects?.draft;

/** The first part uses what the whole one needed, and others name the last part for its result. */
function inPlaceOf(split: DraftInstruction | undefined, parts: DraftInstruction[]): DraftInstruction[] {
  const { id, needs } = split ?? {};
  return parts.map(({ id: _id, needs: _needs, ...part }, index) => ({
    ...part,
    ...(index === 0 ? defined({ needs }) : {}),
    ...(index === parts.length - 1 ? defined({ id }) : {}),
  }));
}

async function replaceByParts(world: World, state: StepState, parts: Draft): Promise<Run> {
  const { run, number, instruction } = state;
  const { instructions, requirements } = await programOf(world, run);
  const written = inPlaceOf(instructions[number - 1], parts.instructions);
  const whole = draftOf({ instructions: instructions.toSpliced(number - 1, 1, ...written), requirements });
  const replacement = await putReplacement(world.files, run.id, whole);
  const titles = parts.instructions.map(({ title }) => title);
  return world.registry.commit(run, {
    run: {
      replacement,
      split: { first: number, last: number + titles.length - 1 },
      // The first part begins with its own count of turns.
      forgivenTurn: run.turn,
      remove: ["splitting"],
    },
    events: [
      {
        type: "split",
        instruction: number,
        title: instruction?.title ?? "",
        titles,
        instructions: whole.instructions.length,
      },
    ],
  });
}
