/** Where the program of a forked run is, if it has more kinds than `do`, and what led there. */
import type { Frames } from "../../core/program/language/frames.ts";
import { draftOf, type Instruction } from "../../core/program/program.ts";
import type { StoredFork } from "../../core/run/forks/stored-fork.ts";
import type { Run } from "../../core/run/run.ts";
import { instructionKey } from "../../registry/keys.ts";
import { damagedItem } from "../files/verified-read.ts";
import { recordedChecks } from "../program/recorded-checks.ts";
import type { RunStores } from "../program/stored-program.ts";
import type { FoundForkPoint } from "./find-fork-point.ts";
import { isSplitNow } from "./refusals.ts";

export type ForkedWalk = NonNullable<StoredFork["walk"]>;

/** Undefined: its program is a list. */
export async function walkAt(
  place: RunStores,
  run: Run,
  { at, done, open }: FoundForkPoint,
): Promise<ForkedWalk | undefined> {
  if (!run.walk) return undefined;
  if (run.replacement !== undefined) throw isSplitNow(run, at);
  const steps = await place.registry.instructions(run.id);
  const kept = done + (open ? 1 : 0);
  const frames = framesAt(steps, kept);
  if (!frames) throw damagedItem(instructionKey(run.id, kept));
  const rest = restOf(steps, { done, frames, isOpen: open !== undefined });
  const isPart = rest.some((each) => each.isPart);
  return {
    frames: [...frames],
    rest: draftOf({ instructions: rest, requirements: [] }).instructions,
    ...(isPart ? { isPart: true as const } : {}),
    checks: (await recordedChecks(place, run)).filter(({ instruction }) => instruction < kept),
  };
}

/** Of runs of earlier versions, later parts of a split step have none of their own. */
function framesAt(steps: Instruction[], number: number): Frames | undefined {
  return steps.slice(0, number).findLast(({ frames }) => frames !== undefined)?.frames;
}

/** The open step, and the parts that follow at the same place. */
export function restOf(
  steps: Instruction[],
  { done, frames, isOpen }: { done: number; frames: Frames; isOpen: boolean },
): Instruction[] {
  const later = steps.slice(done);
  const end = later.findIndex(
    (each, index) => !(index === 0 && isOpen) && !(each.isPart && isSame(each.frames ?? frames, frames)),
  );
  return end < 0 ? later : later.slice(0, end);
}

const isSame = (one: Frames, other: Frames): boolean => JSON.stringify(one) === JSON.stringify(other);
