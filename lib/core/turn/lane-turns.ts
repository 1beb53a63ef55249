/** Turns of lanes among all turns of a run: which of them the run's files come from, and how they are named. Pure. */
import type { TurnRecord } from "./turn.ts";

type OfLane = Pick<TurnRecord, "lane" | "ahead">;

/** Its changes are those of the run's files. */
export const isOfRun = ({ lane }: Pick<TurnRecord, "lane">): boolean => lane === undefined;

/** It is paid for, and nothing of it is in the run. */
export const isDropped = ({ ahead }: OfLane): boolean => ahead === "dropped";

/** With it the run took over what a lane had done of the instruction: no model was asked. */
export const isJoin = (
  { lane, copied, instruction }: Pick<TurnRecord, "lane" | "copied" | "instruction">,
  turns: readonly TurnRecord[],
): boolean =>
  lane === undefined &&
  copied !== undefined &&
  turns.some((each) => each.lane !== undefined && each.instruction === instruction);

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
  const joins = new Map(turns.filter((turn) => isJoin(turn, turns)).map((turn) => [turn.instruction, turn]));
  return turns.flatMap((turn) => {
    if (isOfRun(turn)) return [turn];
    const join = joins.get(turn.instruction);
    if (turn.ahead !== "joined" || !join) return [];
    return [{ ...turn, changes: turn.changes.filter(({ path }) => isSameStart(turns, { turn, join, path })) }];
  });
}

interface JoinedPath {
  turn: TurnRecord;
  join: TurnRecord;
  path: string;
}

/** The lane found the file as the run has it before the join; other lines than its own would be taken for its own. */
function isSameStart(turns: readonly TurnRecord[], { turn, join, path }: JoinedPath): boolean {
  const first = turns.find(
    (each) =>
      each.lane !== undefined && each.instruction === turn.instruction && each.changes.some((one) => one.path === path),
  );
  const wasIn = (each: TurnRecord | undefined) => each?.changes.find((one) => one.path === path)?.was;
  const before = wasIn(join);
  // A file that the lane made and removed again is none of the run.
  return before !== undefined && wasIn(first) === before;
}
