/** Finds where a run is to be forked, and checks all that is to be copied as far as one request has the time. */

import { Damaged } from "../../core/errors.ts";
import { ownTurnsOf } from "../../core/program/ahead.ts";
import { type ForkPoint, lastForkPoint, readForkPoint } from "../../core/run/forks/fork-point.ts";
import { hasProgram, type Run } from "../../core/run/run.ts";
import type { Turn } from "../../core/turn/turn.ts";
import { instructionKey, turnKey } from "../../registry/keys.ts";
import { readTree } from "../files/packs.ts";
import { damagedItem } from "../files/verified-read.ts";
import type { RunStores } from "../program/stored-program.ts";
import { type JournalEntry, readEntry } from "../turn/journal.ts";
import { cannotCopy, noProgram, noSuchPoint } from "./refusals.ts";

export interface FoundForkPoint {
  /** As it was asked for. */
  at: string;
  /** Instructions that are done: accepted or skipped, and packed. */
  done: number;
  /** The turns that are inherited of the instruction after these, where it is open. */
  open?: JournalEntry[];
}

export async function findForkPoint(place: RunStores, run: Run, at: string): Promise<FoundForkPoint> {
  if (!hasProgram(run) || run.packed < 0) throw noProgram(run);
  const point = readForkPoint(at);
  if (!point) throw noSuchPoint(run, at);
  try {
    const found = await findPoint(place, run, { point, at });
    await checkHistory(place, run, found);
    return found;
  } catch (error) {
    if (error instanceof Damaged) throw cannotCopy(run, at, error);
    throw error;
  }
}

async function findPoint(
  { registry, files }: RunStores,
  run: Run,
  { point: { instruction, turn }, at }: { point: ForkPoint; at: string },
): Promise<FoundForkPoint> {
  if (turn === undefined) {
    if (instruction > lastForkPoint(run)) throw noSuchPoint(run, at);
    return { at, done: instruction };
  }
  if (instruction > Math.min(run.instructions, run.packed + 1)) throw noSuchPoint(run, at);
  const all = await registry.turns(run.id, instruction);
  const turns = all.filter((each) => each.turn <= turn);
  const last = turns.at(-1);
  if (last?.turn !== turn || last.state !== "committed") throw noSuchPoint(run, at, "there is no such committed turn");
  if (last.outcome === "discarded")
    throw noSuchPoint(run, at, "that turn took back what a skipped instruction changed");
  refuseGaps(run, instruction, turns);
  // An answer is the only turn of its step.
  if (last.outcome === "accepted" || last.outcome === "answer") {
    if (instruction > lastForkPoint(run)) throw noSuchPoint(run, at, "its acceptance is not packed yet");
    return { at, done: instruction };
  }
  const open = await Promise.all(turns.map((each) => readEntry(files, each)));
  const isSplitUnderway = run.splitting && turn === all.length;
  if (asksForParts(open) && (isSplitUnderway || all[turn]?.segment === last.segment))
    throw noSuchPoint(run, at, "that turn asks for smaller instructions, and is not the last to do so");
  const split = await splitAfter(
    files,
    all.filter((each) => each.turn > turn),
  );
  if (split !== undefined)
    throw noSuchPoint(run, at, `the instruction was split at turn ${split}, and had another text before`);
  return { at, done: instruction - 1, open };
}

/** The conversation of the last of these turns is about smaller instructions in place of one that was stuck. */
export function asksForParts(open: JournalEntry[]): boolean {
  const segment = open.at(-1)?.turn.segment;
  const first = open.find(({ turn }) => turn.segment === segment);
  return first?.answer?.tools?.some(({ name }) => name === PLANNING_TOOL) === true;
}

const PLANNING_TOOL = "write_program";

/** A turn of an instruction that wrote a program wrote smaller instructions in its place. */
async function splitAfter(files: RunStores["files"], turns: Turn[]): Promise<number | undefined> {
  for (const each of turns) if ((await readEntry(files, each)).effects?.draft) return each.turn;
  return undefined;
}

function refuseGaps({ id }: Run, instruction: number, turns: Turn[]): void {
  const gap = turns.findIndex(({ turn }, index) => turn !== index + 1);
  if (gap >= 0) throw damagedItem(turnKey(id, { instruction, turn: gap + 1 }));
}

/** A request on AWS has 29 s. What is beyond is checked when it is copied. */
const TURNS_CHECKED = 1_000;
const AT_ONCE = 16;

async function checkHistory(place: RunStores, run: Run, { done }: FoundForkPoint): Promise<void> {
  const { registry, files } = place;
  await readTree(files, run.id, done);
  const turns: Turn[] = [];
  for (let instruction = 0; instruction <= done && turns.length < TURNS_CHECKED; instruction += 1) {
    const some = await registry.turns(run.id, instruction);
    refuseGaps(run, instruction, some);
    const stored = instruction > 0 ? await registry.instruction(run.id, instruction) : undefined;
    if (instruction > 0 && !stored) throw damagedItem(instructionKey(run.id, instruction));
    if (some.length < (stored ? ownTurnsOf(stored) : 0))
      throw damagedItem(turnKey(run.id, { instruction, turn: some.length + 1 }));
    turns.push(...some);
  }
  for (let start = 0; start < Math.min(turns.length, TURNS_CHECKED); start += AT_ONCE)
    await Promise.all(turns.slice(start, start + AT_ONCE).map((turn) => readEntry(files, turn)));
}
