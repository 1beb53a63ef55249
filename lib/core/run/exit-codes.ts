/** The exit codes of the command, with what each means. Pure. */
import type { Run, RunReason } from "./run.ts";

export interface ExitCode {
  code: number;
  description: string;
  /** Why a run ended, where the code follows from that. */
  reasons?: readonly RunReason[];
}

export const EXIT_CODES: readonly ExitCode[] = [
  { code: 0, description: "The run is completed, or the command did what it was asked to do." },
  {
    code: 1,
    description: "Completed with something unchecked; or not all is proven; or cancelled, rejected or declined.",
    reasons: ["unchecked", "unproven", "cancelled", "rejected"],
  },
  { code: 2, description: "Usage: a command, flag, value, task or file is wrong. Nothing was started." },
  {
    code: 3,
    description: "Configuration or credentials: a setting, key, permission or program is missing or wrong.",
    reasons: ["credentials", "repository"],
  },
  {
    code: 4,
    description: "The model server refuses, does not answer, or wrote no usable program.",
    reasons: ["provider", "planning"],
  },
  {
    code: 5,
    description:
      "An instruction was stuck: it made no progress, or used up its turns. Or a check of the program failed.",
    reasons: ["trapped", "check_failed"],
  },
  {
    code: 6,
    description: "An internal error, or stored data is missing or altered.",
    reasons: ["internal", "damaged"],
  },
  {
    code: 7,
    description: "The budget is used up: US dollars, tokens or turns of the run, or the US dollars of the day.",
    reasons: ["usd", "tokens", "turns", "daily", "over_reservation"],
  },
  { code: 8, description: "The computing time is used up.", reasons: ["minutes"] },
  {
    code: 9,
    description: "The run waits: for your approval or answer, or for a server.",
    reasons: ["approval", "answer", "rate_limited", "evaluator_not_ready"],
  },
  { code: 130, description: "Interrupted by Ctrl-C (SIGINT). The run is kept.", reasons: ["interrupted"] },
  { code: 143, description: "Terminated by SIGTERM. The run is kept." },
];

const WAITING = 9;
const INTERRUPTED = 130;

/** The exit code of a command that followed the run to its present state. */
export function exitCodeOf({ status, reason }: Pick<Run, "status" | "reason">): number {
  if (status === "completed") return reason === "unchecked" ? 1 : 0;
  if (status === "waiting") return reason === "interrupted" ? INTERRUPTED : WAITING;
  return EXIT_CODES.find(({ code, reasons = [] }) => code < WAITING && reason && reasons.includes(reason))?.code ?? 1;
}
