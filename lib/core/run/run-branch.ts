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
