/** What to do after a model call failed: try again shortly, leave the computer and come back, or give up. Pure. */
import type { ModelErrorKind } from "../errors.ts";
import { LONGEST_WAIT_MS, SHORT_WAIT_MS } from "../limits.ts";
import type { Run } from "../run/run.ts";

export type AfterFailure =
  | { do: "retry"; afterMs: number }
  | { do: "wait"; seconds: number }
  /** `tooLongMs`: what the server asks to wait, where that is why. */
  | { do: "give_up"; tooLongMs?: number };

type Counted = Pick<Run, "failures" | "failed">;

/** How often this call has failed in this way, this time included: kinds have different patience. */
export const triesOf = ({ failures, failed = {} }: Counted, kind: ModelErrorKind): number =>
  (failures === 0 ? 0 : (failed[kind] ?? 0)) + 1;

/** Counts of before the last answer are not kept. */
export const countFailure = (run: Counted, kind: ModelErrorKind): Required<Counted> => ({
  failures: run.failures + 1,
  failed: { ...(run.failures === 0 ? {} : run.failed), [kind]: triesOf(run, kind) },
});

export interface Failure {
  kind: ModelErrorKind;
  /** Whether another model of the run's list is asked where this one is given up. */
  hasNext?: boolean;
  /** What the server asked for. */
  retryAfterMs?: number | undefined;
  /** How often this call has failed in this way, this time included. */
  tries: number;
  /** In [0, 1). */
  random: number;
}

interface Patience {
  tries: number;
  firstMs: number;
  mostMs: number;
}

/** Kinds that are not here will fail again, or are decided by the machine itself. */
const PATIENCE: Partial<Record<ModelErrorKind, Patience>> = {
  // A limit on tokens a minute is shared by all runs of an account, and many runs reach it for hours. 150 tries last six
  // hours on average, as long as the evaluator is waited for.
  rate_limited: { tries: 150, firstMs: 4_000, mostMs: 300_000 },
  unavailable: { tries: 6, firstMs: 2_000, mostMs: 60_000 },
  unreachable: { tries: 3, firstMs: 500, mostMs: 2_000 },
  // Each may have been paid for.
  broken_answer: { tries: 3, firstMs: 1_000, mostMs: 4_000 },
};

/** About four minutes: the next model of the list may answer now. */
const RATE_LIMITED_BEFORE_NEXT = 8;

const triesFor = ({ kind, hasNext }: Failure, { tries }: Patience): number =>
  kind === "rate_limited" && hasNext ? RATE_LIMITED_BEFORE_NEXT : tries;

/** Jitter added to what a server asks for, so that its callers do not all come back at once. */
const SPREAD = 0.1;
const MOST_SPREAD_MS = 300_000;

export function afterFailure(failure: Failure): AfterFailure {
  const { kind, retryAfterMs, tries, random } = failure;
  const patience = PATIENCE[kind];
  if (!patience || tries >= triesFor(failure, patience)) return { do: "give_up" };
  if (retryAfterMs !== undefined && retryAfterMs > LONGEST_WAIT_MS) return { do: "give_up", tooLongMs: retryAfterMs };
  const delayMs = Math.max(backOff(patience, tries, random), asked(retryAfterMs, random));
  if (delayMs <= SHORT_WAIT_MS) return { do: "retry", afterMs: Math.ceil(delayMs) };
  return { do: "wait", seconds: Math.ceil(delayMs / 1_000) };
}

/** Full jitter: anything up to the doubled delay. */
const backOff = ({ firstMs, mostMs }: Patience, tries: number, random: number): number =>
  random * Math.min(mostMs, firstMs * 2 ** (tries - 1));

const asked = (retryAfterMs: number | undefined, random: number): number =>
  retryAfterMs !== undefined && retryAfterMs > 0
    ? retryAfterMs + random * Math.min(MOST_SPREAD_MS, SPREAD * retryAfterMs)
    : 0;
