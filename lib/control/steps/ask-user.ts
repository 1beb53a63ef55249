/** Asks a person: the step, the question and the wait for its answer are one commit. Waiting costs nothing. */
import type { Frames } from "../../core/program/language/frames.ts";
import { type Instruction, instructionOf, titleOf } from "../../core/program/program.ts";
import { type Question, shortQuestion } from "../../core/program/question.ts";
import type { Run } from "../../core/run/run.ts";
import { ellipsis } from "../../core/text/cut.ts";
import { maskEveryText } from "../../core/text/secrets.ts";
import type { RunPatch } from "../../registry/commit.ts";
import { layAnswer } from "../files/lay-answer.ts";
import { awaitingAnswer, endRun } from "../lifecycle/ending.ts";
import type { TakenAnswer } from "../make/take-answer.ts";
import type { World } from "../world.ts";

export interface UserQuestion {
  /** Of the step. */
  number: number;
  title?: string | undefined;
  question: string;
  choices?: readonly string[] | undefined;
  /** The file that the answer becomes. */
  saveTo: string;
  /** By which others name it. */
  id?: string | undefined;
  /** Its place in the program. */
  frames?: Frames;
  /** Of the same question in another run: the step is saved with it, and no person is asked. */
  answered?: TakenAnswer;
  /** What else of the run changes with it. */
  run?: RunPatch;
}

/** Answers the run, which waits; or has ended, where the answer could not be saved. */
export async function askUser(world: World, run: Run, asked: UserQuestion): Promise<Run> {
  const { number, saveTo } = asked;
  const laid = await layAnswer(world, run, { path: saveTo, content: ONE_LINE });
  if ("problem" in laid) {
    const detail = `Instruction ${number} cannot ask, since its answer could not be saved: ${laid.problem}`;
    return endRun(world, run, { status: "partial", reason: "check_failed", detail });
  }
  const step = stepOf(asked, new Date(world.clock.now()).toISOString());
  const question: Question = maskEveryText(shortQuestion(step));
  if (asked.answered) return goOnWith(world, run, { asked, step, question, answered: asked.answered });
  const { remove: alsoRemoved = [], ...patch } = asked.run ?? {};
  const { remove = [], ...waiting } = awaitingAnswer(question);
  const { title, text, choices } = step;
  return world.registry.commit(run, {
    run: {
      ...beginning(run, number),
      ...patch,
      ...waiting,
      question,
      remove: [...remove, ...alsoRemoved, "evaluatorAwaitedSince"],
    },
    newInstruction: step,
    events: [
      { type: "instruction_started", instruction: number, title, attempt: run.attempt, resumedAtTurn: 0 },
      { type: "asked", instruction: number, title, question: text, ...(choices ? { choices } : {}), saveTo },
      { type: "waiting", why: waiting.detail },
    ],
  });
}

const beginning = ({ instructions }: Run, number: number) => ({
  pc: number,
  turn: 0,
  forgivenTurn: 0,
  instructions: Math.max(instructions, number),
});

interface AnsweredQuestion {
  asked: UserQuestion;
  step: Instruction;
  question: Question;
  answered: TakenAnswer;
}

/** Its answer is saved next, as that of a person is. */
function goOnWith(world: World, run: Run, { asked, step, question, answered }: AnsweredQuestion): Promise<Run> {
  const { number, title } = step;
  const { run: from, instruction, sha256 } = answered;
  const nothing = { turns: 0, microUsd: 0 };
  return world.registry.commit(run, {
    run: {
      ...beginning(run, number),
      ...asked.run,
      question,
      answer: { step: number, sha256 },
      remove: [...(asked.run?.remove ?? []), "evaluatorAwaitedSince"],
    },
    newInstruction: { ...step, inherited: { run: from, instruction, ...nothing } },
    events: [
      { type: "instruction_started", instruction: number, title, attempt: run.attempt, resumedAtTurn: 0 },
      { type: "made", instruction: number, title, decision: "copied", why: "" },
    ],
  });
}

const ONE_LINE = new TextEncoder().encode("\n");

const TITLE_CHARS = 80;

function stepOf(
  { number, title, question, choices, saveTo, id, frames }: UserQuestion,
  startedAt: string,
): Instruction {
  const shown = title || ellipsis(titleOf(question), TITLE_CHARS);
  return {
    ...instructionOf({ title: shown, text: question, requirements: [] }, number),
    kind: "ask",
    status: "running",
    startedAt,
    saveTo,
    ...(choices ? { choices: [...choices] } : {}),
    ...(id === undefined ? {} : { id }),
    ...(frames ? { frames: [...frames] } : {}),
  };
}
