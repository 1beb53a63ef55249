/** Copies what a fork inherits, some instructions at a time, so that a crash costs one batch; then its own work begins. */

import { Damaged } from "../../core/errors.ts";
import { OF_EXAMINER } from "../../core/evidence/evidence.ts";
import type { MemoReference } from "../../core/make/recalled-call.ts";
import { ownTurnsOf } from "../../core/program/ahead.ts";
import { type Draft, type Instruction, instructionOf } from "../../core/program/program.ts";
import type { StoredFork } from "../../core/run/forks/stored-fork.ts";
import { lacksApproval, type Run } from "../../core/run/run.ts";
import { joinsAmong } from "../../core/turn/lane-turns.ts";
import type { Turn } from "../../core/turn/turn.ts";
import type { StoredBaseline } from "../../core/verdict/known-red.ts";
import { packedBytesOf } from "../../pack/pack.ts";
import type { RunPatch } from "../../registry/commit.ts";
import { fileStoreKeys, instructionKey, turnKey } from "../../registry/keys.ts";
import { declaredChecks } from "../examiner/declared-checks.ts";
import { readTree } from "../files/packs.ts";
import { damagedItem } from "../files/verified-read.ts";
import {
  type Copying,
  copyBlobs,
  copyBody,
  copyFiles,
  copyLists,
  copyPack,
  copyTurns,
  keyInCopy,
  writeView,
} from "../fork/copy-instruction.ts";
import { awaitingApproval } from "../lifecycle/ending.ts";
import { blobsOf } from "../make/recalled-call.ts";
import { consentAgain, stepsIn } from "../program/consent.ts";
import { programEvent, replacementOf } from "../program/stored-program.ts";
import type { StepResult } from "../step-result.ts";
import { FORK, MEMO } from "../turn/body-kinds.ts";
import { readBody } from "../turn/journal.ts";
import type { Invocation, World } from "../world.ts";

/** More than a batch takes on a slow disk or table. */
const FLOOR_MS = 120_000;
/** After so many turns the progress is committed. */
const TURNS_AT_ONCE = 100;

export async function inheritHistory(world: World, run: Run, invocation: Invocation): Promise<StepResult> {
  const { remainingMs, signal } = invocation;
  const fork = await readBody(world.files, { key: fileStoreKeys(run.id).fork }, FORK);
  await refuseDeleted(world, fork);
  let inheriting = run;
  while (inheriting.inheriting !== undefined) {
    signal.throwIfAborted();
    if (remainingMs() < FLOOR_MS) return { kind: "answer", answer: { next: "wait", waitSeconds: 1 } };
    inheriting =
      inheriting.inheriting > fork.instruction
        ? await finish(world, inheriting, fork)
        : await inheritSome(world, inheriting, fork);
  }
  return { kind: "done", run: inheriting };
}

/** Its bytes stay while a fork copies them, but for a fork that had ended by then. */
async function refuseDeleted({ registry }: World, { run }: StoredFork): Promise<void> {
  if (await registry.stored(run)) return;
  throw new Damaged(`Run ${run}, from which this run was forked, was deleted before all of it was copied.`, {
    remedy: "Submit the task again.",
  });
}

async function inheritSome(world: World, run: Run, fork: StoredFork): Promise<Run> {
  let copied = 0;
  let next = run.inheriting ?? 0;
  for (; next <= fork.instruction && copied < TURNS_AT_ONCE; next += 1) {
    copied += 1 + (await inheritInstruction(world, run, { fork, number: next }));
  }
  return world.registry.commit(run, { run: { inheriting: next } });
}

interface Inherited {
  fork: StoredFork;
  number: number;
}

