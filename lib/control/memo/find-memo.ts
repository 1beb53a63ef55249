/** Finds an accepted call of the same owner whose step can take an instruction's place, with all that the call read. */
import { Damaged, Unreadable } from "../../core/errors.ts";
import { asksForEvidence } from "../../core/evidence/evidence-kind.ts";
import type { InheritedStep } from "../../core/make/inherited-steps.ts";
import { changedWords } from "../../core/make/made-words.ts";
import type { StepKey } from "../../core/make/step-record.ts";
import type { Memo, MemoReference, MemoSteps } from "../../core/memo/memo.ts";
import type { Run } from "../../core/run/run.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { filesBefore } from "../evidence/trees.ts";
import { readBlob } from "../files/verified-read.ts";
import { type ChosenStep, judgeStep } from "../make/choose-step.ts";
import { listedHash, storedHash } from "../make/readings.ts";
import { inheritedStep } from "../make/source-steps.ts";
import { ownHash } from "../make/step-key.ts";
import { readProgramTree } from "../program/stored-program.ts";
import { MEMO, STEP } from "../turn/body-kinds.ts";
import { bodyOf, readBody } from "../turn/journal.ts";
import type { OpenStep } from "../turn/open-step.ts";
import { nameCall } from "./name-call.ts";

/** Of the same call, the latest first. */
const LOOKED_AT = 8;
/** A call that wrote more versions of files is not taken over. */
const VERSIONS = 2_000;
const AT_ONCE = 32;

export interface OfferedMemo {
  run: string;
  reference: MemoReference;
  /** Why none of its steps can take the place. */
  choice: { chosen: ChosenStep } | { why: string };
}

/** Undefined: there is no such call. Its steps and their bytes are this run's own then: the other run can be deleted. */
export async function findMemo(step: OpenStep, key: StepKey): Promise<OfferedMemo | undefined> {
  const { world, state } = step;
  const { run } = state;
  const { memo, walk, pc } = run;
  const given = world.memoAt ? await world.memoAt(pc) : undefined;
  // A replay repeats what an earlier version tried.
  if (!given && (world.memoAt || needsProof(step))) return undefined;
  const known = given ? await storeSteps(step, given.steps, given.blob) : memo?.of;
  if (known) {
    const { run: from, steps } = await readBody(world.files, { key: known.body, hash: known.sha256 }, MEMO);
    return { run: from, reference: known, choice: await chooseOf(step, key, steps) };
  }
  const { frames = [] } = state.instruction ?? {};
  const program = walk && (await readProgramTree(world.files, run.id, walk.program));
  for (const depth of program ? (memo?.calls ?? []) : []) {
    const name = program && (await nameCall(world, run, { program, frames, depth }));
    for (const found of name ? await world.registry.memos(name, LOOKED_AT) : []) {
      const offered = await unlessGone(() => offer(step, key, found));
      if (offered) return offered;
    }
  }
  return undefined;
}

/** Evidence is of one run: a copy brings none, and the gate would refuse it. */
const needsProof = ({ state: { run, instruction } }: OpenStep): boolean =>
  asksForEvidence(run) && (instruction?.requirements.length ?? 0) > 0;

/** What was deleted meanwhile, damaged, or written by another version is as good as not there. */
async function unlessGone<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Damaged || error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** Undefined: its inputs are others. */
async function offer(step: OpenStep, key: StepKey, memo: Memo): Promise<OfferedMemo | undefined> {
  const { world, state } = step;
  const { steps, answers } = (await stepsOf(step, memo)) ?? {};
  if (!steps || blobsOf(steps).size > VERSIONS || !(await readsTheSame(step, steps, answers))) return undefined;
  const choice = await chooseOf(step, key, steps);
  if ("why" in choice) return undefined;
  const blob = (sha: string): Promise<Uint8Array> => readBlob(world.files, memo.run, sha);
  const reference = await storeSteps(step, { run: memo.run, steps }, blob);
  // What was being deleted while it was copied may be incomplete.
  return memo.run === state.run.id || (await world.registry.run(memo.run))
    ? { run: memo.run, reference, choice }
    : undefined;
}

