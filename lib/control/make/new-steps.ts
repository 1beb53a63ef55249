/** The steps of the new program, each with what decides whether another one can take its place. */
import { defined } from "../../core/defined.ts";
import { asksForEvidence } from "../../core/evidence/evidence-kind.ts";
import type { NewStep } from "../../core/make/plan-make.ts";
import { START } from "../../core/program/language/advance.ts";
import type { Program } from "../../core/program/language/schema.ts";
import { type Draft, type DraftInstruction, type Instruction, instructionOf } from "../../core/program/program.ts";
import { programIn } from "../../core/program/program-text.ts";
import type { Run } from "../../core/run/run.ts";
import { executionTools } from "../../tools/toolbox.ts";
import type { Submission } from "../lifecycle/submit.ts";
import { neededBy } from "../program/needed.ts";
import type { RunStores } from "../program/stored-program.ts";
import { foreseeWalk } from "./foresee-walk.ts";
import { foundFacts } from "./found-facts.ts";
import { ownHash, ownParts, questionHash, requirementTexts, sharedParts } from "./step-key.ts";

export interface NewSteps {
  steps: NewStep[];
  /** What is taken to be so of a program whose steps are known when it is executed. */
  assumed: string[];
}

interface NewProgram {
  submission: Submission;
  draft: Draft;
  /** The steps of the other run. */
  taken: Instruction[];
}

export async function newSteps(place: RunStores, run: Run, given: NewProgram): Promise<NewSteps> {
  const { submission, draft, taken } = given;
  const keyed = createKeys(submission, draft);
  if (!draft.tree) {
    const { instructions } = draft;
    const steps = instructions.map((each, index) =>
      keyed(instructionOf(each, index + 1), each.needs && numbersOf(each.needs, instructions)),
    );
    return { steps, assumed: [] };
  }
  const program = programIn(draft);
  const from = submission.frames ?? START;
  const facts = await foundFacts(place, run, taken);
  const foreseen = await foreseeWalk({ files: rememberReads(place.files) }, { run, program, facts, from });
  const steps: NewStep[] = [];
  for (const step of foreseen.steps) steps.push(keyed(step, await neededNumbers(program, foreseen.steps, step)));
  return { steps, assumed: foreseen.assumed };
}

function createKeys(submission: Submission, { requirements }: Draft) {
  const { options, pack } = submission;
  const { declaration } = pack;
  const tested = declaration.checks.tests && options.runTests;
  const tools = executionTools({
    enabled: options.tools ?? declaration.tools,
    tested,
    proves: asksForEvidence({ options }),
  });
  const shared = sharedParts({ document: submission, requirements, tools, run: submission });
  const known = requirementTexts(requirements);
  return (step: Instruction, needs: number[] | undefined): NewStep => {
    const { number, title, kind, text: question, choices, saveTo } = step;
    const parts = ownParts(step, known);
    const own = kind === "ask" ? questionHash({ question, choices, saveTo }) : ownHash(parts);
    const asks = kind === "ask" ? { asks: true as const } : {};
    return { number, title, own, key: { ...parts, ...shared }, ...asks, ...defined({ needs }) };
  };
}

/** Undefined: what the first step is handed over. */
async function neededNumbers(program: Program, all: Instruction[], step: Instruction): Promise<number[] | undefined> {
  if (step.number === 1 && step.needs === undefined) return undefined;
  const stored = {
    instruction: async (_run: string, number: number) => all[number - 1],
    instructionsFrom: async (_run: string, { first, limit }: { first: number; limit: number }) =>
      all.slice(first - 1, first - 1 + limit),
  };
  const needed = await neededBy(stored, "", { step, program });
  return needed.map(({ number }) => number);
}

const numbersOf = (ids: string[], instructions: DraftInstruction[]): number[] =>
  ids.flatMap((id) => {
    const index = instructions.findIndex((each) => each.id === id);
    return index < 0 ? [] : [index + 1];
  });

/** The list of a loop is read for each of its rounds. */
function rememberReads(files: RunStores["files"]): RunStores["files"] {
  const read = new Map<string, Promise<Uint8Array | undefined>>();
  return {
    ...files,
    get(key) {
      const known = read.get(key) ?? files.get(key);
      read.set(key, known);
      return known;
    },
  };
}
