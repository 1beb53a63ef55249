/** How a run with lanes ends: what keeps one instruction from going on does not stop the others. Pure. */
import * as z from "zod";
import { RunReason } from "../run-status.ts";

export const HeldEnding = z.object({
  status: z.enum(["partial", "failed"]),
  reason: RunReason,
  detail: z.string(),
  /** Since when. */
  at: z.string(),
  neededMicroUsd: z.int().nonnegative().optional(),
});
export type HeldEnding = z.infer<typeof HeldEnding>;

/** Of these the run is out, for all of its lanes: none begins another instruction. */
const CEILINGS: ReadonlySet<RunReason> = new Set<RunReason>([
  ...(["usd", "tokens", "turns", "minutes"] as const),
  ...(["daily", "over_reservation", "credentials"] as const),
]);
export const isForAllLanes = ({ reason }: Pick<HeldEnding, "reason">): boolean => CEILINGS.has(reason);
