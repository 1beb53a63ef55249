/** What each lane of a run does now, the run itself included. */
import { defined } from "../../core/defined.ts";
import type { Table } from "../../core/ports.ts";
import { Instruction } from "../../core/program/program.ts";
import type { BusyLane } from "../../core/run/lanes/busy-lane.ts";
import { isEnded, lanesOf, type Run, waitsForPerson } from "../../core/run/run.ts";
import { Turn } from "../../core/turn/turn.ts";
import { aheadPrefix, instructionKey, runKey, turnsPrefix } from "../keys.ts";
import { parseItem } from "../parse-item.ts";

/** Empty: it has one lane, or none of them is at work. */
export async function busyLanes(table: Table, run: Run): Promise<BusyLane[]> {
  if (lanesOf(run) === 1 || isEnded(run.status) || waitsForPerson(run)) return [];
  const lanes = await table.query(runKey(run.id), { prefix: "LANE#" });
  // One that has stopped goes on when the run is resumed.
  const working = lanes.filter(({ status }) => !isEnded(status as Run["status"]));
  const others = working.map(({ lane, pc }) => ({ lane: Number(lane), instruction: Number(pc), ahead: true }));
  const own = { lane: 1, instruction: run.pc, ahead: false };
  const busy = [own, ...others].filter(({ instruction }) => instruction > 0 && instruction <= run.instructions);
  return Promise.all(busy.map((each) => describe(table, run.id, each)));
}

async function describe(
  table: Table,
  runId: string,
  { lane, instruction, ahead }: { lane: number; instruction: number; ahead: boolean },
): Promise<BusyLane> {
  const prefix = (ahead ? aheadPrefix : turnsPrefix)(instruction);
  const [item, items] = await Promise.all([
    table.get(instructionKey(runId, instruction)),
    table.query(runKey(runId), { prefix }),
  ]);
  const turns = items.map((each) => parseItem(Turn, each));
  const { title = "", startedAt: since, ahead: step } = item ? parseItem(Instruction, item) : {};
  const isOfLane = !ahead && (step?.state === "taken" || step?.state === "finished");
  return {
    lane,
    instruction,
    title,
    turns: turns.filter(({ state }) => state === "committed").length,
    microUsd: turns.reduce((sum, each) => sum + each.microUsd, 0),
    ...defined({ since, from: isOfLane ? step.lane : undefined }),
  };
}
