/** What lanes do of an instruction before the run comes to it. Pure. */
import type { RunStatusView } from "../../lib/api/answers.ts";
import type { LaneStep } from "../../lib/core/program/ahead.ts";
import { aheadWords, doingWords } from "../../lib/core/run/lanes/busy-lane.ts";
import type { InstructionStatus } from "./instruction-status.ts";

export interface LaneStatus extends Partial<InstructionStatus> {
  words: string;
}

/** Undefined: nothing, or the run has several lanes and this one is its own. */
export function laneStatusOf(
  { number, ahead }: { number: number; ahead?: LaneStep | undefined },
  { lanes = [] }: Pick<RunStatusView, "lanes">,
  now: number,
): LaneStatus | undefined {
  const busy = lanes.find(({ instruction }) => instruction === number);
  if (busy) {
    const lane = `lane ${busy.lane}`;
    // What the run itself does of it, the history has.
    const isOwn = busy.lane === 1 && busy.from === undefined;
    return { label: `running in ${lane}`, sign: "▶", words: isOwn ? lane : `${lane} · ${doingWords(busy, now)}` };
  }
  const words = aheadWords({ ahead });
  if (words === undefined) return undefined;
  return ahead?.state === "finished" ? { label: "finished", sign: "◐", words } : { words };
}
