/** Loops: the same (files' state, tool calls) three times. Each detection calls for a stronger measure. Pure. */
import { LOOP_REPEATS } from "../limits.ts";

export type Measure = "raise temperature" | "fresh conversation" | "stuck";
const MEASURES: Measure[] = ["raise temperature", "fresh conversation", "stuck"];

export interface Loops {
  detected: number;
  /** Set when the last turn completed a loop. */
  measure?: Measure;
}

export function loopsOf(signatures: (string | undefined)[]): Loops {
  let detected = 0;
  let measure: Measure | undefined;
  const seen = new Map<string, number>();
  for (const signature of signatures) {
    measure = undefined;
    if (signature === undefined) continue;
    const count = (seen.get(signature) ?? 0) + 1;
    seen.set(signature, count);
    if (count < LOOP_REPEATS) continue;
    measure = MEASURES[Math.min(detected, MEASURES.length - 1)];
    detected += 1;
    seen.clear();
  }
  return measure ? { detected, measure } : { detected };
}
