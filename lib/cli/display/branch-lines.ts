/** What a branch of accepted steps is, and the commands to look at it, merge it or throw it away. Pure. */
import { quoted } from "../../core/text/command-line.ts";
import { pluralize } from "../../core/text/format.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import type { DeliveredBranch, KeptWork } from "./ending.ts";

export function branchLines(branch: DeliveredBranch, cwd: string): string[] {
  const { repository, name, steps, from, instead, summary } = branch;
  const git = isWithin(cwd, repository) ? "git" : `git -C ${quoted(repository)}`;
  const word = quoted(name);
  return [
    ...(instead === undefined
      ? []
      : [`Branch ${instead} was moved or is checked out: it was left, and ${name} was made instead.`]),
    `Branch ${name}: ${pluralize(steps, "commit")}, ${summary}. Your working tree was not touched.`,
    `Look: ${git} log --stat ${from === undefined ? word : `${quoted(from)}..${word}`}`,
    `Merge: ${git} merge ${word}`,
    `Throw away: ${git} branch -D ${word}`,
  ].map((line) => sanitizeLine(line));
}

const isWithin = (cwd: string, repository: string): boolean =>
  cwd === repository || cwd.startsWith(`${repository}/`) || cwd.startsWith(`${repository}\\`);

export const branchAsJson = ({ branch }: KeptWork) =>
  branch === undefined
    ? {}
    : { branch: { repository: branch.repository, name: branch.name, commits: branch.steps, changes: branch.summary } };
