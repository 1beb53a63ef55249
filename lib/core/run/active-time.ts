/** How long a run has been computed. Pure. */
import { INVOCATION_MS } from "../limits.ts";
import type { Instruction } from "../program/program.ts";
import type { Run } from "./run.ts";

/**
 * Counted at every commit. Nothing is computed for longer than an invocation without one: what goes beyond is a computer
 * that slept, or a clock that was set.
 */
export const activeMsAt = ({ activeMs, markedAt }: Pick<Run, "activeMs" | "markedAt">, now: number): number =>
  activeMs + Math.min(INVOCATION_MS, Math.max(0, Math.round(now - (markedAt ?? now))));

type Started = Pick<Instruction, "startedAt" | "activeMsAtStart">;

/** How long an instruction has been computed: without the time between a stop of the run and its resumption. */
export function instructionMsAt(
  { startedAt, activeMsAtStart }: Started,
  run: Pick<Run, "activeMs" | "markedAt">,
  now: number,
): number {
  if (activeMsAtStart !== undefined) return Math.max(0, activeMsAt(run, now) - activeMsAtStart);
  return startedAt === undefined ? 0 : Math.max(0, Math.round(now - Date.parse(startedAt)));
}