/** Answers how many turns it had. */
async function inheritInstruction(world: World, run: Run, { fork, number }: Inherited): Promise<number> {
  const { registry, files } = world;
  const copying: Copying = { files, from: fork.run, to: run.id };
  const isOpen = fork.turn !== undefined && number === fork.instruction;
  const turns = await turnsOf(world, { fork, number });
  const bodies = await copyTurns(copying, turns);
  const entries = await copyFiles(copying, turns);
  if (number > 0 && !isOpen) await copyPack(copying, number);
  const instruction = number > 0 && !isOpen ? await registry.instruction(fork.run, number) : undefined;
  if (number > 0 && !isOpen && !instruction) throw damagedItem(instructionKey(fork.run, number));
  const exchanges = turns.filter(({ outcome }) => outcome !== "discarded").length;
  if (instruction && exchanges < ownTurnsOf(instruction))
    throw damagedItem(turnKey(fork.run, { instruction: number, turn: turns.length + 1 }));
  const own = instruction && { ...instruction, ...(await copyRecords(copying, instruction)) };
  const aheadTurns = instruction?.ahead ? await copyAhead(copying, await registry.aheadTurns(fork.run, number)) : [];
  await copyLists(copying, instruction?.frames);
  const evidence = number === OF_EXAMINER ? await declaredChecks(world, fork.run) : [];
  await registry.putInherited(run, {
    turns: bodies,
    aheadTurns,
    entries,
    evidence,
    ...(own ? { instruction: own } : {}),
  });
  return turns.length;
}

/** What the step read and wrote, and what was found when another one was tried in its place. */
async function copyRecords(copying: Copying, { step, tried, memo, ahead }: Instruction): Promise<Partial<Instruction>> {
  const { body, sha256 = "" } = ahead ?? {};
  return {
    ...(ahead && body !== undefined ? { ahead: { ...ahead, body: await copyBody(copying, body, sha256) } } : {}),
    ...(step ? { step: { ...step, body: await copyBody(copying, step.body, step.sha256) } } : {}),
    ...(tried ? { tried: { ...tried, body: await copyBody(copying, tried.body, tried.sha256) } } : {}),
    ...(memo ? { memo: await copyMemo(copying, memo) } : {}),
  };
}

/** The steps of a call that an earlier version took over, for replays. */
async function copyMemo(copying: Copying, memo: MemoReference): Promise<MemoReference> {
  // One body is for all steps of a call.
  const isThere = await copying.files.get(keyInCopy(copying, memo.body));
  const { steps } = await readBody(copying.files, { key: memo.body, hash: memo.sha256 }, MEMO);
  if (!isThere) await copyBlobs(copying, [...blobsOf(steps)]);
  return { ...memo, body: await copyBody(copying, memo.body, memo.sha256) };
}

/** What a lane did of it, for replays: the directory has what joined of it already. */
async function copyAhead(copying: Copying, turns: Turn[]): Promise<Turn[]> {
  await copyFiles(copying, turns);
  return copyTurns(copying, turns);
}

async function turnsOf({ registry }: World, { fork, number }: Inherited): Promise<Turn[]> {
  const turns = await registry.turns(fork.run, number);
  const last = number === fork.instruction ? fork.turn : undefined;
  const some = last === undefined ? turns : turns.slice(0, last);
  const gap = some.findIndex(({ turn }, index) => turn !== index + 1);
  const missing = gap < 0 ? some.length + 1 : gap + 1;
  if (gap >= 0 || (last !== undefined && some.length < last))
    throw damagedItem(turnKey(fork.run, { instruction: number, turn: missing }));
  return some;
}

