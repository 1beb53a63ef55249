/** All turns of a run, those of lanes among them: by instruction, and of each first what a lane did ahead of the run. */
import type { Item, Table } from "../../core/ports.ts";
import { Instruction } from "../../core/program/program.ts";
import { lanesOf, type Run } from "../../core/run/run.ts";
import { type StepTurn, Turn } from "../../core/turn/turn.ts";
import { laneOfAttempt, type TurnAddress } from "../../core/turn/turn-address.ts";
import { aheadKey, aheadPrefix, instructionKey, runKey, turnKey, turnsPrefix } from "../keys.ts";
import { parseItem } from "../parse-item.ts";

export interface TurnRange {
  after?: TurnAddress | undefined;
  limit: number;
}

/** A fork has one lane, and inherits what those of the other run did. */
const hasLanes = (run: Pick<Run, "options" | "forkedFrom">): boolean =>
  lanesOf(run) > 1 || run.forkedFrom !== undefined;

export async function stepTurnsAfter(table: Table, run: Run, { after, limit }: TurnRange): Promise<StepTurn[]> {
  const pk = runKey(run.id);
  const [own, ahead] = await Promise.all([
    table.query(pk, { prefix: "TURN#", limit, ...startOf(ownAfter(run.id, after)) }),
    hasLanes(run) ? table.query(pk, { prefix: "AHEAD#", limit, ...startOf(aheadAfter(run.id, after)) }) : [],
  ]);
  return merged(table, run.id, { own, ahead, limit });
}

export async function stepTurns(table: Table, run: Run, instruction: number): Promise<StepTurn[]> {
  const pk = runKey(run.id);
  const [own, ahead] = await Promise.all([
    table.query(pk, { prefix: turnsPrefix(instruction) }),
    hasLanes(run) ? table.query(pk, { prefix: aheadPrefix(instruction) }) : [],
  ]);
  return merged(table, run.id, { own, ahead });
}

const startOf = (after: string | undefined) => (after === undefined ? {} : { after });

const ownAfter = (runId: string, after: TurnAddress | undefined): string | undefined =>
  after && (after.lane === undefined ? turnKey(runId, after).sk : turnsPrefix(after.instruction));

/** Those of the same instruction come before the run's own. */
const aheadAfter = (runId: string, after: TurnAddress | undefined): string | undefined =>
  after && (after.lane === undefined ? aheadPrefix(after.instruction + 1) : aheadKey(runId, after).sk);

interface Found {
  own: Item[];
  ahead: Item[];
  limit?: number;
}

async function merged(table: Table, runId: string, { own, ahead, limit }: Found): Promise<StepTurn[]> {
  const turns: StepTurn[] = [...ahead.map(ofLane), ...own.map((item) => parseItem(Turn, item))];
  // The sort is stable: what lanes did comes first.
  const page = turns.toSorted((one, other) => one.instruction - other.instruction).slice(0, limit);
  const states = await statesOf(table, runId, page);
  return page.map((turn) =>
    turn.lane === undefined ? turn : { ...turn, ahead: states.get(turn.instruction) ?? "dropped" },
  );
}

function ofLane(item: Item): StepTurn {
  const turn = parseItem(Turn, item);
  return { ...turn, lane: laneOfAttempt(turn.attempt) ?? 0 };
}

/** What became of the work of lanes. Missing: the instruction was replaced by others. */
async function statesOf(table: Table, runId: string, page: StepTurn[]) {
  const numbers = page.flatMap(({ lane, instruction }) => (lane === undefined ? [] : [instruction]));
  const [first, last] = [numbers[0], numbers.at(-1)];
  if (first === undefined || last === undefined) return new Map<number, StepTurn["ahead"]>();
  const range = { after: instructionKey(runId, first - 1).sk, limit: last - first + 1 };
  const items = await table.query(runKey(runId), { prefix: "INSTR#", ...range });
  return new Map(
    items.map((item) => {
      const { number, ahead } = parseItem(Instruction, item);
      return [number, ahead?.state];
    }),
  );
}
