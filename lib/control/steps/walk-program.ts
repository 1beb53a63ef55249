/** Finds the next step of a program that has more kinds than `do`: what it finds out is committed before it counts. */

import { defined } from "../../core/defined.ts";
import { INVOCATION_RESERVE_MS, PROGRAM_INSTRUCTIONS } from "../../core/limits.ts";
import { advance, type Next, nodeAt } from "../../core/program/language/advance.ts";
import { type CheckResult, conditionText } from "../../core/program/language/condition-text.ts";
import type { Frames, Walk } from "../../core/program/language/frames.ts";
import type { Program, ProgramNode } from "../../core/program/language/schema.ts";
import { placeText } from "../../core/program/language/step-title.ts";
import { fill, scopesAt } from "../../core/program/language/substitute.ts";
import { type DraftInstruction, instructionOf, tooLong } from "../../core/program/program.ts";
import type { EventBody } from "../../core/run/event.ts";
import type { Run } from "../../core/run/run.ts";
import { ellipsis } from "../../core/text/cut.ts";
import { pluralize } from "../../core/text/format.ts";
import { endAtMinutes, endRun } from "../lifecycle/ending.ts";
import { takeAnswer } from "../make/take-answer.ts";
import { findOut } from "../program/find-out.ts";
import { type PlaceValues, storeItems, valuesOf } from "../program/read-items.ts";
import { type QuestionDraft, questionDraft, repairDraft, stepDraft } from "../program/step-draft.ts";
import { readProgramTree } from "../program/stored-program.ts";
import type { StepResult } from "../step-result.ts";
import type { Invocation, World } from "../world.ts";
import { askUser } from "./ask-user.ts";

export async function walkProgram(world: World, run: Run, invocation: Invocation): Promise<StepResult> {
  const { walk } = run;
  if (!walk) throw new Error(`Run ${run.id} walks through no program.`);
  invocation.signal.throwIfAborted();
  if (invocation.remainingMs() < INVOCATION_RESERVE_MS) return { kind: "answer", answer: { next: "execute" } };
  const ended = await endAtMinutes(world, run);
  if (ended) return { kind: "done", run: ended };
  const program = await readProgramTree(world.files, run.id, walk.program);
  const next = advance(program, walk.frames, walk.hasStep ? { done: true } : undefined);
  return follow({ world, run, walk, invocation, program }, next);
}

interface Walking {
  world: World;
  run: Run;
  walk: Walk;
  invocation: Invocation;
  program: Program;
}

async function follow(walking: Walking, next: Next): Promise<StepResult> {
  const { program } = walking;
  const { frames } = next;
  const at = await valuesAt(walking, frames);
  const { values } = at;
  switch (next.next) {
    case "step":
      return stepTo(walking, { frames, draft: stepDraft(next.node, { program, frames, at }) });
    case "find_out":
      return check(walking, { frames, condition: fill(next.condition, values) });
    case "count":
      return count(walking, { frames, items: fill(next.items, values) });
    case "ask":
      return ask(walking, { frames, question: questionDraft(next.node, { program, frames, at }) });
    case "stop":
      return stop(walking, `${STOPPED[next.why]}.`);
    case "end":
      return goOn(walking, next, []);
  }
}

const valuesAt = ({ world, run, program }: Walking, frames: Frames): Promise<PlaceValues> =>
  valuesOf(world, run, scopesAt(program, frames));

interface NextStep {
  frames: Frames;
  draft: DraftInstruction;
  events?: EventBody[];
}

/** The step becomes the next instruction of the run. */
async function stepTo({ world, run, walk }: Walking, { frames, draft, events = [] }: NextStep): Promise<StepResult> {
  const number = run.pc;
  if (number > PROGRAM_INSTRUCTIONS)
    return stop({ world, run }, `It would take more than ${PROGRAM_INSTRUCTIONS} steps.`);
  if (tooLong(draft))
    return stop({ world, run }, `Step ${number} (${ellipsis(draft.title, TITLE_CHARS)}) is too long with its item.`);
  const step = { ...instructionOf(draft, number), frames: [...frames] };
  const isRecalled = (await world.recorded?.memoAt(number)) !== undefined;
  const stepped = await world.registry.commit(run, {
    run: {
      instructions: number,
      walk: { program: walk.program, frames: [...frames], hasStep: true },
      ...(isRecalled ? { memo: {} } : {}),
      remove: [...AWAITED],
    },
    newInstruction: step,
    events,
  });
  return { kind: "done", run: stepped };
}

