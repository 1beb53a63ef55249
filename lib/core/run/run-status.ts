/** The statuses of a run, and the reasons for them: codes, so that commands and exit codes can rest on them. */
import * as z from "zod";

export const RunStatus = z.enum([
  "queued",
  "planning",
  "running",
  "waiting",
  "delivering",
  "completed",
  "partial",
  "failed",
  "cancelled",
]);
export type RunStatus = z.infer<typeof RunStatus>;

/** Why a run has its status. Codes, so that commands and exit codes can rest on them. */
export const RunReason = z.enum([
  "interrupted", // the process that computed it is gone
  "approval", // its program waits for a person to approve it
  "answer", // its program asks a person
  "rate_limited", // the model server asked for a pause
  "evaluator_not_ready",
  "unchecked", // completed, but something could not be checked
  "unproven", // a requirement has no evidence that proves it
  "usd",
  "tokens",
  "turns",
  "minutes",
  "daily", // what all runs may spend together in a day
  "over_reservation", // the provider charged more than was reserved, and more than the ceiling
  "check_failed", // a check of its program failed, or a loop of it did not reach its end
  "trapped", // an instruction is stuck: it loops, times out, or used up its turns. The stored name; shown as "stuck"
  "provider", // the model server refuses or is gone
  "credentials",
  "planning", // no program could be made
  "repository", // the Git repository that it starts from could not be read
  "internal",
  "damaged", // something that it had stored is gone, or is not what was stored
  "cancelled",
  "rejected", // a person did not approve its program
]);
export type RunReason = z.infer<typeof RunReason>;
