/** Tests that ran out of time are executed once more with twice the time: the clock is not the fault of the code. */
import { INVOCATION_MS, INVOCATION_RESERVE_MS, LONGEST_EVALUATION_MS } from "../../core/limits.ts";
import type { EvaluationRequest, Evaluator } from "../../core/ports.ts";
import { isOutOfTime, type Verdict } from "../../core/verdict/verdict.ts";
import type { Invocation } from "../world.ts";

/** Undefined: this invocation has no time left for that, and the next one has. */
export async function evaluateAgain(
  evaluator: Evaluator,
  request: EvaluationRequest,
  { remainingMs, signal }: Invocation,
): Promise<Verdict | undefined> {
  const { timeoutMs } = request;
  const verdict = await evaluator.evaluate(request, signal);
  if (!isOutOfTime(verdict.tests) || evaluator.isRecorded) return verdict;
  const longerMs = Math.min(2 * timeoutMs, LONGEST_EVALUATION_MS, remainingMs() - INVOCATION_RESERVE_MS);
  if (longerMs > timeoutMs) return evaluator.evaluate({ ...request, timeoutMs: longerMs }, signal);
  return fitsTwice(timeoutMs) ? undefined : verdict;
}

const fitsTwice = (timeoutMs: number): boolean => 2 * timeoutMs < INVOCATION_MS - INVOCATION_RESERVE_MS;
