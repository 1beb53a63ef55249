/** How long a run has been computed. Pure. */
import { INVOCATION_MS } from "../limits.ts";
import type { Run } from "./run.ts";

/**
 * Counted at every commit. Nothing is computed for longer than an invocation without one: what goes beyond is a computer
 * that slept, or a clock that was set.
 */
export const activeMsAt = ({ activeMs, markedAt }: Pick<Run, "activeMs" | "markedAt">, now: number): number =>
  activeMs + Math.min(INVOCATION_MS, Math.max(0, Math.round(now - (markedAt ?? now))));
