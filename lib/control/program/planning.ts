/** Planning: opens its conversation, decides when the program is good, and stores it. */

import type { Draft, Requirement } from "../../core/program/program.ts";
import { uncovered } from "../../core/program/requirements.ts";
import { fill } from "../../core/prompt/prompt.ts";
import { lacksApproval, type Run } from "../../core/run/run.ts";
import type { StoredTask } from "../../core/run/task.ts";
import { asking } from "../../core/turn/fallback.ts";
import { packTree } from "../../pack/pack.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { planningTools } from "../../tools/toolbox.ts";
import { AWAITING_APPROVAL } from "../lifecycle/ending.ts";
import { createCurrentModel } from "../turn/current-model.ts";
import { draftOf, type InstructionState, recover } from "../turn/instruction-state.ts";
import type { TakingTurn } from "../turn/take-turn.ts";
import type { Invocation, World } from "../world.ts";
import { programEvent, replacementOf } from "./stored-program.ts";
import { readTask } from "./stored-task.ts";

export async function openPlanning(world: World, run: Run, invocation: Invocation): Promise<Omit<TakingTurn, "ask">> {
  const [document, model] = await Promise.all([readTask(world.files, run.id), world.model(run)]);
  const state = await recover(world, { run });
  state.run = await world.registry.commit(run, {
    run: { status: "planning" },
    events: [{ type: "planning", attempt: run.attempt }],
  });
  const { steps } = run.options;
  const told = { document, total: 0, requirements: document.requirements, ...(steps === undefined ? {} : { steps }) };
  const follow = (draft: Draft): string =>
    reflections(state) < run.options.reflect ? reflectText(document, draft) : "";
  const asked = createCurrentModel(world, state, model);
  return { world, document, state, tools: planningTools, invocation, model: asked, told, follow };
}

/** How often the model has looked at its program again: answers after the first program, be they words or a better one. */
function reflections(state: InstructionState): number {
  const first = state.entries.findIndex((entry) => entry.effects?.draft);
  if (first < 0) return 0;
  const answers = state.entries
    .slice(first + 1)
    .filter(({ turn, effects }) => effects?.draft || turn.outcome === "prose");
  return answers.length;
}

/** The program, once reflection is done; at the end of patience, the last valid one. */
export function plannedDraft(state: InstructionState, document: StoredTask, outOfTurns: boolean): Draft | undefined {
  const draft = draftOf(state);
  if (!draft || outOfTurns) return draft;
  const done = reflections(state);
  const { reflect } = state.run.options;
  if (done >= reflect) return draft;
  return done > 0 && missing(document, draft).length === 0 ? draft : undefined;
}

const missing = (document: StoredTask, draft: Draft): Requirement[] =>
  uncovered(document.requirements.length > 0 ? document.requirements : draft.requirements, draft.instructions);

function reflectText(document: StoredTask, draft: Draft): string {
  return fill(document.pack.texts.reflect, {
    program: draft.instructions
      .map(
        ({ title, requirements }, index) =>
          `${index + 1}. ${title}${requirements.length > 0 ? ` (${requirements.join(", ")})` : ""}`,
      )
      .join("\n"),
    uncovered: missing(document, draft)
      .map(({ id, text }) => `${id}: ${text}`)
      .join("\n"),
  });
}

export async function finishPlanning(world: World, run: Run, draft: Draft): Promise<Run> {
  await world.registry.storeProgram(run, draft);
  const waits = lacksApproval(run);
  const empty = packTree(undefined, []);
  await world.files.putOnce(fileStoreKeys(run.id).pack(0), empty);
  return world.registry.commit(run, {
    run: {
      ...(waits ? AWAITING_APPROVAL : ({ status: "running" } as const)),
      instructions: draft.instructions.length,
      pc: 1,
      packed: 0,
      turn: 0,
      forgivenTurn: 0,
      ...asking(run, 0),
    },
    events: [programEvent(draft), ...(waits ? [{ type: "waiting", why: AWAITING_APPROVAL.detail } as const] : [])],
  });
}

/** What a person put in the place of the planned program: it counts as a whole, once nothing points at its file any more. */
export async function storeReplacement(world: World, run: Run): Promise<Run> {
  const draft = await replacementOf(world.files, run.id, run.replacement ?? "");
  await world.registry.storeProgram(run, draft);
  return world.registry.commit(run, { run: { instructions: draft.instructions.length, remove: ["replacement"] } });
}
