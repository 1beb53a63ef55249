/** Whether the files of a run of this computer are still to be delivered: its process was killed at its end. */
import { isEnded, type Run } from "../../core/run/run.ts";
import type { RunBranch } from "../../core/run/run-branch.ts";
import { wasDelivered } from "../../files/delivery.ts";
import type { Connection } from "./connection.ts";

export async function isUndelivered(connection: Connection, run: Run): Promise<boolean> {
  if (connection.elsewhere || !isEnded(run.status)) return false;
  const branch = await connection.branch(run);
  const folder = branch ? branchPlace(branch) : await connection.folder(run);
  if (folder === undefined) return false;
  if (await wasDelivered({ folder, record: connection.record(run), end: endOf(run) })) return false;
  // What is damaged cannot be delivered, and what made nothing need not be.
  const tree = await connection.output(run).catch(() => undefined);
  return tree !== undefined && tree.size > 0;
}

/** Under which a delivery to a branch is noted: no folder has it. */
export const branchPlace = ({ repository }: RunBranch): string => `${repository}#branch`;

/** Names which of its ends: a run that is resumed ends again. */
export const endOf = ({ endedAt = "" }: Run): string => endedAt;
