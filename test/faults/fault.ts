/** What can go wrong with a run, and how much it may cost. Drawn by chance, printed where it breaks something. */
import type { Chance } from "./chance.ts";

/** Before a call of table or file store takes effect, or after it did, its answer being lost. */
export type When = "before" | "after";

export type Trouble =
  | "rate_limited"
  | "rate_limited_for_hours"
  | "rate_limited_for_a_day"
  | "unavailable"
  | "broken_answer"
  | "timed_out"
  | "context_exceeded"
  | "prose"
  | "cut"
  | "unknown_tool"
  | "mistyped"
  | "outside";

/** `call` counts the calls of table and file store in a history, `invocation` those of handlers. */
export type Fault =
  | { kind: "kill"; call: number; when: When }
  /** The process stands still, is taken for dead, and goes on later. */
  | { kind: "freeze"; call: number; minutes: number }
  | { kind: "fail"; call: number; when: When }
  | { kind: "throttle"; call: number; calls: number }
  /** Another attempt claims the run, or the lane that makes the call, and is never heard of again. */
  | { kind: "expire"; call: number }
  | { kind: "cancel"; call: number }
  /** The invocations of the first lane, from this one on, freeze at these of their own calls, and are given up meanwhile. */
  | { kind: "stall"; invocation: number; attempts: Stall[] }
  | { kind: "duplicate"; invocation: number; seconds: number }
  | { kind: "delay"; invocation: number; seconds: number }
  | { kind: "stop"; invocation: number }
  /** Of the executions that are started. */
  | { kind: "start"; start: number; when: When }
  | { kind: "model"; ask: number; trouble: Trouble }
  | { kind: "evaluator"; evaluation: number; trouble: "not_ready" | "crashed" };

export interface Stall {
  call: number;
  minutes: number;
}

/** How often each thing happens in an undisturbed history. */
export interface Extent {
  calls: number;
  asked: number;
  invocations: number;
  evaluations: number;
}

const TROUBLES = [
  "rate_limited",
  "rate_limited_for_hours",
  "unavailable",
  "broken_answer",
  "timed_out",
  "context_exceeded",
  "prose",
  "cut",
  "unknown_tool",
  "mistyped",
  "outside",
] as const satisfies Trouble[];

/** Faults come late too: what follows a fault makes a history longer. */
const BEYOND = 1.2;

export function drawFault(chance: Chance, extent: Extent): Fault {
  const within = (count: number): number => chance.between(1, Math.ceil(count * BEYOND));
  const call = within(extent.calls);
  const invocation = within(extent.invocations);
  const when = chance.one<When>(["before", "after"]);
  const draw = chance.one<() => Fault>([
    () => ({ kind: "kill", call, when }),
    () => ({ kind: "kill", call, when }),
    () => ({ kind: "freeze", call, minutes: chance.between(1, 90) }),
    () => ({ kind: "freeze", call, minutes: chance.between(14, 40) }),
    () => ({ kind: "fail", call, when }),
    () => ({ kind: "throttle", call, calls: chance.between(2, 6) }),
    () => ({ kind: "expire", call }),
    () => ({ kind: "cancel", call }),
    () => ({ kind: "duplicate", invocation, seconds: chance.one([0, 0, 1, 20, 1_200]) }),
    () => ({ kind: "delay", invocation, seconds: chance.one([5, 300, 900, 2_400]) }),
    () => ({ kind: "stop", invocation }),
    () => ({ kind: "start", start: chance.between(1, 3), when }),
    () => ({ kind: "model", ask: within(extent.asked), trouble: chance.one(TROUBLES) }),
    () => ({ kind: "model", ask: within(extent.asked), trouble: chance.one(TROUBLES) }),
    () => ({
      kind: "evaluator",
      evaluation: within(extent.evaluations),
      trouble: chance.one(["not_ready", "crashed"] as const),
    }),
  ]);
  return draw();
}

/** A conversation that is begun again says again what was said in it. */
const TURNS_OF_A_CONVERSATION = 4;

/** A write that failed hides the one before it, which is then made once more. */
const WRITTEN_AGAIN = new Set<Trouble>(["cut", "mistyped", "outside"]);

/** The most calls of the model that a fault may cost. */
export function costOf(fault: Fault): number {
  if (fault.kind === "throttle") return fault.calls;
  if (fault.kind === "stall") return fault.attempts.length;
  if (fault.kind !== "model") return 1;
  if (fault.trouble === "context_exceeded") return TURNS_OF_A_CONVERSATION + 1;
  return WRITTEN_AGAIN.has(fault.trouble) ? 2 : 1;
}
