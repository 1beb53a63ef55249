/** A new run of a changed program or task, that takes over what is unchanged of a run: what it begins with, and its plan. */
import { UserError } from "../../core/errors.ts";
import type { Evidence } from "../../core/evidence/evidence.ts";
import { hasExaminer } from "../../core/evidence/evidence-kind.ts";
import { type MakePrice, priceOf } from "../../core/make/make-price.ts";
import { type PlannedStep, planSteps } from "../../core/make/plan-make.ts";
import type { Frames } from "../../core/program/language/frames.ts";
import { keepsPlace } from "../../core/program/language/kept-place.ts";
import { type Draft, draftOf, type Requirement } from "../../core/program/program.ts";
import { programIn } from "../../core/program/program-text.ts";
import { uncovered } from "../../core/program/requirements.ts";
import type { PromptPack } from "../../core/prompt/prompt.ts";
import type { Run } from "../../core/run/run.ts";
import type { StoredTask } from "../../core/run/task.ts";
import { examinersAsked, listForNewRun, modelsAsked } from "../../core/turn/model-fallback.ts";
import type { ModelProfile } from "../../core/turn/model-profile.ts";
import type { PackEntries } from "../../pack/pack.ts";
import { readFileIn, readTree } from "../files/packs.ts";
import { readBlob } from "../files/verified-read.ts";
import { readTask as readGivenTask } from "../lifecycle/prepare.ts";
import type { Submission } from "../lifecycle/submit.ts";
import { listsAt } from "../program/read-items.ts";
import { type RunStores, storedProgram, wholeProgramOf } from "../program/stored-program.ts";
import { readTask } from "../program/stored-task.ts";
import { blobsOf } from "./inheritance.ts";
import { matchRequirements, withIds } from "./matched-requirements.ts";
import { newSteps } from "./new-steps.ts";
import { nothingAccepted, placeLost, refuseComputed, refuseTooMany } from "./refusals.ts";
import { type Inheritable, inheritable, readSource } from "./source-steps.ts";
import { handoverHash, joinHandovers } from "./step-key.ts";

/** What is other than in the run that exists. */
export interface MakeWish {
  name: string;
  task?: string | undefined;
  program?: Draft | undefined;
  pack?: PromptPack | undefined;
  /** The first is asked first. */
  models?: ModelProfile[] | undefined;
  /** Of the examiner. None: the run's own. Absent: those of the run that exists. */
  examiners?: ModelProfile[] | undefined;
  strict?: boolean | undefined;
}

export interface MakePlan {
  steps: PlannedStep[];
  price: MakePrice;
  /** Requirements that no instruction serves. */
  unserved: string[];
  /** Of a program whose steps are known when it is executed: what the run did not find out, and is taken to be so. */
  assumed?: string[];
}

export interface Made {
  submission: Submission;
  plan: MakePlan;
}

