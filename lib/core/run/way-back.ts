/** How far a run can go back: to each instruction before which its files were packed. Pure. */
import type { Run } from "./run.ts";

/** The last of them; below 1 there is none. */
export const lastWayBack = ({ instructions, packed }: Pick<Run, "instructions" | "packed">): number =>
  Math.min(instructions, packed + 1);
