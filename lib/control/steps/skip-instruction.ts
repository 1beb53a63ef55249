/** Skips the instruction at the program counter: the tree goes back to the last accepted one, then the next one begins. */
import { PATHS_PER_TURN, SUMMARY_CHARS } from "../../core/limits.ts";
import type { Instruction } from "../../core/program/program.ts";
import { instructionMsAt } from "../../core/run/active-time.ts";
import type { Run } from "../../core/run/run.ts";
import { headAndTail } from "../../core/text/cut.ts";
import { firstModelPatch } from "../../core/turn/model-fallback.ts";
import { describeStuck } from "../../core/turn/stuck.ts";
import { type FileEntry, type Turn, turnWithoutAnswer } from "../../core/turn/turn.ts";
import type { EntryChange } from "../../registry/commit.ts";
import { filesAdded } from "../files/layers.ts";
import { type PathToRevert, pathsToRevert } from "../files/revert.ts";
import { entryOf } from "../files/tree.ts";
import { readBlob } from "../files/verified-read.ts";
import { handOver } from "../turn/first-message.ts";
import type { World } from "../world.ts";

/** The rollback is recorded as a turn without a model call, so history and packs stay reproducible and a crash resumes it. */
export async function skipInstruction(world: World, begun: Run): Promise<Run> {
  const { registry } = world;
  let run = begun;
  for (;;) {
    const turns = await registry.turns(run.id, run.pc);
    const returns = pathsToRevert(turns).slice(0, PATHS_PER_TURN);
    if (returns.length === 0) return finish(world, run, turns);
    run = await takeBack(world, run, { turns, returns });
  }
}

/** As much as one transaction holds. */
async function takeBack(
  world: World,
  run: Run,
  { turns, returns }: { turns: Turn[]; returns: PathToRevert[] },
): Promise<Run> {
  const at = { instruction: run.pc, turn: (turns.at(-1)?.turn ?? 0) + 1 };
  const restored = await Promise.all(returns.map((each) => entryBefore(world, run, { each, at })));
  const entries = returns.map(
    ({ folded, now }, index): EntryChange => ({ folded, was: now?.sha256 ?? null, entry: restored[index] ?? null }),
  );
  const changes = returns.flatMap(({ now, before }, index) => {
    const deletion =
      now && now.path !== before?.path ? [{ path: now.path, sha256: null, was: now.sha256, bytes: 0 }] : [];
    if (!before) return deletion;
    const was = now?.path === before.path ? now.sha256 : null;
    return [...deletion, { ...before, was, bytes: restored[index]?.bytes ?? 0 }];
  });
  return world.registry.commit(run, {
    turn: {
      ...turnWithoutAnswer(run, world.clock.now()),
      outcome: "discarded",
      ...at,
      segment: turns.at(-1)?.segment ?? 0,
      changes,
    },
    newTurn: true,
    entries,
    run: { turn: at.turn, files: run.files + filesAdded(changes) },
  });
}

async function entryBefore(
  { files }: World,
  run: Run,
  { each: { before }, at }: { each: PathToRevert; at: { instruction: number; turn: number } },
): Promise<FileEntry | null> {
  if (!before) return null;
  const content = await readBlob(files, run.id, before.sha256);
  return entryOf(before.path, { content, sha256: before.sha256 }, at);
}

async function finish(world: World, run: Run, turns: Turn[]): Promise<Run> {
  const { registry, clock } = world;
  const [instruction, previous] = await Promise.all([
    registry.instruction(run.id, run.pc),
    run.pc > 1 ? registry.instruction(run.id, run.pc - 1) : undefined,
  ]);
  if (!instruction) throw new Error(`The registry is damaged: instruction ${run.pc} of run ${run.id} is missing.`);
  const { title, trap } = instruction;
  const exchanges = turns.filter(({ outcome }) => outcome !== "discarded");
  const totals = {
    turns: exchanges.length,
    microUsd: exchanges.reduce((sum, each) => sum + each.microUsd, 0),
    milliseconds: instructionMsAt(instruction, run, clock.now()),
  };
  const paths = new Set(exchanges.flatMap(({ changes }) => changes.map(({ path }) => path))).size;
  const why = trap ? describeStuck(trap) : "";
  return registry.commit(run, {
    run: {
      pc: run.pc + 1,
      turn: 0,
      forgivenTurn: 0,
      skipped: (run.skipped ?? 0) + 1,
      ...firstModelPatch(run),
      remove: ["skipping", "hint"],
    },
    instruction: { number: run.pc, set: { status: "skipped", ...totals, ...carried(previous) } },
    events: [{ type: "instruction_skipped", instruction: run.pc, title, why, paths, ...totals }],
  });
}

/** The hand-over that it was given goes on to the next, which would else know nothing of what came before. */
const carried = (previous: Instruction | undefined): Partial<Instruction> =>
  previous ? { summary: headAndTail(handOver(previous).toWellFormed(), SUMMARY_CHARS) } : {};
