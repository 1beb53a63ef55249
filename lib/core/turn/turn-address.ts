/** The address of a turn: `3.2` is the second turn of instruction 3, and `3.2@4` that of lane 4. Pure. */
import * as z from "zod";
import { LANES } from "../limits.ts";

export interface TurnAddress {
  instruction: number;
  turn: number;
  /** That took it ahead of the run. Absent: the run itself. */
  lane?: number | undefined;
}

export const turnAddress = ({ instruction, turn, lane }: TurnAddress): string =>
  lane === undefined ? `${instruction}.${turn}` : `${instruction}.${turn}@${lane}`;

/** As many lanes as a run can have. */
const ADDRESS = /^(\d{1,6})\.(\d{1,4})(?:@(1[0-6]|[1-9]))?$/;

export function readTurnAddress(text: string): TurnAddress | undefined {
  const [, instruction, turn, lane] = ADDRESS.exec(text) ?? [];
  if (instruction === undefined) return undefined;
  return { instruction: Number(instruction), turn: Number(turn), ...laneOf(Number(lane ?? 1)) };
}

/** Lane 1 is the run itself, and no part of an address. */
export const laneOf = (lane: number): { lane?: number } => (lane === 1 ? {} : { lane });

export const TurnPosition = z
  .string()
  .regex(ADDRESS, `It is an instruction and a turn, such as 3.2, or 3.2@4 for a turn of lane 4 of ${LANES} at most.`);

export const isSameTurn = (one: TurnAddress, other: TurnAddress): boolean => turnAddress(one) === turnAddress(other);

/** Attempts of lanes are numbered apart: they name what an attempt stores. */
const ATTEMPTS_OF_LANE = 1_000_000;
export const firstAttemptOf = (lane: number): number => lane * ATTEMPTS_OF_LANE;

/** The lane of an attempt. Undefined: the run itself. */
export function laneOfAttempt(attempt: number): number | undefined {
  const lane = Math.floor(attempt / ATTEMPTS_OF_LANE);
  return lane > 0 ? lane : undefined;
}
