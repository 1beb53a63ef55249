/** What was taken of files to start from, and what was left out, by reason. Pure. */
import { leftOutInWords } from "../../core/text/left-out.ts";
import type { SharedFiles } from "../../files/withhold.ts";

/** `named`: so many of each reason, all the others are counted. */
export const sharedInWords = (label: string, { files, leftOut }: SharedFiles, named?: number): string[] =>
  leftOutInWords(
    label,
    { files: files.size, leftOut },
    { rest: " (--dry-run lists all)", ...(named === undefined ? {} : { named }) },
  );

/** The same for a program. */
export const sharedAsJson = (from: string, { files, leftOut }: SharedFiles) => ({
  from,
  files: files.size,
  bytes: [...files.values()].reduce((sum, { length }) => sum + length, 0),
  leftOut,
});
