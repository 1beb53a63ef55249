/** One instruction as far as events show it. Pure. */
import type { Event } from "../event.ts";
import type { InstructionState } from "../history.ts";
import type { LaneEvent } from "../lanes/lane-events.ts";

/** What an instruction is doing now. */
export type Activity =
  | { kind: "asking_model" }
  | { kind: "turn"; tools: Extract<Event, { type: "turn" }>["tools"]; outcome: string }
  | { kind: "repairing"; why: string }
  | { kind: "retrying"; why: string; tries: number }
  /** In a lane: it joins when the run comes to it. */
  | { kind: "finished" }
  | { kind: "halted"; why: string };

export interface InstructionProgress {
  number: number;
  title: string;
  state: InstructionState;
  /** The lane that executes it, or did. */
  lane?: number;
  /** Why what a lane did could not join. */
  dropped?: string;
  turns: number;
  activity?: Activity;
  /** Files written and read. */
  written: number;
  read: number;
  /** How many more tests passed after it than before. */
  newTests: number;
  tests?: { passed: number; total: number };
  /** How often what the checks found was repaired, and how often the gate did not accept. */
  repaired: number;
  refused: number;
  isFailing: boolean;
  microUsd: number;
  startedAt?: number;
  milliseconds: number;
}

export const newInstruction = (number: number, title: string): InstructionProgress => ({
  number,
  title,
  state: "pending",
  turns: 0,
  written: 0,
  read: 0,
  newTests: 0,
  microUsd: 0,
  milliseconds: 0,
  repaired: 0,
  refused: 0,
  isFailing: false,
});

/** What a lane could not join stays in the row of its instruction, which is executed again. */
export function applyLane(own: InstructionProgress, event: LaneEvent): void {
  if (event.type === "finished") own.activity = { kind: "finished" };
  if (event.type === "halted") own.activity = { kind: "halted", why: event.why };
  if (event.type !== "dropped") return;
  own.state = "pending";
  own.dropped = event.why;
  delete own.activity;
  delete own.lane;
}
