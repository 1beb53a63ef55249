/** Why DynamoDB cancelled a transaction: a failed condition is an answer, a conflict can be retried, anything else is an error. */
import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { nameOf, passes } from "./failures.ts";

/** The writes whose conditions failed, by index. */
export const refusedIn = (error: unknown): number[] =>
  reasonsOf(error).flatMap(({ code }, index) => (code === "ConditionalCheckFailed" ? [index] : []));

/** Whether the same transaction, with the same token, may succeed shortly. */
export function transactionPasses(error: unknown): boolean {
  // An earlier attempt of ours is still in progress.
  if (nameOf(error) === "TransactionInProgressException") return true;
  if (!(error instanceof TransactionCanceledException)) return passes(error);
  const reasons = reasonsOf(error).filter(({ code }) => code !== "None");
  return reasons.length > 0 && reasons.every(({ code }) => PASSING.has(code));
}

/** DynamoDB's own message for a cancelled transaction names codes only. */
export function describeCancelled(error: unknown): unknown {
  const reasons = reasonsOf(error).flatMap(({ code, message }, index) =>
    code === "None" ? [] : [`write ${index}: ${message || code}`],
  );
  return reasons.length > 0
    ? new Error(`DynamoDB refused the transaction: ${reasons.join("; ")}.`, { cause: error })
    : error;
}

const PASSING = new Set([
  "TransactionConflict",
  "ThrottlingError",
  "ProvisionedThroughputExceeded",
  "RequestLimitExceeded",
]);

const reasonsOf = (error: unknown): { code: string; message: string }[] =>
  error instanceof TransactionCanceledException
    ? (error.CancellationReasons ?? []).map(({ Code, Message }) => ({ code: Code ?? "None", message: Message ?? "" }))
    : [];
