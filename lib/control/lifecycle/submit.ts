/** Submits a task: stores what the run needs, creates it, and begins epoch 1. Nothing is computed here. */

import { defined } from "../../core/defined.ts";
import { UserError } from "../../core/errors.ts";
import { asksForEvidence, EXAMINED_FORMAT, hasExaminer } from "../../core/evidence/evidence-kind.ts";
import type { GitOrigin } from "../../core/git/origin.ts";
import type { Frames } from "../../core/program/language/frames.ts";
import { type Draft, type Requirement, titleOf } from "../../core/program/program.ts";
import type { PromptPack } from "../../core/prompt/prompt.ts";
import type { ForkOrigin } from "../../core/run/forks/fork-point.ts";
import type { RunOptions } from "../../core/run/option-forms.ts";
import { isEnded, lanesOf, type Run } from "../../core/run/run.ts";
import type { TaskDocument } from "../../core/run/task.ts";
import { ulid } from "../../core/run/ulid.ts";
import type { ModelProfile } from "../../core/turn/model-profile.ts";
import { entriesFrom, layOutEntries, type TreeFiles } from "../../pack/pack.ts";
import type { Idempotency } from "../../registry/create.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { storeFork } from "../fork/store-fork.ts";
import type { ForkStart } from "../fork/submission-of-fork.ts";
import { testsAmong } from "../gate/test-lock.ts";
import { type Inheriting, storeInheritance } from "../make/inheritance.ts";
import { refuseUnprovable } from "../program/refuse-unprovable.ts";
import { putTask } from "../program/stored-task.ts";
import type { World } from "../world.ts";
import { finishDeletion } from "./delete-run.ts";

export interface Submission {
  /** Where somebody must know it before the run is there. */
  id?: string;
  task: string;
  name: string;
  owner: string;
  pack: PromptPack;
  requirements: Requirement[];
  program?: Draft | undefined;
  options: RunOptions;
  profile: ModelProfile;
  /** Where there are several: all of them, that of the first being `profile`. */
  models?: ModelProfile[] | undefined;
  /** The tree that the run starts from; paths are checked already. */
  from?: TreeFiles;
  /** The repository that the rest of it is fetched from. */
  git?: GitOrigin | undefined;
  /** Those of its paths that are tests which the user gave. */
  tests?: string[] | undefined;
  /** What its first instruction is handed over, where another run came before it. */
  handover?: string | undefined;
  /** Where its program begins, if not at its first instruction, and the stored lists of the loops that it is in. */
  frames?: Frames | undefined;
  lists?: ReadonlyMap<string, Uint8Array> | undefined;
  /** All that another run had computed up to a point, which this one inherits. */
  fork?: ForkStart;
  /** Forks on the way to it, this one last. */
  forks?: TaskDocument["forks"];
  idempotency?: Idempotency;
  /** Steps of another run that it may take over. */
  inheriting?: Inheriting | undefined;
  /** False: the tree that it starts from is not judged before the first instruction. */
  judged?: boolean;
}

export type Submitted = { run: Run; isNew: boolean } | { conflict: "another_body" };

export async function submit(world: World, submission: Submission): Promise<Submitted> {
  const { registry, files, clock } = world;
  refuseNothingToProve(submission);
  const id = submission.id ?? ulid(clock.now(), world.random);
  await putTask(files, id, documentOf(submission));
  for (const [list, bytes] of submission.lists ?? []) await files.putOnce(fileStoreKeys(id).items(list), bytes);
  const start = await storeAnyStart(world, id, submission);
  if (submission.inheriting) await storeInheritance(files, id, submission.inheriting);
  const git = submission.git ? { git: submission.git } : {};
  const run = { ...newRun(submission, id, new Date(clock.now()).toISOString()), ...start, ...git };
  // Everything that it needs is stored before it is there.
  const created = await registry.create(run, submission.idempotency);
  if ("conflict" in created || created.run.id !== run.id) await files.removeAll(fileStoreKeys(run.id).root);
  if ("conflict" in created || created.run.epoch > 0 || isEnded(created.run.status)) return created;
  if (created.run.forkedFrom) await withdrawIfDeleted(world, created.run, created.run.forkedFrom);
  const ready = await registry.beginEpoch(created.run, {});
  if (ready) return { run: ready, isNew: true };
  const begun = await registry.run(created.run.id);
  if (!begun) throw new Error(`Run ${created.run.id} was deleted before it began.`);
  return { run: begun, isNew: false };
}

function refuseNothingToProve({ options, program, requirements, pack }: Submission): void {
  if (hasExaminer({ options })) refuseNoTests(options, pack);
  if (program) refuseUnprovable(program, { options, requirements: [...program.requirements, ...requirements] });
  if (!asksForEvidence({ options }) || !program || program.requirements.length + requirements.length > 0) return;
  throw new UserError("The program names no requirements, so that there is nothing to prove. Nothing was created.", {
    exitCode: 2,
    remedy: "Add `requirements` to the program, or give --evidence off.",
    field: "evidence",
  });
}

