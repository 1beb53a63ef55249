/** The branch of a user's repository on which a run's accepted steps land as commits. */
import * as z from "zod";

export const RunBranch = z.object({
  /** The top of the working tree on this computer. */
  repository: z.string(),
  name: z.string(),
  /** The folder of it that the run works on. Absent: all of it. */
  folder: z.string().optional(),
  /** The commit that the branch begins on. Absent: nothing was there. */
  start: z.string().optional(),
});
export type RunBranch = z.infer<typeof RunBranch>;

/** `l2mac/<name>`, with a number where that is taken. A branch `l2mac` leaves no room for branches in it. */
export function branchName(name: string, { isTaken, count }: { isTaken: boolean; count: number }): string {
  return `${isTaken ? "l2mac-" : "l2mac/"}${branchWord(name)}${count === 1 ? "" : `-${count}`}`;
}

/** A run's name can end as no branch's can. */
const branchWord = (name: string): string => name.replace(/\.\.+/g, ".").replace(/(\.lock|\.){1,100}$/i, "") || "run";
