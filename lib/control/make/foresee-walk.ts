/** Foresees the steps that a program with more kinds than `do` will take, from what the other run found out. */
import { defined } from "../../core/defined.ts";
import { PROGRAM_INSTRUCTIONS } from "../../core/limits.ts";
import { advance, type Next } from "../../core/program/language/advance.ts";
import { conditionText } from "../../core/program/language/condition-text.ts";
import type { Frames } from "../../core/program/language/frames.ts";
import type { Program, ProgramNode } from "../../core/program/language/schema.ts";
import { placeText } from "../../core/program/language/step-title.ts";
import { fill, scopesAt } from "../../core/program/language/substitute.ts";
import { type Instruction, instructionOf } from "../../core/program/program.ts";
import type { InheritedCheck } from "../../core/run/forks/stored-fork.ts";
import type { Run } from "../../core/run/run.ts";
import { ellipsis } from "../../core/text/cut.ts";
import { type PlaceValues, valuesOf } from "../program/read-items.ts";
import { questionDraft, repairDraft, stepDraft } from "../program/step-draft.ts";
import type { World } from "../world.ts";
import type { FoundFacts } from "./found-facts.ts";

export interface ForeseenWalk {
  steps: Instruction[];
  /** What the other run did not find out, and is taken to be so. */
  assumed: string[];
}

interface Foreseeing extends ForeseenWalk {
  world: Pick<World, "files">;
  /** The lists of its loops are those of this run. */
  run: Run;
  program: Program;
  facts: FoundFacts;
}

/** Checks and loops without a step in them end, too: the linter bounds what a program can take. */
export async function foreseeWalk(
  world: Pick<World, "files">,
  { run, program, facts, from }: { run: Run; program: Program; facts: FoundFacts; from: Frames },
): Promise<ForeseenWalk> {
  const foreseeing: Foreseeing = { world, run, program, facts, steps: [], assumed: [] };
  let next: Next | undefined = advance(program, from);
  while (next && foreseeing.steps.length < PROGRAM_INSTRUCTIONS) next = await foreseeNext(foreseeing, next);
  return { steps: foreseeing.steps, assumed: foreseeing.assumed };
}

/** Undefined: the program ends there. */
async function foreseeNext(foreseeing: Foreseeing, next: Next): Promise<Next | undefined> {
  const { world, run, program, steps } = foreseeing;
  const { frames } = next;
  if (next.next === "end" || next.next === "stop") return undefined;
  const at = await valuesOf(world, run, scopesAt(program, frames));
  const add = (step: Instruction): Next => {
    steps.push({ ...step, frames: [...frames] });
    return advance(program, frames, { done: true });
  };
  const number = steps.length + 1;
  switch (next.next) {
    case "step":
      return add(instructionOf(stepDraft(next.node, { program, frames, at }), number));
    case "ask": {
      const { question: text, title, choices, saveTo } = questionDraft(next.node, { program, frames, at });
      const asks = { kind: "ask" as const, saveTo, ...(choices ? { choices } : {}) };
      return add({ ...instructionOf({ title, text, requirements: [] }, number), ...asks });
    }
    case "find_out":
      return afterCheck(foreseeing, { frames, at, text: conditionText(fill(next.condition, at.values)) });
    case "count":
      return afterCount(foreseeing, next);
  }
}

interface AtCheck {
  frames: Frames;
  at: PlaceValues;
  text: string;
}

/** What would stop the program is taken to hold: the steps after it are part of the price. */
function afterCheck({ program, facts, steps, assumed }: Foreseeing, { frames, at, text }: AtCheck): Next {
  const found = facts.check(ellipsis(text, TEXT_CHARS));
  const next = advance(program, frames, { holds: found?.holds ?? true });
  if (found && next.next === "step" && next.repairs) return repaired(next, found);
  if (found && next.next !== "stop") return next;
  assumed.push(`"${ellipsis(text, SHOWN_CHARS)}" holds (${placeText(frames)})`);
  return advance(program, frames, { holds: true });

  function repaired(
    { node, frames: there }: Next & { node: ProgramNode },
    { holds, detail, output }: InheritedCheck,
  ): Next {
    const check = { holds, detail, ...defined({ output }) };
    const draft = repairDraft(node, { program, frames: there, at }, check);
    steps.push({ ...instructionOf(draft, steps.length + 1), frames: [...there] });
    return advance(program, there, { done: true });
  }
}

/** Of a list that is not known, one item stands for all. */
function afterCount({ program, facts, assumed }: Foreseeing, next: Extract<Next, { next: "count" }>): Next {
  const { frames, items } = next;
  const found = facts.list(items);
  if (!found) assumed.push(`the list of a loop has one item (${placeText(frames)})`);
  const after = advance(program, frames, found ?? { items: 1 });
  return after.next === "stop" ? advance(program, frames, { items: 1 }) : after;
}

const TEXT_CHARS = 1_000;
const SHOWN_CHARS = 120;