function refuseNoTests({ runTests, evidence }: RunOptions, { declaration, texts }: PromptPack): void {
  const name = declaration.name;
  const problem = !(runTests && declaration.checks.tests)
    ? `--evidence ${evidence} needs tests, and this run runs none.`
    : texts.examiner === undefined || texts.examine === undefined
      ? `--evidence ${evidence} needs the prompts examiner.md and examine.md, and the pack "${name}" has not both.`
      : undefined;
  if (problem === undefined) return;
  const remedy = "Give --evidence own, or a prompt pack with both and with tests.";
  throw new UserError(`${problem} Nothing was created.`, { exitCode: 2, remedy, field: "evidence" });
}

async function storeAnyStart(world: World, id: string, submission: Submission): Promise<Partial<Run>> {
  const { fork, forks = [], from } = submission;
  if (fork) return storeFork(world, id, { ...fork, at: forks.at(-1)?.at ?? "" });
  return from ? storeStart(world, id, startOf(submission)) : {};
}

/** From its creation on, a fork keeps the bytes of the other run; that may have been deleted just before. */
async function withdrawIfDeleted({ registry, files }: World, run: Run, { run: from }: ForkOrigin): Promise<void> {
  const origin = await registry.stored(from);
  if (origin && !origin.deleting) return;
  const marked = await registry.beginDeletion(run);
  if (marked) await finishDeletion({ registry, files }, marked, () => true);
  throw new UserError(`Run ${from} was deleted meanwhile. Nothing was created.`, {
    exitCode: 2,
    remedy: { command: "list", args: [] },
  });
}

const documentOf = ({ task, pack, requirements, program, tests, handover, ...more }: Submission): TaskDocument => ({
  task,
  pack,
  requirements,
  ...(tests ? { tests } : {}),
  ...(handover === undefined ? {} : { handover }),
  ...(program ? { program } : {}),
  ...(more.frames ? { frames: [...more.frames] } : {}),
  ...(more.forks ? { forks: more.forks } : {}),
});

export interface RunStart extends Pick<Submission, "judged"> {
  from: TreeFiles;
  /** Paths of tests that the user gave. */
  given: string[];
  checks: PromptPack["declaration"]["checks"];
  /** Another tree is stored in its place, which every attempt to store this one replaces. */
  replaces?: boolean;
}

const startOf = ({ from = new Map(), tests: given = [], pack, judged }: Submission): RunStart => ({
  from,
  given,
  checks: pack.declaration.checks,
  ...(judged === undefined ? {} : { judged }),
});

/** All that it starts from, as one object: its files are loaded by the first epoch. */
export async function storeStart({ files }: World, runId: string, start: RunStart): Promise<Partial<Run>> {
  const { from, given, judged = true, replaces = false } = start;
  const pack = layOutEntries(entriesFrom(from));
  const key = fileStoreKeys(runId).pack(0);
  await (replaces ? files.put(key, pack) : files.putOnce(key, pack));
  const toLoad = from.size > 0 ? { toLoad: from.size } : {};
  const { syntax, tests } = start.checks;
  const isJudged = judged && (syntax || tests) && from.size > given.length;
  const lockedTests = testsAmong(from.keys());
  return {
    packed: 0,
    files: from.size,
    outputFiles: from.size,
    packedBytes: pack.length,
    lockedTests,
    ...toLoad,
    ...(isJudged ? { toJudge: true as const } : {}),
  };
}

/**
 * Earlier versions would plan a fork again, execute the leaves of a program with loops as a list, prove nothing, not find
 * the accounts of lanes, and take for proof what those who write the code prove strictly, or ask an examiner for
 * them. A fork has the examiner that its run had.
 */
function formatOf({ fork, inheriting, program, options, models = [] }: Submission): Run["format"] {
  const format = fork?.origin.format;
  const isExamined = options.evidence === "strict" && hasExaminer({ options, ...defined({ format }) });
  if (isExamined || models.some(({ examines }) => examines)) return EXAMINED_FORMAT;
  return asksForEvidence({ options }) || lanesOf({ options }) > 1 ? 4 : fork || inheriting || program?.tree ? 3 : 1;
}

const makeStateOf = ({ from, strict, taken }: Inheriting): NonNullable<Run["make"]> => ({
  from,
  ...(strict ? { strict: true as const } : {}),
  ...(taken === undefined ? {} : { taken }),
});

export function newRun(submission: Submission, id: string, now: string): Run {
  const { task, name, owner, options, profile, models, inheriting } = submission;
  return {
    format: formatOf(submission),
    id,
    owner,
    name,
    title: titleOf(task),
    status: "queued",
    createdAt: now,
    updatedAt: now,
    options,
    profile,
    ...(models ? { models } : {}),
    ...(inheriting ? { make: makeStateOf(inheriting) } : {}),
    // A fork has what the examiner of its run wrote.
    ...(hasExaminer(submission) && !submission.fork ? { toExamine: {} } : {}),
    ...NOTHING_DONE,
  };
}

/** A run whose work has not begun. */
export const NOTHING_DONE = {
  epoch: 0,
  attempt: 0,
  pc: 0,
  instructions: 0,
  packed: -1,
  turn: 0,
  events: 0,
  forgivenTurn: 0,
  failures: 0,
  turns: 0,
  calls: 0,
  microUsd: 0,
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  reservedMicroUsd: 0,
  reservedTokens: 0,
  activeMs: 0,
  files: 0,
  packedBytes: 0,
  tokensPerByte: 0,
  tokensPerSecond: 0,
  testsSeen: false,
  testsPassed: 0,
  testsTotal: 0,
  unchecked: [],
} satisfies Partial<Run>;
