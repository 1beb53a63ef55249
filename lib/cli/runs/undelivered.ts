/** Whether what a run of this computer made is still to be delivered: whoever computed it was killed at its end. */
import { isEnded, type Run } from "../../core/run/run.ts";
import { wasDelivered } from "../../files/delivery.ts";
import type { Runs } from "./runs.ts";

type Asked = Pick<Runs, "output" | "record" | "folder" | "elsewhere">;

export async function isUndelivered(runs: Asked, run: Run): Promise<boolean> {
  if (runs.elsewhere || !isEnded(run.status)) return false;
  const folder = await runs.folder(run);
  if (folder === undefined) return false;
  if (await wasDelivered({ folder, record: runs.record(run), end: endOf(run) })) return false;
  // What is damaged cannot be delivered, and what made nothing need not be.
  const tree = await runs.output(run).catch(() => undefined);
  return tree !== undefined && tree.size > 0;
}

/** Which of its ends: a run that is resumed ends anew. */
export const endOf = ({ endedAt = "" }: Run): string => endedAt;
