/** A run as it is shown: without what only the machine needs to find it again. */
import type { Run } from "./run.ts";

export const INNER_FIELDS = {
  activeShard: true,
  dueAt: true,
  reservedShard: true,
  lease: true,
  atRisk: true,
  writtenOff: true,
  toJudge: true,
  toExamine: true,
  inheriting: true,
  replacement: true,
  submittedBy: true,
  nearCeilings: true,
  memo: true,
  deleting: true,
} as const satisfies Partial<Record<keyof Run, true>>;

export type ShownRun = Omit<Run, keyof typeof INNER_FIELDS>;

export const shownRun = <Known extends Run>(run: Known): Omit<Known, keyof Run> & ShownRun =>
  Object.fromEntries(Object.entries(run).filter(([name]) => !(name in INNER_FIELDS))) as Omit<Known, keyof Run> &
    ShownRun;
