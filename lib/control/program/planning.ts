/** Planning: opens its conversation, decides when the program is good, and stores it. */
import { defined } from "../../core/defined.ts";
import { START } from "../../core/program/language/advance.ts";
import type { Frames } from "../../core/program/language/frames.ts";
import { outlineOf } from "../../core/program/language/tree-outline.ts";
import type { Draft, Requirement } from "../../core/program/program.ts";
import { programIn } from "../../core/program/program-text.ts";
import { uncovered } from "../../core/program/requirements.ts";
import { uncheckedLanguages } from "../../core/program/unchecked-languages.ts";
import { fill } from "../../core/prompt/prompt.ts";
import { formatWithTree, lacksApproval, type Run } from "../../core/run/run.ts";
import type { StoredTask } from "../../core/run/task.ts";
import { firstModelPatch } from "../../core/turn/model-fallback.ts";
import type { FileEntry } from "../../core/turn/turn.ts";
import { packTree } from "../../pack/pack.ts";
import type { RunPatch } from "../../registry/commit.ts";
import type { ProgramPart } from "../../registry/create.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { planningTools } from "../../tools/toolbox.ts";
import { awaitingApproval } from "../lifecycle/ending.ts";
import { createCurrentModel } from "../turn/current-model.ts";
import type { OpenStep } from "../turn/open-step.ts";
import { commitRun, draftOf, recoverStep, type StepState } from "../turn/step-state.ts";
import type { Invocation, World } from "../world.ts";
import { consentFor } from "./consent.ts";
import { acceptDraft, provableDraft } from "./program-draft.ts";
import { readRepository } from "./read-repository.ts";
import { programEvent, putReplacement, replacementOf } from "./stored-program.ts";
import { readTask } from "./stored-task.ts";

export async function openPlanning(world: World, run: Run, invocation: Invocation): Promise<OpenStep> {
  const [document, model] = await Promise.all([readTask(world.files, run.id), world.model(run)]);
  const state = await recoverStep(world, { run });
  const entries = await world.registry.allFiles(run.id);
  const unchecked = uncheckedIn(world, entries, document);
  await commitRun(world, state, {
    run: { status: "planning" },
    events: [
      { type: "planning", attempt: run.attempt, ...(document.given === undefined ? {} : { given: true }) },
      ...(unchecked === "" || state.entries.length > 0 ? [] : [{ type: "notice", text: unchecked } as const]),
    ],
  });
  const { steps } = run.options;
  const context = {
    document,
    total: "",
    requirements: document.requirements,
    ...(steps === undefined ? {} : { steps }),
  };
  const reflection = (draft: Draft): string =>
    reflections(state) < run.options.reflect ? reflectText(document, draft) : "";
  const currentModel = createCurrentModel(world, state, model);
  const tools = planningTools({ hasFiles: entries.length > 0 });
  const listing = (files: FileEntry[]): Promise<string> =>
    readRepository(world, { runId: run.id, entries: files, contextWindow: state.run.profile.contextWindow });
  const acceptProgram = (draft: Draft) => provableDraft(state, acceptDraft(draft, document.requirements, steps));
  const step = { world, invocation, document, state, tools, model: currentModel, context, reflection, listing };
  return { ...step, acceptProgram, ...(unchecked === "" ? {} : { unchecked }) };
}

/** A book has no languages, and some evaluators cannot say before a check. */
export function uncheckedIn({ evaluator }: World, entries: FileEntry[], document: StoredTask): string {
  if (!document.pack.declaration.checks.tests || !evaluator.programs) return "";
  const paths = entries.map(({ path }) => path);
  return uncheckedLanguages({ task: document.task, paths, programs: evaluator.programs() });
}

/** How often the model has reviewed its program: every answer after the first program, with or without another one. */
function reflections(state: StepState): number {
  const first = state.entries.findIndex((entry) => entry.effects?.draft);
  if (first < 0) return 0;
  const answers = state.entries
    .slice(first + 1)
    .filter(({ turn, effects }) => effects?.draft || turn.outcome === "prose");
  return answers.length;
}