export async function makeRun(place: RunStores, run: Run, wish: MakeWish): Promise<Made> {
  const [document, program] = await Promise.all([readTask(place.files, run.id), storedProgram(place, run)]);
  if (!program.instructions.some(({ status }) => status === "accepted")) throw nothingAccepted(run);
  refuseComputed(run);
  const whole = await wholeProgramOf(place, run, program);
  const source = await readSource(place, run, program);
  const field = wish.program ? "program" : "task";
  const { task, requirements, program: draft } = namingField(field, () => changed({ document, before: whole }, wish));
  const pack = wish.pack ?? document.pack;
  const examiners = hasExaminer({ options: run.options }) ? (wish.examiners ?? examinersAsked(run)) : [];
  const models = listForNewRun(wish.models ?? modelsAsked(run), examiners);
  const { out: _out, branch: _branch, from: _from, ...options } = run.options;
  const submission: Submission = {
    task,
    pack,
    name: wish.name,
    owner: run.owner,
    requirements,
    program: draft,
    tests: document.tests,
    profile: models[0] ?? run.profile,
    ...(models.length > 1 ? { models } : {}),
    ...(document.handover === undefined ? {} : { handover: document.handover }),
    ...(await placeOf(place, run, { frames: document.frames, whole, draft })),
    ...(await startOf(place, run, options)),
  };
  const { steps, assumed } = await newSteps(place, run, { submission, draft, taken: program.instructions });
  const sameNotes = pack.declaration.notes === document.pack.declaration.notes;
  const stale = !sameUnserved(whole, draft) ? UNSERVED_CHANGED : sameNotes ? undefined : NOTES_CHANGED;
  const [begins, nothing] = [handoverHash([], document.handover), handoverHash([], undefined)];
  const strict = wish.strict === true;
  const { notes } = pack.declaration;
  const planned = planSteps({ source, steps, begins, nothing, strict, notes, stale, joinHandovers });
  const plan = {
    steps: planned,
    price: priceOf(planned, source),
    unserved: uncovered(draft.requirements, draft.instructions).map(({ id }) => id),
    ...(assumed.length > 0 ? { assumed: assumed.slice(0, ASSUMED_SHOWN) } : {}),
  };
  const copied = planned.filter(({ decision, asks }) => decision === "copy" && !asks);
  const wanted = draft.tree ? undefined : new Set(steps.map(({ own }) => own));
  const evidence = await provenFor(place, run, { before: program.requirements, now: draft.requirements });
  const taken = stale === undefined ? inheritable(source, program.instructions, { wanted, evidence }) : NOTHING_TAKEN;
  refuseTooMany(blobsOf(taken).size);
  const blob = (sha: string): Promise<Uint8Array> => readBlob(place.files, run.id, sha);
  return {
    submission: { ...submission, inheriting: { from: run.id, strict, taken: copied.length, ...taken, blob } },
    plan,
  };
}

/** What the run proved, under the ids of the same texts now. The id of a constraint stays as long as the task does. */
async function provenFor(
  { registry }: RunStores,
  { id }: Run,
  { before, now }: Record<"before" | "now", Requirement[]>,
): Promise<Evidence[]> {
  const textOf = new Map(before.map(({ id: was, text }) => [was, text]));
  const idNow = (was: string): string | undefined => {
    const text = textOf.get(was);
    const same = now.filter((each) => each.text === text);
    return text === undefined ? was : (same.find((each) => each.id === was) ?? same[0])?.id;
  };
  return (await registry.evidence(id)).flatMap((each) => {
    const requirement = idNow(each.requirement);
    return requirement === undefined ? [] : [{ ...each, requirement }];
  });
}

const NOTHING_TAKEN: Inheritable = { steps: new Map(), answers: new Map() };
const ASSUMED_SHOWN = 100;

interface BegunInside {
  frames: Frames | undefined;
  whole: Draft;
  draft: Draft;
}

/** Where the run itself began, inside its program. */
async function placeOf(
  { files }: RunStores,
  { id }: Run,
  { frames, whole, draft }: BegunInside,
): Promise<Pick<Submission, "frames" | "lists">> {
  if (!frames) return {};
  if (!draft.tree || !keepsPlace(programIn(whole), programIn(draft), frames)) throw placeLost(id, frames);
  return { frames, lists: await listsAt(files, id, frames) };
}

const NOTES_CHANGED = "the prompts hold another file of notes";
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
function changed({ document, before }: { document: StoredTask; before: Draft }, wish: MakeWish) {
  const task = wish.task ?? document.task;
  if (wish.program) {
    const { requirements, program: given = wish.program } = readGivenTask(task, wish.program);
    return { task, requirements, program: draftOf(given) };
  }
  if (wish.task === undefined) return { task, requirements: before.requirements, program: before };
  const { requirements: listed } = readGivenTask(task);
  const ofTask = new Set(document.requirements.map(({ id }) => id));
  const { requirements, idNow } = matchRequirements(before.requirements, listed, ofTask);
  return { task, requirements, program: draftOf({ ...withIds(before, idNow), requirements }) };
}

/** What no instruction names is in no key. */
export function sameUnserved(before: Draft, now: Draft): boolean {
  const texts = ({ requirements, instructions }: Draft): string =>
    JSON.stringify(unserved(requirements, instructions).sort());
  return texts(before) === texts(now);
}

function unserved(requirements: Requirement[], instructions: Draft["instructions"]): string[] {
  const named = new Set(instructions.flatMap((each) => each.requirements));
  return requirements.filter(({ id }) => !named.has(id)).map(({ text }) => text);
}
