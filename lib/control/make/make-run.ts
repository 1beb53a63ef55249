/** A new run of a changed program or task, that takes over what is unchanged of a run: what it begins with, and its plan. */
import { defined } from "../../core/defined.ts";
import { UserError } from "../../core/errors.ts";
import type { InheritedStep } from "../../core/make/inherited-steps.ts";
import {
  type MakePrice,
  type NewStep,
  type PlannedStep,
  planSteps,
  priceOf,
  type SourceStep,
} from "../../core/make/plan-make.ts";
import {
  type Draft,
  type DraftInstruction,
  draftOf,
  type Instruction,
  type Requirement,
} from "../../core/program/program.ts";
import { uncovered } from "../../core/program/requirements.ts";
import type { PromptPack } from "../../core/prompt/prompt.ts";
import type { Run } from "../../core/run/run.ts";
import type { StoredTask } from "../../core/run/task.ts";
import { modelsAsked } from "../../core/turn/model-fallback.ts";
import type { ModelProfile } from "../../core/turn/model-profile.ts";
import type { PackEntries } from "../../pack/pack.ts";
import { executionTools } from "../../tools/toolbox.ts";
import { readFileIn, readTree } from "../files/packs.ts";
import { readBlob } from "../files/verified-read.ts";
import { readTask as readGivenTask } from "../lifecycle/prepare.ts";
import type { Submission } from "../lifecycle/submit.ts";
import { type RunStores, type StoredProgram, storedProgram } from "../program/stored-program.ts";
import { readTask } from "../program/stored-task.ts";
import { STEP } from "../turn/body-kinds.ts";
import { readBody } from "../turn/journal.ts";
import { blobsOf } from "./inheritance.ts";
import { matchRequirements } from "./matched-requirements.ts";
import { notAList, nothingAccepted, refuseComputed, refuseTooMany } from "./refusals.ts";
import { handoverHash, joinHandovers, ownHash, ownParts, requirementTexts, sharedParts } from "./step-key.ts";

/** What is other than in the run that exists. */
export interface MakeWish {
  name: string;
  task?: string | undefined;
  program?: Draft | undefined;
  pack?: PromptPack | undefined;
  /** The first is asked first. */
  models?: ModelProfile[] | undefined;
  strict?: boolean | undefined;
}

export interface MakePlan {
  steps: PlannedStep[];
  price: MakePrice;
  /** Requirements that no instruction serves. */
  unserved: string[];
}

export interface Made {
  submission: Submission;
  plan: MakePlan;
}

export async function makeRun(place: RunStores, run: Run, wish: MakeWish): Promise<Made> {
  const [document, program] = await Promise.all([readTask(place.files, run.id), storedProgram(place, run)]);
  if (!program.instructions.some(({ status }) => status === "accepted")) throw nothingAccepted(run);
  refuseComputed(run);
  if (program.tree || wish.program?.tree) throw notAList(run);
  const source = await readSource(place, program);
  const field = wish.program ? "program" : "task";
  const { task, requirements, program: draft } = namingField(field, () => changed({ document, program }, wish));
  const pack = wish.pack ?? document.pack;
  const models = wish.models ?? modelsAsked(run).map(({ replaces: _replaces, ...each }) => each);
  const { out: _out, branch: _branch, from: _from, ...options } = run.options;
  const submission: Submission = {
    ...{ task, pack, name: wish.name, owner: run.owner, requirements, program: draft, tests: document.tests },
    ...{ profile: models[0] ?? run.profile, ...(models.length > 1 ? { models } : {}) },
    ...(document.handover === undefined ? {} : { handover: document.handover }),
    ...(await startOf(place, run, options)),
  };
  const steps = newSteps(submission, draft);
  const stale = sameUnserved(program, draft) ? undefined : UNSERVED_CHANGED;
  const [begins, nothing] = [handoverHash([], document.handover), handoverHash([], undefined)];
  const strict = wish.strict === true;
  const planned = planSteps({ source, steps, begins, nothing, strict, stale, joinHandovers });
  const plan = {
    steps: planned,
    price: priceOf(planned, source),
    unserved: uncovered(draft.requirements, draft.instructions).map(({ id }) => id),
  };
  const taken = stale === undefined ? inheritable(source, program.instructions, steps) : new Map();
  refuseTooMany(blobsOf(taken).size);
  const blob = (sha: string): Promise<Uint8Array> => readBlob(place.files, run.id, sha);
  return { submission: { ...submission, inheriting: { from: run.id, strict, steps: taken, blob } }, plan };
}

const UNSERVED_CHANGED = "a requirement that no instruction serves changed, and may concern any of them";

/** What is wrong with the wish, and not with the run. */
function namingField<Value>(field: string, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const { message, exitCode, remedy } = error;
    throw new UserError(message, { exitCode, ...(remedy ? { remedy } : {}), field, cause: error });
  }
}

