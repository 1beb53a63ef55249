/** Revises the program that waits for approval. Whatever happens, a program waits for approval again. */
import type { Draft } from "../../core/program/program.ts";
import type { Run } from "../../core/run/run.ts";
import { firstModelPatch } from "../../core/turn/model-fallback.ts";
import type { Commit } from "../../registry/commit.ts";
import { awaitingApproval } from "../lifecycle/ending.ts";
import { consentFor } from "../program/consent.ts";
import { openRevision, revisedDraft } from "../program/revision.ts";
import { programEvent, putReplacement, replacedBy } from "../program/stored-program.ts";
import type { StepResult } from "../step-result.ts";
import { type ConversationResult, converse } from "../turn/converse.ts";
import { isPlayedToEnd } from "../turn/recorded-inputs.ts";
import type { Invocation, World } from "../world.ts";

export async function reviseProgram(world: World, run: Run, invocation: Invocation): Promise<StepResult> {
  const step = await openRevision(world, run, invocation);
  const { state } = step;
  const result = await converse(step, () => revisedDraft(step) !== undefined || isPlayedToEnd(step));
  if (result.kind === "wait") return { kind: "answer", answer: { next: "wait", waitSeconds: result.seconds } };
  if (result.kind === "out_of_time") return { kind: "answer", answer: { next: "wait", waitSeconds: 1 } };
  const draft = revisedDraft(step);
  const commit = draft ? await revised(world, state.run, draft) : unrevised(result);
  return { kind: "done", run: await world.registry.commit(state.run, waiting(state.run, commit)) };
}

/** The file first, then the run that points at it. */
async function revised({ files }: World, run: Run, draft: Draft): Promise<Commit> {
  const replacement = await putReplacement(files, run.id, draft);
  return { run: { ...replacedBy(draft, replacement, run), ...consentFor(run, draft) }, events: [programEvent(draft)] };
}

function unrevised(result: Exclude<ConversationResult, { kind: "wait" | "out_of_time" }>): Commit {
  const why = result.kind === "stuck" ? result.cause.detail : result.kind === "end" ? result.ending.detail : "";
  return { events: [{ type: "notice", text: `The program was not revised and waits as it was. ${why}`.trim() }] };
}

function waiting(run: Run, { run: changed, events = [] }: Commit): Commit {
  const { remove, ...standing } = awaitingApproval({ ...run, ...changed });
  return {
    run: {
      ...changed,
      ...standing,
      turn: 0,
      forgivenTurn: 0,
      ...firstModelPatch(run),
      remove: ["revising", ...remove],
    },
    events: [...events, { type: "waiting", why: standing.detail }],
  };
}
