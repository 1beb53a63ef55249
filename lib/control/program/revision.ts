/** Revising the program that waits for approval: one planning conversation more, after those of its journal. */
import type { Draft } from "../../core/program/program.ts";
import type { Run } from "../../core/run/run.ts";
import type { FileEntry } from "../../core/turn/turn.ts";
import { metaKey } from "../../registry/keys.ts";
import { planningTools } from "../../tools/toolbox.ts";
import { damagedItem } from "../files/verified-read.ts";
import { createCurrentModel } from "../turn/current-model.ts";
import type { OpenStep } from "../turn/open-step.ts";
import { recordedInputs } from "../turn/recorded-inputs.ts";
import { commitRun, recoverStep } from "../turn/step-state.ts";
import type { Invocation, World } from "../world.ts";
import { placeProblemOf } from "./begun-inside.ts";
import { uncheckedIn } from "./planning.ts";
import { acceptDraft, provableDraft } from "./program-draft.ts";
import { readRepository } from "./read-repository.ts";
import { programOf } from "./stored-program.ts";
import { readTask } from "./stored-task.ts";

export async function openRevision(world: World, run: Run, invocation: Invocation): Promise<OpenStep> {
  const [document, model] = await Promise.all([readTask(world.files, run.id), world.model(run)]);
  const state = await recoverStep(world, { run });
  const entries = await world.registry.allFiles(run.id);
  await commitRun(world, state, {
    run: { status: "planning" },
    events: [{ type: "planning", attempt: run.attempt }],
  });
  const { steps } = run.options;
  const { feedback, after } = revisingOf(run);
  const unchecked = uncheckedIn(world, entries, document);
  const opened = {
    world,
    invocation,
    document,
    state,
    model: createCurrentModel(world, state, model),
    tools: planningTools({ hasFiles: entries.length > 0 }),
    context: { document, total: "", requirements: document.requirements, ...(steps === undefined ? {} : { steps }) },
    listing: (files: FileEntry[]): Promise<string> =>
      readRepository(world, { runId: run.id, entries: files, contextWindow: state.run.profile.contextWindow }),
    restartedBecause: "the program is revised",
    ...(unchecked === "" ? {} : { unchecked }),
  };
  // In a replay, the program may have been another one at this point.
  const recorded = recordedInputs(opened, after + 1)?.opening?.revision;
  const revision = recorded ?? { feedback, program: await programOf(world, run) };
  const { requirements } = revision.program;
  const placeProblem = await placeProblemOf(world, run);
  const acceptProgram: OpenStep["acceptProgram"] = (draft) => {
    const problem = placeProblem(draft);
    return problem === undefined ? provableDraft(state, acceptDraft(draft, requirements, steps)) : { problem };
  };
  return { ...opened, revision, acceptProgram };
}

/** As it was written since the person asked. */
export const revisedDraft = ({ state: { entries, run } }: OpenStep): Draft | undefined =>
  entries.findLast(({ turn, effects }) => turn.turn > revisingOf(run).after && effects?.draft)?.effects?.draft;

function revisingOf({ id, revising }: Run): NonNullable<Run["revising"]> {
  if (!revising) throw damagedItem(metaKey(id));
  return revising;
}
