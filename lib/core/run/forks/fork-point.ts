/** Where a run is forked: after an accepted instruction (`3`), or after a turn of an open one (`3.2`). Pure. */
import * as z from "zod";

export interface ForkPoint {
  instruction: number;
  /** Absent: the instruction is done. */
  turn?: number;
}

const PATTERN = /^[1-9]\d{0,5}(?:\.[1-9]\d{0,3})?$/;

export const ForkAt = z
  .string()
  .regex(PATTERN, "It is an instruction, such as 3, or a turn of one, such as 3.2; both are counted from 1.");

/** On the record of a run that was forked. */
export const ForkOrigin = z.object({ run: z.string(), at: z.string() });
export type ForkOrigin = z.infer<typeof ForkOrigin>;

/** Undefined: it is none. */
export function readForkPoint(at: string): ForkPoint | undefined {
  if (!PATTERN.test(at)) return undefined;
  const [instruction = 0, turn] = at.split(".").map(Number);
  return turn === undefined ? { instruction } : { instruction, turn };
}

export const forkPointText = ({ instruction, turn }: ForkPoint): string =>
  turn === undefined ? String(instruction) : `${instruction}.${turn}`;

/** Accepted and packed instructions, after each of which a run can be forked. Below 1 there is none. */
export const lastForkPoint = ({ instructions, packed }: { instructions: number; packed: number }): number =>
  instructions === 0 ? 0 : packed;

/** Whether one lies before the other in a run's history; an instruction that is done lies after all its turns. */
export const isEarlier = (one: ForkPoint, other: ForkPoint): boolean =>
  one.instruction < other.instruction ||
  (one.instruction === other.instruction &&
    (one.turn ?? Number.POSITIVE_INFINITY) < (other.turn ?? Number.POSITIVE_INFINITY));
