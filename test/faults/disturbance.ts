/** Strikes the calls, invocations and starts that the faults of a history name; each fault strikes once. */
import type { Fault, Stall } from "./fault.ts";

type Of<Kind extends Fault["kind"]> = Extract<Fault, { kind: Kind }>;
export type Strike = Of<"kill" | "freeze" | "fail" | "expire" | "cancel"> | { kind: "throttled" };

export interface Disturbance {
  /** For the next call of table or file store: what happens to it. Several may name the same call. */
  nextCall(): Strike[];
  nextInvocation(): Of<"duplicate" | "delay" | "stop">[];
  /** For the next invocation of the first lane. */
  nextStall(): Stall | undefined;
  nextStart(): Of<"start"> | undefined;
  nextEvaluation(): Of<"evaluator"> | undefined;
  calls(): number;
  /** Calls that something happened to. */
  struck(): number;
  invocations(): number;
  stalled(): number;
  evaluations(): number;
}

export function createDisturbance(faults: Fault[]): Disturbance {
  let calls = 0;
  let invocations = 0;
  let struck = 0;
  let ofFirst = 0;
  let stalled = 0;
  let starts = 0;
  let evaluations = 0;
  return {
    calls: () => calls,
    struck: () => struck,
    invocations: () => invocations,
    stalled: () => stalled,
    evaluations: () => evaluations,
    nextCall() {
      calls += 1;
      const strikes = faults.flatMap((fault): Strike[] => {
        if (fault.kind === "throttle") {
          return calls >= fault.call && calls < fault.call + fault.calls ? [{ kind: "throttled" }] : [];
        }
        return isOfCall(fault) && fault.call === calls ? [fault] : [];
      });
      if (strikes.length > 0) struck += 1;
      return strikes;
    },
    nextInvocation() {
      invocations += 1;
      return faults.filter(isOfInvocation).filter(({ invocation }) => invocation === invocations);
    },
    nextStall() {
      ofFirst += 1;
      const stalls = faults.filter((fault): fault is Of<"stall"> => fault.kind === "stall");
      const stall = stalls.map(({ invocation, attempts }) => attempts[ofFirst - invocation]).find(Boolean);
      if (stall) stalled += 1;
      return stall;
    },
    nextStart() {
      starts += 1;
      return faults.find((fault): fault is Of<"start"> => fault.kind === "start" && fault.start === starts);
    },
    nextEvaluation() {
      evaluations += 1;
      return faults.find(
        (fault): fault is Of<"evaluator"> => fault.kind === "evaluator" && fault.evaluation === evaluations,
      );
    },
  };
}

const isOfCall = (fault: Fault): fault is Of<"kill" | "freeze" | "fail" | "expire" | "cancel"> =>
  ["kill", "freeze", "fail", "expire", "cancel"].includes(fault.kind);
const isOfInvocation = (fault: Fault): fault is Of<"duplicate" | "delay" | "stop"> =>
  ["duplicate", "delay", "stop"].includes(fault.kind);
