/** One line of a check: what was checked, its state, the result, and what to do about it. Pure. */
import type { Remedy } from "../core/errors.ts";

export interface Finding {
  what: string;
  state: "ok" | "note" | "missing";
  says: string;
  /** What to do about it. */
  next?: Remedy[];
}

export const isReady = (findings: readonly Finding[]): boolean => findings.every(({ state }) => state !== "missing");
