/** Turns of lanes among all turns of a run: which of them the run's files come from, and how they are named. Pure. */
import type { PathChange, TurnRecord } from "./turn.ts";

type OfLane = Pick<TurnRecord, "lane" | "ahead">;

/** Its changes are those of the run's files. */
export const isOfRun = ({ lane }: Pick<TurnRecord, "lane">): boolean => lane === undefined;

/** It is paid for, and nothing of it is in the run. */
export const isDropped = ({ ahead }: OfLane): boolean => ahead === "dropped";

/** Whether with a turn the run took over what a lane had done of the instruction: no model was asked. */
export function joinsAmong(
  turns: readonly Pick<TurnRecord, "lane" | "instruction">[],
): (turn: Pick<TurnRecord, "lane" | "copied" | "instruction">) => boolean {
  const byLanes = new Set(turns.flatMap(({ lane, instruction }) => (lane === undefined ? [] : [instruction])));
  return ({ lane, copied, instruction }) => lane === undefined && copied !== undefined && byLanes.has(instruction);
}

const STATES: Record<NonNullable<TurnRecord["ahead"]>, string> = {
  taken: "at work",
  finished: "not joined yet",
  joined: "joined",
  dropped: "dropped",
};

/** `lane 2, dropped`. Undefined: the run itself took it. */
export const laneWordsOf = ({ lane, ahead = "taken" }: OfLane): string | undefined =>
  lane === undefined ? undefined : `lane ${lane}, ${STATES[ahead]}`;

/**
 * The turns that wrote what is in the run's files: those of a lane in place of the turn that joined them, for each file
 * that was not changed by others meanwhile. In the order in which the files changed.
 */
export function creditedTurns(turns: readonly TurnRecord[]): TurnRecord[] {
  const joins = new Map(turns.filter(joinsAmong(turns)).map((turn) => [turn.instruction, turn]));
  const found = startsOfLanes(turns);
  return turns.flatMap((turn) => {
    if (isOfRun(turn)) return [turn];
    const join = joins.get(turn.instruction);
    if (turn.ahead !== "joined" || !join) return [];
    const before = new Map(join.changes.map(({ path, was }) => [path, was]));
    // The lane found the file as the run has it before the join; other lines than its own would be taken for its own.
    // A file that the lane made and removed again is none of the run.
    const isKept = (path: string): boolean =>
      before.get(path) !== undefined && before.get(path) === found.get(turn.instruction)?.get(path);
    return [{ ...turn, changes: turn.changes.filter(({ path }) => isKept(path)) }];
  });
}

/** By instruction and path: what a lane found there before its first change. */
function startsOfLanes(turns: readonly TurnRecord[]): Map<number, Map<string, PathChange["was"]>> {
  const starts = new Map<number, Map<string, PathChange["was"]>>();
  for (const { instruction, changes } of turns.filter((turn) => !isOfRun(turn))) {
    const own = starts.get(instruction) ?? new Map<string, PathChange["was"]>();
    starts.set(instruction, own);
    for (const { path, was } of changes) if (!own.has(path)) own.set(path, was);
  }
  return starts;
}
