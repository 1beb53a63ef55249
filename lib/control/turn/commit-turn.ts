/** Runs the tools of an answered turn on the overlay, stores bytes as blobs, and commits everything in one transaction. */
import { defined } from "../../core/defined.ts";
import type { ModelAnswer } from "../../core/ports.ts";
import type { Instruction } from "../../core/program/program.ts";
import type { EventBody } from "../../core/run/event.ts";
import type { Run } from "../../core/run/run.ts";
import type { StepRecord } from "../../core/step/step-record.ts";
import { oneLine } from "../../core/text/cut.ts";
import { storedResult, type ToolAnswer, withoutSecrets } from "../../core/turn/tool-note.ts";
import { categoryOf } from "../../core/turn/tools.ts";
import type { EffectsBody, Turn, TurnOutcome } from "../../core/turn/turn.ts";
import type { Tool } from "../../core/turn/workbench.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { correctionFor, refused, runCalls } from "../../tools/run-calls.ts";
import { fitEvidence } from "../evidence/fit-evidence.ts";
import { sha256 } from "../files/digest.ts";
import { filesAdded } from "../files/layers.ts";
import { finishStep } from "../lanes/finish-step.ts";
import { storeStepRecord } from "../make/record-step.ts";
import { type AcceptedCommit, acceptedCommit } from "./accepted.ts";
import { EFFECTS } from "./body-kinds.ts";
import { bodyOf } from "./journal.ts";
import type { OpenStep } from "./open-step.ts";
import { countSecrets, secretEvents } from "./secret-events.ts";
import { commitRun, type StepState } from "./step-state.ts";
import { amendedEvents, loopEvents, openingEvents, turnEvent, verdictEvents } from "./turn-events.ts";
import { summarizeTurn } from "./turn-summary.ts";
import { createTurnWorkbench, type TurnWorkbench } from "./turn-workbench.ts";

/** Runs the tools that the pending answer calls, and commits the turn. Nothing is pending: nothing to do. */
export async function runAndCommitTools(step: OpenStep): Promise<void> {
  const { state, tools, reflection } = step;
  if (!state.pending) return;
  const { answer } = state.pending.answer;
  if (answer.truncated) return commitTruncated(step, state.pending);
  const stateHash = state.tree.stateHash();
  const workbench = createTurnWorkbench(step, answer.toolCalls.length);
  const ran = await runTools(tools, answer, workbench).catch((error: unknown) => {
    state.tree.discard();
    throw error;
  });
  const draft = workbench.draft();
  const reflect = draft && reflection ? reflection(draft) : "";
  await commitTurn(step, {
    turn: state.pending.turn,
    outcome: ran.outcome,
    answers: ran.results,
    signature: sha256(JSON.stringify([stateHash, answer.toolCalls.map(callSignature)])),
    effects: {
      inputs: state.pending.answer.inputs,
      results: ran.results.map(storedResult),
      correction: [ran.correction, reflect].filter(Boolean).join("\n\n"),
      verdicts: workbench.verdicts,
      ...(workbench.amendments.length > 0 ? { amendments: workbench.amendments } : {}),
      ...(workbench.offers.length > 0 ? { offers: workbench.offers } : {}),
      ...(workbench.evidence.gathered().length > 0 ? { evidence: workbench.evidence.gathered() } : {}),
      ...(workbench.readings.length > 0 && state.instruction ? { readings: workbench.readings } : {}),
      ...(draft ? { draft } : {}),
    },
    contextTokens: state.pending.answer.contextTokens ?? 0,
    workbench,
  });
}

/** It answers what the server had left of the request. The next one is made smaller, as after a refusal for its size. */
async function commitTruncated(step: OpenStep, { turn, answer }: NonNullable<StepState["pending"]>): Promise<void> {
  const text = `The model server counted ${turn.inputTokens} tokens of a request of ${answer.requestBytes} bytes: it read a part of it only, and its answer is not used. State the size of its window with --context-window, or give it a larger one.`;
  await commitTurn(step, {
    turn,
    outcome: "context_exceeded",
    effects: { inputs: answer.inputs, results: [], correction: "", verdicts: [] },
    contextTokens: answer.contextTokens ?? 0,
    events: [{ type: "notice", text }],
  });
}

async function runTools(tools: Tool[], answer: ModelAnswer, workbench: TurnWorkbench) {
  const { results } = await runCalls(runnableCalls(answer), tools, workbench);
  const cut = cutCall(answer);
  const correction = correctionFor(answer, tools);
  return {
    results: [...results, ...cut].map(withoutSecrets),
    correction,
    outcome: outcomeOf(answer, workbench.acceptance() !== undefined),
  };
}

/** Equal calls make a loop. The summary of a completion does not count: the gate judges the same files alike. */
const callSignature = ({ name, arguments: args }: ModelAnswer["toolCalls"][number]): string[] =>
  categoryOf(name) === "end" ? [name] : [name, args];

/** The last call of a cut answer is incomplete, even if what is left of it parses. */
const runnableCalls = ({ toolCalls, finish }: ModelAnswer) => (finish === "cut" ? toolCalls.slice(0, -1) : toolCalls);

const cutCall = ({ toolCalls, finish }: ModelAnswer): ToolAnswer[] =>
  finish === "cut" ? toolCalls.slice(-1).map((last) => refused(last, CUT_OFF, "cut off")) : [];

const CUT_OFF =
  "The answer was cut off by the output limit in the middle of this call, so it was not run. Write less in one call: fewer files, or one file in parts (write_files, then edit_file).";

function outcomeOf({ toolCalls, finish }: ModelAnswer, accepted: boolean): TurnOutcome {
  if (accepted) return "accepted";
  if (finish === "cut") return "cut";
  return toolCalls.length > 0 ? "tools" : "prose";
}

