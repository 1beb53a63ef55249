/** The status of an instruction after the chosen turn, as a label and a sign. Pure. */
import type { InstructionSnapshot, InstructionState } from "../../lib/core/run/history.ts";
import type { Run } from "../../lib/core/run/run.ts";
import { isWorking } from "./run-summary.ts";
import { clock } from "./words.ts";

/** A started instruction is running only at the latest turn. */
export interface View {
  run: Pick<Run, "status" | "reason" | "waitUntil" | "pc">;
  isLatest: boolean;
  now: number;
}

export interface InstructionStatus {
  label: string;
  sign: string;
}

export function statusAt(
  { number, state }: Pick<InstructionSnapshot, "number" | "state">,
  { run, isLatest, now }: View,
): InstructionStatus {
  // A program that waits for approval has not started.
  const isUnderWay =
    run.status === "running" || (run.status === "waiting" && (run.waitUntil !== undefined || run.reason === "answer"));
  const isNext = state === "pending" && run.pc === number && isUnderWay;
  return isLatest && (state === "started" || isNext) ? currentStatus(run, now) : SETTLED[state];
}

const SETTLED: Record<InstructionState, InstructionStatus> = {
  pending: { label: "pending", sign: "○" },
  started: { label: "started", sign: "◐" },
  accepted: { label: "accepted", sign: "✔" },
  unchecked: { label: "accepted unchecked", sign: "~" },
  stuck: { label: "stuck", sign: "✖" },
  skipped: { label: "skipped", sign: "↷" },
};

function currentStatus(run: View["run"], now: number): InstructionStatus {
  if (isWorking(run)) return { label: "running", sign: "▶" };
  if (run.status !== "waiting") return { label: "stopped here", sign: "■" };
  if (run.reason === "answer") return { label: "waiting for your answer", sign: "?" };
  const until = run.waitUntil === undefined ? "" : ` until ${clock(Date.parse(run.waitUntil), now)}`;
  return { label: `waiting${until}`, sign: "‖" };
}