/** Everything is there: the run begins after what it inherits. */
async function finish(world: World, run: Run, fork: StoredFork): Promise<Run> {
  const { registry, files } = world;
  const { facts, turn, instruction } = fork;
  const done = turn === undefined ? instruction : instruction - 1;
  const program = await replacementOf(files, run.id, fork.program);
  const begun = await storeRest(world, run, { fork, program, done });
  await registry.putInherited(run, {
    ...(facts.testLocks ? { testLocks: facts.testLocks } : {}),
    ...(await inheritedBaseline(world, run, fork)),
  });
  const tree = await readTree(files, run.id, done);
  const entries = await registry.allFiles(run.id);
  await writeView({ files, to: run.id }, tree, entries);
  const packedBytes = [...tree].reduce((sum, [path, entry]) => sum + packedBytesOf(path, entry), 0);
  const inherited = await inheritedCost(world, run, fork);
  const before = (await registry.instructions(run.id)).filter(({ number }) => number <= done);
  const again = consentAgain(run, program, stepsIn(before));
  const awaited = awaitingApproval(again);
  const { remove = [], ...standing }: RunPatch = again.consent === undefined ? { status: "running" } : awaited;
  return registry.commit(run, {
    run: {
      ...standing,
      ...begun,
      ...again,
      pc: done + 1,
      packed: done,
      turn: turn ?? 0,
      forgivenTurn: fork.forgivenTurn ?? 0,
      files: entries.length,
      outputFiles: tree.size,
      packedBytes,
      ...(fork.skipped > 0 ? { skipped: fork.skipped } : {}),
      ...(fork.split ? { split: fork.split } : {}),
      ...(lacksApproval(run) && again.consent === undefined ? { approved: true as const } : {}),
      ...facts.run,
      remove: ["inheriting", "hint", ...remove],
    },
    events: [
      programEvent(program),
      {
        type: "forked",
        run: fork.run,
        point: run.forkedFrom?.at ?? "",
        inherited: done,
        ...inherited,
        instructions: begun.instructions,
      },
      ...(again.consent === undefined ? [] : [{ type: "waiting", why: awaited.detail } as const]),
    ],
  });
}

/** Of a program with more kinds than `do`, only what is left of the last inherited step is there already. */
async function storeRest(
  { registry, files }: World,
  run: Run,
  { fork, program, done }: { fork: StoredFork; program: Draft; done: number },
): Promise<Pick<Run, "instructions" | "walk">> {
  const { walk, run: from, tried, memo } = fork;
  const copying = { files, from, to: run.id };
  const rest = walk ? walk.rest : program.instructions.slice(done);
  const place = walk ? { frames: walk.frames, ...(walk.isPart ? { isPart: true as const } : {}) } : {};
  if (walk) await copyLists(copying, walk.frames);
  if (walk) await registry.putInherited(run, { requirements: program.requirements });
  else await registry.storeProgram(run, program, { from: done + 1 });
  const own = {
    ...(tried ? { tried: { ...tried, body: await copyBody(copying, tried.body, tried.sha256) } } : {}),
    ...(memo ? { memo: await copyMemo(copying, memo) } : {}),
  };
  const written = walk ? rest : tried ? rest.slice(0, 1) : [];
  for (const [index, each] of written.entries()) {
    const instruction = { ...instructionOf(each, done + 1 + index), ...place, ...(index === 0 ? own : {}) };
    await registry.putInherited(run, { instruction });
  }
  if (!walk) return { instructions: program.instructions.length };
  return {
    instructions: done + rest.length,
    walk: { program: fork.program, frames: walk.frames, hasStep: true },
  };
}

async function inheritedBaseline(
  { files }: World,
  run: Run,
  { baseline, facts, run: from }: StoredFork,
): Promise<{ baseline?: StoredBaseline }> {
  if (!baseline) return {};
  const { sha256 } = baseline;
  const key = await copyBody({ files, from, to: run.id }, baseline.key, sha256);
  return { baseline: { key, sha256, known: facts.known ?? baseline.known } };
}

/** What was paid for it there. */
async function inheritedCost(
  { registry }: World,
  run: Run,
  { instruction }: StoredFork,
): Promise<{ turns: number; microUsd: number }> {
  let [turns, microUsd] = [0, 0];
  for (let number = 0; number <= instruction; number += 1) {
    const all = await registry.stepTurns(run, number);
    const isJoin = joinsAmong(all);
    turns += all.filter((turn) => turn.outcome !== "discarded" && !isJoin(turn)).length;
    microUsd += all.reduce((sum, turn) => sum + turn.microUsd, 0);
  }
  return { turns, microUsd };
}