/** The run must be there, and belong to the same owner; what its prompts listed must be known. */
async function stepsOf({ world, state }: OpenStep, memo: Memo): Promise<CallSteps | undefined> {
  const { registry, files } = world;
  const run: Run | undefined = memo.run === state.run.id ? state.run : await registry.run(memo.run);
  if (run?.owner !== state.run.owner) return undefined;
  const limit = memo.last - memo.first + 1;
  const all = await registry.instructionsFrom(memo.run, { first: memo.first, limit });
  const reading = all
    .filter(({ step }) => step)
    .map(async (each) => {
      const { body = "", sha256 = "" } = each.step ?? {};
      return inheritedStep(each, await readBody(files, { key: body, hash: sha256 }, STEP));
    });
  const steps = await Promise.all(reading);
  // An earlier version recorded it otherwise.
  if (steps.some(({ record }) => record.listed === undefined)) return undefined;
  return { steps, answers: all.flatMap(({ saveTo }) => saveTo ?? []) };
}

interface CallSteps {
  steps: InheritedStep[];
  /** The files that its questions write. */
  answers: string[];
}

/** All files that the steps read and none of them had written. Lists and searches are looked at step by step. */
async function readsTheSame(
  { world, state }: OpenStep,
  steps: InheritedStep[],
  answers: readonly string[] = [],
): Promise<boolean> {
  const written = new Set<string>(answers);
  const looked = new Map<string, string | null>();
  for (const { record } of steps) {
    for (const { path, sha256 } of [
      ...record.readings.flatMap((each) => (each.kind === "file" ? [each] : [])),
      ...record.writes.map(({ path: at, was }) => ({ path: at, sha256: was })),
    ])
      if (!written.has(path) && !looked.has(path)) looked.set(path, sha256);
    for (const path of record.touched) written.add(path);
  }
  const files = { registry: world.registry, runId: state.run.id };
  for (const [path, sha256] of looked) if ((await storedHash(files, path)) !== sha256) return false;
  return true;
}

async function chooseOf(step: OpenStep, key: StepKey, steps: InheritedStep[]): Promise<OfferedMemo["choice"]> {
  const own = ownHash(key);
  let why: string | undefined;
  for (const each of steps.filter(({ record }) => ownHash(record.key) === own)) {
    const judged = await judgeStep(step, key, each);
    const differs = judged.why || ((await listsOthers(step, each)) ? changedWords([LISTED]) : "");
    if (differs === "") return { chosen: judged };
    why ??= differs;
  }
  return { why: why ?? "the earlier call went another way" };
}

const LISTED = "the list of files in its prompt";

/** The model may have taken a name from there. Absent: an earlier version took it over, which a replay repeats. */
const listsOthers = async (step: OpenStep, { record: { listed, touched } }: InheritedStep): Promise<boolean> =>
  listed !== undefined && listed !== listedHash(await filesBefore(step), touched);

async function storeSteps(
  { world: { files }, state: { run } }: OpenStep,
  stored: MemoSteps,
  blob: (sha: string) => Promise<Uint8Array>,
): Promise<MemoReference> {
  const keys = fileStoreKeys(run.id);
  const blobs = [...blobsOf(stored.steps)];
  for (let start = 0; start < blobs.length; start += AT_ONCE)
    await Promise.all(
      blobs.slice(start, start + AT_ONCE).map(async (sha) => files.putOnce(keys.blob(sha), await blob(sha))),
    );
  const { bytes, hash } = bodyOf(MEMO, stored);
  const body = keys.memo(run.pc, run.attempt);
  await files.put(body, bytes);
  return { body, sha256: hash };
}

/** What they wrote: what was there before is there now, or they are not taken over. */
export const blobsOf = (steps: InheritedStep[]): Set<string> =>
  new Set(steps.flatMap(({ record }) => record.writes.flatMap(({ sha256 }) => (sha256 === null ? [] : [sha256]))));