export interface TurnEffects {
  turn: Turn;
  outcome: TurnOutcome;
  signature?: string;
  /** Of the tools that ran. */
  answers?: ToolAnswer[];
  effects: EffectsBody;
  contextTokens: number;
  workbench?: TurnWorkbench;
  events?: EventBody[];
  run?: Partial<Run>;
  /** Of the instruction that it completes. */
  instruction?: Partial<Instruction>;
  /** Of the step that it takes over. */
  taken?: StepRecord;
  /** The turn had no answer, so this commit is its first. */
  isNew?: boolean;
}

/** Whether something else was settled than the server said. */
function reservedIn(pending: StepState["pending"]): { reserved?: true } {
  if (!pending) return {};
  const { usage } = pending.answer.answer;
  const { inputTokens, outputTokens } = pending.turn;
  return usage.inputTokens === inputTokens && usage.outputTokens === outputTokens ? {} : { reserved: true };
}

const namedModel = ({ models, profile }: Run): { model?: string } => (models ? { model: profile.model } : {});

/** A server may have a name of its own for a model. It is text of others. */
function answeringModel({ profile }: Run, pending: StepState["pending"]): { answeredBy?: string } {
  const model = pending?.answer.answer.model;
  return model === undefined || model === "" || model === profile.model
    ? {}
    : { answeredBy: oneLine(model, MODEL_CHARS) };
}
const MODEL_CHARS = 200;

const eventsOf = (turn: Turn, done: TurnEffects, { run, entries, pending }: StepState): EventBody[] => [
  ...openingEvents(turn, done.effects.inputs),
  ...(done.events ?? []),
  ...(turn.copied
    ? []
    : [
        turnEvent(turn, done.answers ?? [], {
          contextTokens: done.contextTokens,
          ...namedModel(run),
          ...answeringModel(run, pending),
          ...reservedIn(pending),
        }),
      ]),
  ...verdictEvents(turn, done.effects.verdicts, (verdict) => done.workbench?.gateOf(verdict)),
  ...amendedEvents(turn, done.effects),
  ...secretEvents(run, done.effects),
  ...loopEvents([...entries.map((entry) => entry.turn), turn], run.forgivenTurn),
];

/** One transaction; blobs and the body are stored before it. */
export async function commitTurn(step: OpenStep, given: TurnEffects): Promise<void> {
  const { world, state } = step;
  const rewritten = state.instruction ? state.tree.rewritten() : [];
  const done = rewritten.length > 0 ? { ...given, effects: { ...given.effects, rewritten } } : given;
  const { answers = [] } = done;
  const { run } = state;
  const keys = fileStoreKeys(run.id);
  const effectsKey = keys.effects({ ...done.turn, attempt: run.attempt });
  const changed = state.tree.turnChanges(done.turn.turn);
  const changes = changed.flatMap((each) => each.changes);
  const accepted = done.outcome === "accepted" ? await acceptTurn(step, done, { ...done.turn, changes }) : undefined;
  const body = bodyOf(EFFECTS, { ...done.effects, ...(accepted ? { accepted: accepted.facts } : {}) });
  await Promise.all([
    ...changed.flatMap(({ entry: { entry }, content }) =>
      content && entry ? [world.files.putOnce(keys.blob(entry.sha256), content)] : [],
    ),
    world.files.put(effectsKey, body.bytes),
  ]);
  const turn: Turn = {
    ...done.turn,
    state: "committed",
    outcome: done.outcome,
    effectsKey,
    effectsSha256: body.hash,
    changes,
    contextTokens: done.contextTokens,
    ...summarizeTurn(done.effects, answers),
    ...(done.signature ? { signature: done.signature } : {}),
  };
  const events = [...eventsOf(turn, done, state), ...(accepted?.events ?? [])];
  const { shown, ...gathered } = fitEvidence(done.workbench?.evidence, { paths: changed.length, events });
  await commitRun(world, state, {
    turn,
    ...(done.isNew ? { newTurn: true } : {}),
    entries: changed.map(({ entry }) => entry),
    run: {
      turn: turn.turn,
      turns: run.turns + 1,
      files: run.files + filesAdded(changes),
      ...countSecrets(run, done.effects),
      ...done.run,
      ...accepted?.run,
      remove: [
        // The evaluator answered, if it was asked.
        ...(run.evaluatorAwaitedSince === undefined ? [] : (["evaluatorAwaitedSince"] as const)),
        ...(accepted && run.hint !== undefined ? (["hint"] as const) : []),
      ],
    },
    ...(accepted?.instruction ? { instruction: accepted.instruction } : {}),
    ...(accepted?.baseline ? { baseline: accepted.baseline } : {}),
    ...gathered,
    ...(accepted?.testLocks ? { testLocks: accepted.testLocks } : {}),
    events: shown,
  });
  state.tree.settle();
  state.entries.push({ turn, answer: state.pending?.answer, effects: done.effects });
  state.pending = undefined;
}

async function acceptTurn(step: OpenStep, done: TurnEffects, turn: Turn): Promise<AcceptedCommit | undefined> {
  const { world, state, baseline } = step;
  const finished = await storeStepRecord(step, { turn, effects: done.effects }, done.taken);
  const acceptance = done.workbench?.acceptance();
  if (state.run.lane !== undefined)
    return acceptance && finished && finishStep(step, { last: { turn, effects: done.effects }, acceptance, finished });
  return acceptedCommit({
    world,
    state,
    turn,
    acceptance,
    baseline,
    set: { ...defined({ step: finished?.reference }), ...done.instruction },
  });
}
