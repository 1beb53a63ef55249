/** What was decided and found out when a run was computed: a replay of it takes the same. */
import type { MemoSteps } from "../core/make/recalled-call.ts";
import type { CheckResult } from "../core/program/language/condition-text.ts";
import type { OnStuck } from "../core/run/options.ts";
import type { TurnAddress } from "../core/turn/turn-address.ts";

/** An instruction that a lane executed: so many turns, and why it gave up, if it did. */
export interface RecordedAhead {
  instruction: number;
  lane: number;
  turns: number;
  why?: string;
}

/** Why the step was not taken over, where the gate was not asked; or its files as they were laid, merged ones among them. */
export type RecordedTaking = { why: string } | { laid: (path: string) => Promise<Uint8Array | undefined> };

export interface RecordedMemo {
  steps: MemoSteps;
  blob: (sha256: string) => Promise<Uint8Array>;
}

export interface Recorded {
  /** What was found out for a condition of the program. Undefined: nothing more. */
  checkedAt: (at: { instruction: number; place: string }) => CheckResult | undefined;
  /** Whether the replay comes to the step of another run that may take an instruction's place: false where another program follows. */
  takesOverAt: (instruction: number) => boolean;
  /** What was decided about the step that may take an instruction's place. Undefined: the gate did. */
  takingAt: (instruction: number) => Promise<RecordedTaking | undefined>;
  /** What an earlier version took over of a call. Undefined: nothing. */
  memoAt: (instruction: number) => Promise<RecordedMemo | undefined>;
  /** What lanes executed on the pack of this number: it is done where that pack is the latest. */
  aheadAt: (base: number) => RecordedAhead[];
  /** What was chosen for an instruction that is stuck after this turn. */
  onStuckAt: (at: TurnAddress) => OnStuck;
}
