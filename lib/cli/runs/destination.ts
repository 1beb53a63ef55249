/** Where the files of a run go: a folder, or a branch of a repository. */
import type { RunBranch } from "../../core/run/run-branch.ts";

export interface Destination {
  folder?: string | undefined;
  /** Instead of a folder. */
  branch?: RunBranch | undefined;
}
