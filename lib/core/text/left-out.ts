/** What was taken of files to start from, and what was left out, by reason. Pure. */
import type { LeftOutFile } from "../git/servers.ts";
import { pluralize } from "./format.ts";
import { sanitizeLine } from "./sanitize.ts";

const NAMED = 5;

/** `named`: so many of each reason, all the others are counted. */
export function leftOutInWords(
  label: string,
  { files, leftOut }: { files: number; leftOut: LeftOutFile[] },
  { named = NAMED, rest = "", isFolder = true }: { named?: number; rest?: string; isFolder?: boolean } = {},
): string[] {
  const byReason = [...Map.groupBy(leftOut, ({ reason }) => reason)];
  const counts = byReason.map(([reason, { length }]) => counted(length, reason)).join(", ");
  const left = leftOut.length === 0 ? "" : `, left out ${leftOut.length}: ${counts}`;
  return [
    `${sanitizeLine(label)}: took ${pluralize(files, "file")}${left}.`,
    ...byReason.map(([reason, each]) => {
      const more = each.length > named ? `, … ${each.length - named} more${rest}` : "";
      return `  ${reason}: ${each.slice(0, named).map(nameOf).join(", ")}${more}${isFolder || reason !== LFS ? (remedies[reason] ?? "") : ""}`;
    }),
  ];
}

const counted = (count: number, reason: string): string =>
  /^(?:excluded|output) /.test(reason) ? `${count} ${reason}` : pluralize(count, reason);

const nameOf = ({ path, line, detail }: LeftOutFile): string =>
  `${sanitizeLine(path)}${line ? `:${line}` : ""}${detail ? ` (${detail})` : ""}`;

const LFS = "LFS pointer";
const remedies: Record<string, string> = {
  secret: "; --allow-secrets takes such files",
  [LFS]: "; git lfs pull fetches what they stand for",
};