/** The tree that the run itself started from. */
async function startOf(
  { files }: RunStores,
  run: Run,
  options: Omit<Run["options"], "from">,
): Promise<Pick<Submission, "from" | "options">> {
  const from: PackEntries = run.packed >= 0 ? await readTree(files, run.id, 0) : new Map();
  for (const path of from.keys()) readFileIn(from, { runId: run.id, number: 0 }, path);
  return from.size > 0 ? { from, options: { ...options, from: true } } : { options };
}

/** Requirements that the model added stay; those that the new task does not have any more are served by none. */
function changed({ document, program }: { document: StoredTask; program: StoredProgram }, wish: MakeWish) {
  const task = wish.task ?? document.task;
  if (wish.program) {
    const { requirements, program: given = wish.program } = readGivenTask(task, wish.program);
    return { task, requirements, program: draftOf(given) };
  }
  const before = draftOf(program);
  if (wish.task === undefined) return { task, requirements: before.requirements, program: before };
  const { requirements: listed } = readGivenTask(task);
  const ofTask = new Set(document.requirements.map(({ id }) => id));
  const { requirements, idNow } = matchRequirements(before.requirements, listed, ofTask);
  const instructions = before.instructions.map((each) => ({
    ...each,
    requirements: each.requirements.flatMap((id) => idNow(id) ?? []),
  }));
  return { task, requirements, program: draftOf({ instructions, requirements }) };
}

async function readSource({ files }: RunStores, { instructions, requirements }: StoredProgram): Promise<SourceStep[]> {
  const known = requirementTexts(requirements);
  const steps: SourceStep[] = [];
  for (let start = 0; start < instructions.length; start += AT_ONCE)
    steps.push(...(await Promise.all(instructions.slice(start, start + AT_ONCE).map(read))));
  return steps;

  async function read(each: Instruction): Promise<SourceStep> {
    const { number, title, status, step, inherited, microUsd } = each;
    const own = ownParts(each, known);
    return {
      ...{ number, title, own: ownHash(own), instruction: own.instruction, accepted: status === "accepted" },
      record: step && (await readBody(files, { key: step.body, hash: step.sha256 }, STEP)),
      handsOver: handoverHash([each], undefined),
      microUsd: microUsd + (inherited?.microUsd ?? 0),
    };
  }
}

const AT_ONCE = 32;

function newSteps(submission: Submission, { instructions, requirements }: Draft): NewStep[] {
  const { options, pack } = submission;
  const { declaration } = pack;
  const tested = declaration.checks.tests && options.runTests;
  const tools = executionTools({ enabled: options.tools ?? declaration.tools, tested });
  const shared = sharedParts({ document: submission, requirements, tools, run: submission });
  const known = requirementTexts(requirements);
  return instructions.map((each, index) => {
    const own = ownParts(each, known);
    const needs = each.needs && numbersOf(each.needs, instructions);
    return {
      number: index + 1,
      title: each.title,
      own: ownHash(own),
      key: { ...own, ...shared },
      ...defined({ needs }),
    };
  });
}

const numbersOf = (ids: string[], instructions: DraftInstruction[]): number[] =>
  ids.flatMap((id) => {
    const index = instructions.findIndex((each) => each.id === id);
    return index < 0 ? [] : [index + 1];
  });

/** Steps that some new instruction may take over. */
function inheritable(
  source: SourceStep[],
  instructions: Instruction[],
  steps: NewStep[],
): Map<string, InheritedStep[]> {
  const wanted = new Set(steps.map(({ own }) => own));
  const taken = new Map<string, InheritedStep[]>();
  for (const [index, { own, accepted, record }] of source.entries()) {
    const instruction = instructions[index];
    if (!accepted || !record || !instruction || !wanted.has(own)) continue;
    taken.set(own, [...(taken.get(own) ?? []), inheritedStep(instruction, record)]);
  }
  return taken;
}

function inheritedStep(instruction: Instruction, record: InheritedStep["record"]): InheritedStep {
  const { number, summary = "", next, amendments, unchanged, unchecked, turns, microUsd, inherited } = instruction;
  return {
    ...{ instruction: number, record, summary },
    ...(next === undefined ? {} : { next }),
    ...(amendments ? { amendments } : {}),
    ...(unchanged || unchecked.length > 0 ? { insisted: true as const } : {}),
    turns: turns + (inherited?.turns ?? 0),
    microUsd: microUsd + (inherited?.microUsd ?? 0),
  };
}

/** What no instruction names is in no key. */
function sameUnserved(before: Draft, now: Draft): boolean {
  const texts = ({ requirements, instructions }: Draft): string =>
    JSON.stringify(unserved(requirements, instructions).sort());
  return texts(before) === texts(now);
}

function unserved(requirements: Requirement[], instructions: Draft["instructions"]): string[] {
  const named = new Set(instructions.flatMap((each) => each.requirements));
  return requirements.filter(({ id }) => !named.has(id)).map(({ text }) => text);
}
