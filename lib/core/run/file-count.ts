/** How many files a run has: every view counts them here. Pure. */
import { pluralize } from "../text/format.ts";
import { isAllButSkipped, isEnded, type Run } from "./run.ts";

/** What an ended run delivers; before its end, what it has written so far. Runs of earlier versions know only that. */
export const filesOf = ({ status, files, outputFiles }: Pick<Run, "status" | "files" | "outputFiles">): number =>
  isEnded(status) ? (outputFiles ?? files) : files;

export const filesWords = (run: Run): string => pluralize(filesOf(run), "file") + unacceptedNote(run);

/** Where it ended inside an instruction, its last files are not among those that are delivered. */
export function unacceptedNote(run: Run): string {
  const { status, files } = run;
  const isWhole = !isEnded(status) || status === "completed" || isAllButSkipped(run) || files === filesOf(run);
  return isWhole ? "" : ` (${files} with what was not accepted)`;
}
