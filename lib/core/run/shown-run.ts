/** A run as it is shown: without what only the machine needs to find it again. */
import type { Run } from "./run.ts";

type Inner =
  | "activeShard"
  | "dueAt"
  | "reservedShard"
  | "lease"
  | "atRisk"
  | "writtenOff"
  | "toJudge"
  | "toExamine"
  | "inheriting"
  | "replacement"
  | "submittedBy"
  | "nearCeilings"
  | "memo"
  | "deleting";

export type ShownRun = Omit<Run, Inner>;

export function shownRun<Known extends Run>(run: Known): Omit<Known, keyof Run> & ShownRun {
  const {
    activeShard: _activeShard,
    dueAt: _dueAt,
    reservedShard: _reservedShard,
    lease: _lease,
    atRisk: _atRisk,
    writtenOff: _writtenOff,
    toJudge: _toJudge,
    toExamine: _toExamine,
    inheriting: _inheriting,
    replacement: _replacement,
    submittedBy: _submittedBy,
    nearCeilings: _nearCeilings,
    memo: _memo,
    deleting: _deleting,
    ...shown
  } = run;
  return shown as Omit<Known, keyof Run> & ShownRun;
}