/** The question is the next step of the run, and its execution ends there. */
async function ask(
  { world, run, walk }: Walking,
  { frames, question: asks }: { frames: Frames; question: QuestionDraft },
): Promise<StepResult> {
  const { title, question, choices } = asks;
  const moved = { program: walk.program, frames: [...frames], hasStep: true as const };
  if (tooLong({ title, text: [question, ...(choices ?? [])].join("\n"), requirements: [] }))
    return stop({ world, run }, `Question ${run.pc} (${ellipsis(title, TITLE_CHARS)}) is too long with its item.`);
  const answered = await takeAnswer(world, run, asks);
  const asked = { ...asks, number: run.pc, frames, run: { walk: moved }, ...defined({ answered }) };
  return { kind: "done", run: await askUser(world, run, asked) };
}

/** What was found out decides what is next, and both are committed together. */
async function check(
  walking: Walking,
  { frames, condition }: { frames: Frames; condition: Parameters<typeof conditionText>[0] },
): Promise<StepResult> {
  const { world, run, program, invocation } = walking;
  const place = placeText(frames);
  const recorded = world.recorded?.checkedAt({ instruction: run.pc - 1, place });
  // A replay is over where its journal ends.
  if (world.recorded && !recorded) return { kind: "answer", answer: { next: "stop" } };
  const found = recorded ?? (await findOut(world, run, { condition, invocation }));
  if (!found) return { kind: "answer", answer: { next: "execute" } };
  const text = ellipsis(conditionText(condition), TEXT_CHARS);
  const { holds, detail, output } = found;
  const events: EventBody[] = [
    { type: "checked", instruction: run.pc - 1, place, text, holds, detail, ...defined({ output }) },
  ];
  const next = advance(program, frames, { holds });
  if (next.next === "step" && next.repairs) return repair(walking, { ...next, found, events });
  if (next.next === "stop") {
    return stop(walking, `${STOPPED[next.why]}: "${text}" does not hold (${detail}).`, events);
  }
  return goOn(walking, next, events);
}

interface Repair {
  node: ProgramNode;
  frames: Frames;
  found: CheckResult;
  events: EventBody[];
}

async function repair(walking: Walking, { node, frames, found, events }: Repair): Promise<StepResult> {
  const at = await valuesAt(walking, frames);
  return stepTo(walking, { frames, draft: repairDraft(node, { program: walking.program, frames, at }, found), events });
}

async function count(
  walking: Walking,
  { frames, items }: { frames: Frames; items: Extract<Next, { next: "count" }>["items"] },
): Promise<StepResult> {
  const { world, run, program } = walking;
  const found = await storeItems(world, run, { items, atMost: atMostAt(program, frames) });
  if ("problem" in found) return stop(walking, `The list of a loop cannot be read: ${found.problem}.`);
  const events: EventBody[] = [
    {
      type: "checked",
      instruction: run.pc - 1,
      place: placeText(frames),
      text: "the list of a loop",
      detail: pluralize(found.items, "item"),
    },
  ];
  const next = advance(program, frames, found);
  if (next.next === "stop") return stop(walking, `${STOPPED[next.why]}: ${pluralize(found.items, "item")}.`, events);
  return goOn(walking, next, events);
}

/** The place is kept with the fact: after a crash nothing is found out twice that was committed. */
async function goOn(walking: Walking, next: Next, events: EventBody[]): Promise<StepResult> {
  const { world, run, walk } = walking;
  if (next.next === "step" && !next.repairs) {
    const { frames } = next;
    const at = await valuesAt(walking, frames);
    return stepTo(walking, { frames, draft: stepDraft(next.node, { program: walking.program, frames, at }), events });
  }
  const ended = next.next === "end" ? { ended: true as const } : {};
  const moved = { program: walk.program, frames: [...next.frames], ...ended };
  return {
    kind: "done",
    run: await world.registry.commit(run, { run: { walk: moved, remove: [...AWAITED] }, events }),
  };
}

async function stop(
  { world, run }: Pick<Walking, "world" | "run">,
  detail: string,
  events: EventBody[] = [],
): Promise<StepResult> {
  return { kind: "done", run: await endRun(world, run, { status: "partial", reason: "check_failed", detail, events }) };
}

/** The evaluator answered, if it was asked. */
const AWAITED = ["evaluatorAwaitedSince"] as const;
/** Of a condition in events and endings. */
const TEXT_CHARS = 1_000;
const TITLE_CHARS = 120;

const STOPPED = {
  check_failed: "A check of the program failed",
  not_reached: "A loop of the program did not reach its end",
  too_many_items: "A loop of the program has more items than it allows",
  not_linked: "The program calls another one that is not part of it",
};

function atMostAt(program: Program, frames: Frames): number {
  const node = nodeAt(program, frames);
  return node?.kind === "for_each" ? node.atMost : 0;
}
