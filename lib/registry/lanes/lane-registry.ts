/** What the registry offers lanes: each takes an instruction, computes it under a fence of its own, and gives it back. */
import type { Table } from "../../core/ports.ts";
import type { Instruction } from "../../core/program/program.ts";
import type { BusyLane } from "../../core/run/lanes/busy-lane.ts";
import { isEnded, type Run } from "../../core/run/run.ts";
import { type StepTurn, Turn } from "../../core/turn/turn.ts";
import { claimLane } from "../claim.ts";
import { aheadPrefix, metaKey, runKey } from "../keys.ts";
import { parseItem } from "../parse-item.ts";
import type { WriteContext } from "../write-run.ts";
import { busyLanes } from "./busy-lanes.ts";
import { readLane } from "./lane-record.ts";
import { stepTurns, stepTurnsAfter, type TurnRange } from "./step-turns.ts";
import { dropLane, settleLane, takeStep } from "./take-step.ts";

export const createLaneRegistry = (table: Table, context: () => WriteContext) => ({
  /** A lane's view of the run. Undefined: it has had no instruction yet. */
  lane: (run: Run, lane: number): Promise<Run | undefined> => readLane(table, run, lane),
  /** Of a run that was just read: the lane goes on with its instruction, if it has one. */
  claimLane: (run: Run, lane: number): Promise<Run | undefined> => claimLane(context(), run, lane),
  takeStep: (run: Run, lane: number, instruction: Instruction): Promise<Run | undefined> =>
    takeStep(context(), run, { lane, instruction }),
  dropLane: (run: Run, lane: Run): Promise<boolean> => dropLane(context(), run, lane),
  /** Answers whether the lane was still as it had been read. */
  settleLane: (run: Run, lane: Run): Promise<boolean> => settleLane(context(), run, lane),

  /** How many of its lanes, the run itself included, have a call in flight. */
  async callsInFlight({ id }: Run): Promise<number> {
    const lanes = await table.query(runKey(id), { prefix: "LANE#" });
    const meta = await table.get(metaKey(id));
    return [meta, ...lanes].filter((item) => Number(item?.reservedTokens ?? 0) > 0).length;
  },

  /** How many of its lanes, the run itself not included, have an instruction that they can go on with. */
  async lanesAtWork({ id }: Run): Promise<number> {
    const lanes = await table.query(runKey(id), { prefix: "LANE#" });
    return lanes.filter(({ pc, status }) => Number(pc) > 0 && !isEnded(status as Run["status"])).length;
  },

  /** What they do now, the run itself included. Empty: it has one lane, or none is at work. */
  busyLanes: (run: Run): Promise<BusyLane[]> => busyLanes(table, run),

  /** All turns of an instruction: first what a lane did ahead of the run. */
  stepTurns: (run: Run, instruction: number): Promise<StepTurn[]> => stepTurns(table, run, instruction),
  /** The same of all instructions. */
  stepTurnsAfter: (run: Run, range: TurnRange): Promise<StepTurn[]> => stepTurnsAfter(table, run, range),

  /** What a lane did of the instruction before the run came to it. */
  async aheadTurns(runId: string, instruction: number): Promise<Turn[]> {
    const items = await table.query(runKey(runId), { prefix: aheadPrefix(instruction) });
    return items.map((item) => parseItem(Turn, item));
  },
});
