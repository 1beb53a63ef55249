/** Turns of lanes in charts: the columns of their tables, and counts that are of their own files. Pure. */
import { carryForward } from "../../../lib/core/run/history.ts";
import { isOfRun } from "../../../lib/core/turn/lane-turns.ts";
import type { TurnRecord } from "../../../lib/core/turn/turn.ts";

/** The lane that took a turn, where that is not the run itself, and what became of its work. */
export const LANE_COLUMNS = ["lane", "ahead"];
export const laneCells = ({ lane, ahead }: Pick<TurnRecord, "lane" | "ahead">) => [lane ?? "", ahead ?? ""];

/** Of the run's files: what a lane counted is of other files. */
export const countedInRun = (turns: TurnRecord[], of: (turn: TurnRecord) => number | undefined) =>
  carryForward(turns.map((turn) => (isOfRun(turn) ? of(turn) : undefined)));

/** Turn by turn: what a lane counted ends with its turns. */
export function countedInTurns(turns: TurnRecord[], of: (turn: TurnRecord) => number | undefined) {
  const inRun = countedInRun(turns, of);
  const inLane = new Map<number, number>();
  return turns.map((turn, index) => {
    if (isOfRun(turn)) return inRun[index];
    const count = of(turn) ?? inLane.get(turn.instruction);
    if (count !== undefined) inLane.set(turn.instruction, count);
    return count;
  });
}
