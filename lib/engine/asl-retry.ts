/** Which retrier and which catcher answer an error, and how long a retry waits. */
import { type Failure, isTerminal } from "./asl-outcome.ts";
import type { Catcher, Retrier } from "./asl-schema.ts";

/** Counts the attempts of one visit to a state. Answers the delay before the next one, or undefined: no more. */
export function createRetries(retriers: Retrier[], random: () => number): (failure: Failure) => number | undefined {
  const spent = new Map<Retrier, number>();
  return (failure) => {
    const retrier = retriers.find(({ ErrorEquals }) => isNamed(failure, ErrorEquals));
    const before = retrier ? (spent.get(retrier) ?? 0) : 0;
    if (!retrier || before >= retrier.MaxAttempts) return undefined;
    spent.set(retrier, before + 1);
    return delayMs(retrier, before, random);
  };
}

export const catcherOf = (catchers: Catcher[], failure: Failure): Catcher | undefined =>
  catchers.find(({ ErrorEquals }) => isNamed(failure, ErrorEquals));

function isNamed(failure: Failure, names: string[]): boolean {
  if (isTerminal(failure)) return false;
  const isTaskFailure = failure.error !== "States.Timeout";
  return (
    names.includes(failure.error) ||
    names.includes("States.ALL") ||
    (isTaskFailure && names.includes("States.TaskFailed"))
  );
}

function delayMs(retrier: Retrier, retriesBefore: number, random: () => number): number {
  const grown = retrier.IntervalSeconds * retrier.BackoffRate ** retriesBefore;
  const seconds = Math.min(grown, retrier.MaxDelaySeconds ?? grown);
  return Math.round(1000 * (retrier.JitterStrategy === "FULL" ? random() * seconds : seconds));
}
