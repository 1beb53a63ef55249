/** Explains when a missing file exists in the history of a run. Pure. */
import type { TurnRecord } from "../../core/turn/turn.ts";

export interface Missing {
  path: string;
  /** The instruction that did not leave it. */
  at: number;
  /** The last one whose files can be had. */
  packed: number;
}

/** Follows `… has no file <path>`. Undefined: no turn changed the file. */
export function whenThere(
  turns: readonly Pick<TurnRecord, "instruction" | "changes">[],
  { path, at, packed }: Missing,
): string | undefined {
  const changes = turns.flatMap(({ instruction, changes }) =>
    changes.filter((change) => change.path === path).map(({ sha256 }) => ({ instruction, deleted: sha256 === null })),
  );
  const deletion = changes.findLast(({ instruction }) => instruction <= at);
  const later = changes
    .filter(({ instruction }) => instruction > at && instruction <= packed)
    .find(({ instruction, deleted }, index, all) => !deleted && all[index + 1]?.instruction !== instruction);
  const from = later ? `; it is there ${deletion ? "again " : ""}from instruction ${later.instruction} on` : "";
  if (deletion) return ` at instruction ${at}: instruction ${deletion.instruction} deleted it${from}.`;
  return later && ` at instruction ${at} yet${from}.`;
}
