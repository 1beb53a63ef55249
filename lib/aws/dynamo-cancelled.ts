/** Why DynamoDB cancelled a transaction: conditions that did not hold are an answer, conflicts pass, the rest is an error. */
import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { nameOf, passes } from "./failures.ts";

/** The writes whose conditions did not hold, by index. */
export const refusedIn = (error: unknown): number[] =>
  reasonsOf(error).flatMap(({ code }, index) => (code === "ConditionalCheckFailed" ? [index] : []));

/** Whether the same transaction, with the same token, may succeed shortly. */
export function transactionPasses(error: unknown): boolean {
  // An earlier try of ours is still at work.
  if (nameOf(error) === "TransactionInProgressException") return true;
  if (!(error instanceof TransactionCanceledException)) return passes(error);
  const reasons = reasonsOf(error).filter(({ code }) => code !== "None");
  return reasons.length > 0 && reasons.every(({ code }) => PASSING.has(code));
}

/** DynamoDB's own message for a cancelled transaction names codes only. */
export function describeCancelled(error: unknown): unknown {
  const said = reasonsOf(error).flatMap(({ code, message }, index) =>
    code === "None" ? [] : [`write ${index}: ${message || code}`],
  );
  return said.length > 0 ? new Error(`DynamoDB refused the transaction: ${said.join("; ")}.`, { cause: error }) : error;
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