/** The program, once reflection is done. */
export function reflectedDraft({ state, document }: OpenStep): Draft | undefined {
  const draft = draftOf(state);
  if (!draft) return undefined;
  const done = reflections(state);
  const { reflect } = state.run.options;
  if (done >= reflect) return draft;
  return done > 0 && missing(document, draft).length === 0 ? draft : undefined;
}

const missing = (document: StoredTask, draft: Draft): Requirement[] =>
  uncovered(document.requirements.length > 0 ? document.requirements : draft.requirements, draft.instructions);

function reflectText(document: StoredTask, draft: Draft): string {
  return fill(document.pack.texts.reflect, {
    program: outlineOf(programIn(draft)),
    uncovered: missing(document, draft)
      .map(({ id, text }) => `${id}: ${text}`)
      .join("\n"),
  });
}

/** `frames`: where a program with more kinds than `do` begins. */
export async function finishPlanning(
  world: World,
  run: Run,
  { draft, frames }: { draft: Draft; frames?: Frames | undefined },
): Promise<Run> {
  const begun = await beginProgram(world, run, { draft, frames });
  const consent = consentFor(run, draft, run.make?.taken);
  const waits = lacksApproval({ ...run, ...consent });
  const awaited = awaitingApproval({ ...run, ...consent });
  const { remove = [], ...standing }: RunPatch = waits ? awaited : { status: "running" };
  const empty = packTree(undefined, []);
  await world.files.putOnce(fileStoreKeys(run.id).pack(0), empty);
  return world.registry.commit(run, {
    run: {
      ...standing,
      ...begun,
      ...consent,
      pc: 1,
      packed: 0,
      turn: 0,
      forgivenTurn: 0,
      ...firstModelPatch(run),
      remove: ["hint", ...remove],
    },
    events: [programEvent(draft), ...(waits ? [{ type: "waiting", why: awaited.detail } as const] : [])],
  });
}

/** Stores the program that replaces the planned one, from the program counter on; it holds once `replacement` is removed. */
export async function storeReplacement(world: World, run: Run): Promise<Run> {
  const draft = await replacementOf(world.files, run.id, run.replacement ?? "");
  // Parts of a step that was split: the way through the program goes on after the last of them.
  const split = run.walk?.hasStep ? { frames: run.walk.frames, isPart: true as const } : undefined;
  const before = run.make || run.walk ? await world.registry.instruction(run.id, run.pc) : undefined;
  const begun = split
    ? await storeSteps(world, run, { draft, place: split })
    : await beginProgram(world, run, { draft, frames: run.walk?.frames });
  const isList = !split && draft.tree === undefined;
  return world.registry.commit(run, {
    run: { ...begun, remove: ["replacement", ...(isList ? (["walk"] as const) : [])] },
    // The first part of a split instruction goes on with its journal.
    ...(before?.tried
      ? { instruction: { number: run.pc, set: defined({ tried: before.tried, memo: before.memo }) } }
      : {}),
  });
}

async function storeSteps(
  { registry }: World,
  run: Run,
  { draft, place }: Pick<ProgramPart, "place"> & { draft: Draft },
): Promise<Partial<Run>> {
  await registry.storeProgram(run, draft, { from: Math.max(1, run.pc), place });
  return { instructions: draft.instructions.length };
}

/** A list is stored as it is; a program of more kinds has no instruction before its first step is found. */
async function beginProgram(
  world: World,
  run: Run,
  { draft, frames = START }: { draft: Draft; frames?: Frames | undefined },
): Promise<Partial<Run>> {
  if (draft.tree === undefined) return storeSteps(world, run, { draft });
  const program = await putReplacement(world.files, run.id, draft);
  await world.registry.storeProgram(run, { instructions: [], requirements: draft.requirements });
  return { instructions: 0, walk: { program, frames: [...frames] }, format: formatWithTree(run) };
}
