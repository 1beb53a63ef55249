/** Before the first instruction: the examiner writes the checks of the requirements, in turns of planning. */
import { onFiles } from "../../core/evidence/evidence.ts";
import { standingOf } from "../../core/evidence/latest.ts";
import { partsOf } from "../../core/evidence/requirement-parts.ts";
import { TURNS_PER_INSTRUCTION } from "../../core/limits.ts";
import type { EventBody } from "../../core/run/event.ts";
import type { Run } from "../../core/run/run.ts";
import { examinerPatch, firstModelPatch } from "../../core/turn/model-fallback.ts";
import type { ModelProfile } from "../../core/turn/model-profile.ts";
import { describeStuck, type StuckCause, stuckReason } from "../../core/turn/stuck.ts";
import type { FileEntry } from "../../core/turn/turn.ts";
import { examinerTools } from "../../tools/toolbox.ts";
import { committedFiles } from "../evidence/trees.ts";
import { testsAdded } from "../gate/test-lock.ts";
import { endRun } from "../lifecycle/ending.ts";
import { readRepository } from "../program/read-repository.ts";
import { programOf } from "../program/stored-program.ts";
import { readTask } from "../program/stored-task.ts";
import type { StepResult } from "../step-result.ts";
import { converse } from "../turn/converse.ts";
import { createCurrentModel } from "../turn/current-model.ts";
import type { OpenStep } from "../turn/open-step.ts";
import { commitRun, recoverStep, turnsOf } from "../turn/step-state.ts";
import type { Invocation, World } from "../world.ts";
import { interrupted } from "./do-instruction.ts";

export async function examineRequirements(world: World, run: Run, invocation: Invocation): Promise<StepResult> {
  const step = await openExaminer(world, run, invocation);
  const result = await converse(step);
  if (result.kind === "done") return { kind: "done", run: await finish(step) };
  const { run: now } = step.state;
  if (result.kind === "stuck") return { kind: "done", run: await endRun(world, now, stuck(step, result.cause)) };
  return { kind: "answer", answer: await interrupted(result, { world, run: now, again: { next: "execute" } }) };
}

async function openExaminer(world: World, run: Run, invocation: Invocation): Promise<OpenStep> {
  const { registry } = world;
  const [document, requirements, program, state] = await Promise.all([
    readTask(world.files, run.id),
    registry.requirements(run.id),
    programOf(world, run),
    recoverStep(world, { run }),
  ]);
  const after = run.toExamine?.after ?? state.entries.length;
  const begins = run.toExamine?.after === undefined;
  const other = begins ? examinerPatch(state.run) : {};
  await commitRun(world, state, {
    run: {
      status: "running",
      ...(begins ? { toExamine: { after }, turn: after, forgivenTurn: after } : {}),
      ...other,
    },
    events: [
      { type: "planning", attempt: run.attempt, examining: true },
      ...(other.profile ? [changedTo(other.profile, run, after)] : []),
    ],
  });
  const listing = (files: FileEntry[]): Promise<string> =>
    files.length === 0
      ? Promise.resolve("")
      : readRepository(world, { runId: run.id, entries: files, contextWindow: state.run.profile.contextWindow });
  return {
    world,
    invocation,
    document,
    state,
    tools: examinerTools(),
    examines: true,
    listing,
    model: createCurrentModel(world, state, await world.model(state.run)),
    context: {
      document,
      total: "",
      requirements,
      examines: { program },
      ...(run.options.evidence === "strict" ? { isStrict: true } : {}),
    },
    turnCap: TURNS_PER_INSTRUCTION,
    restartedBecause: after === state.entries.length ? "the program is written" : "the run was resumed",
  };
}

const changedTo = ({ model: to }: ModelProfile, { profile: { model: from } }: Run, turn: number): EventBody => ({
  type: "model_changed",
  instruction: 0,
  turn,
  from,
  to,
  why: "it writes the checks",
});

/** What it has written is there; it is packed with the first instruction. */
async function finish({ world, state, context: { requirements } }: OpenStep): Promise<Run> {
  const { registry } = world;
  const { run } = state;
  const hashes = await committedFiles(world, run.id);
  const evidence = standingOf(await registry.evidence(run.id)).filter(
    (each) => onFiles(each, (path) => hashes.get(path)).changed !== true,
  );
  const parts = partsOf(requirements);
  const asked = requirements.filter(({ id }) => !parts.has(id));
  const missing = asked.filter(({ id }) => !evidence.some(({ requirement }) => requirement === id));
  const named = missing.slice(0, NAMED).map(({ id }) => id);
  const without =
    named.length > 0 ? ` Without a check: ${named.join(", ")}${missing.length > NAMED ? " and more" : ""}.` : "";
  return registry.commit(run, {
    run: {
      turn: 0,
      forgivenTurn: 0,
      lockedTests: (run.lockedTests ?? 0) + testsAdded(turnsOf(state)),
      ...firstModelPatch(run),
      remove: ["toExamine", ...(run.hint === undefined ? [] : (["hint"] as const))],
    },
    events: [
      {
        type: "notice",
        text: `The examiner wrote checks of ${asked.length - missing.length} of ${asked.length} requirements.${without}`,
      },
    ],
  });
}

const NAMED = 30;

function stuck({ state: { entries, run } }: OpenStep, cause: StuckCause) {
  const counted = entries.filter(({ turn }) => turn.turn > run.forgivenTurn);
  const detail = `The examiner is stuck: ${describeStuck(stuckReason(cause, counted))}.`;
  return { status: "partial" as const, reason: "trapped" as const, detail };
}
