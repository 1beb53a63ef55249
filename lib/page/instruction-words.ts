/** How an instruction stands at the place that is looked at, in a word or two and a sign. Pure. */
import type { Run } from "../core/run/run.ts";
import { isWorking } from "./head-words.ts";
import type { InstructionState, InstructionThen } from "./timeline.ts";
import { clock } from "./words.ts";

/** Where it is looked at from: only at the latest turn is what was begun still going on. */
export interface Looking {
  run: Pick<Run, "status" | "waitUntil" | "pc">;
  isLatest: boolean;
  now: number;
}

export interface Standing {
  says: string;
  sign: string;
}

type Looked = Pick<InstructionThen, "number" | "state">;

export function standingAt({ number, state }: Looked, { run, isLatest, now }: Looking): Standing {
  // A program that waits for a person has begun nowhere.
  const isUnderWay = run.status === "running" || (run.status === "waiting" && run.waitUntil !== undefined);
  const isNext = state === "to come" && run.pc === number && isUnderWay;
  return isLatest && (state === "begun" || isNext) ? presentOf(run, now) : THEN[state];
}

const THEN: Record<InstructionState, Standing> = {
  "to come": { says: "to come", sign: "○" },
  begun: { says: "begun", sign: "◐" },
  done: { says: "accepted", sign: "✔" },
  stuck: { says: "stuck", sign: "✖" },
  skipped: { says: "skipped", sign: "↷" },
};

function presentOf(run: Looking["run"], now: number): Standing {
  if (isWorking(run)) return { says: "running", sign: "▶" };
  if (run.status !== "waiting") return { says: "stopped here", sign: "■" };
  const until = run.waitUntil === undefined ? "" : ` until ${clock(Date.parse(run.waitUntil), now)}`;
  return { says: `waiting${until}`, sign: "‖" };
}
