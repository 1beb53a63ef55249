/** What was taken of files to start from, and what was left out, by reason. Pure. */
import { pluralize } from "../../core/text/format.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import type { SharedFiles } from "../../files/withhold.ts";
import type { LeftOut } from "../../pack/found-files.ts";

const NAMED = 5;

/** `named`: so many of each reason, all the others are counted. */
export function sharedInWords(label: string, { files, leftOut }: SharedFiles, named = NAMED): string[] {
  const byReason = [...Map.groupBy(leftOut, ({ reason }) => reason)];
  const counts = byReason.map(([reason, { length }]) => counted(length, reason)).join(", ");
  const left = leftOut.length === 0 ? "" : `, left out ${leftOut.length}: ${counts}`;
  return [
    `${sanitizeLine(label)}: took ${pluralize(files.size, "file")}${left}.`,
    ...byReason.map(([reason, each]) => {
      const more = each.length > named ? `, … ${each.length - named} more (--dry-run lists all)` : "";
      return `  ${reason}: ${each.slice(0, named).map(nameOf).join(", ")}${more}${remedies[reason] ?? ""}`;
    }),
  ];
}

const counted = (count: number, reason: string): string =>
  /^(?:excluded|output) /.test(reason) ? `${count} ${reason}` : pluralize(count, reason);

const nameOf = ({ path, line, detail }: LeftOut): string =>
  `${sanitizeLine(path)}${line ? `:${line}` : ""}${detail ? ` (${detail})` : ""}`;

const remedies: Record<string, string> = {
  secret: "; --allow-secrets takes such files",
  "LFS pointer": "; git lfs pull fetches what they stand for",
};

/** The same for a program. */
export const sharedAsJson = (from: string, { files, leftOut }: SharedFiles) => ({
  from,
  files: files.size,
  bytes: [...files.values()].reduce((sum, { length }) => sum + length, 0),
  leftOut,
});
