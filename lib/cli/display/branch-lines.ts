/** What a branch of accepted steps is, and the commands to look at it, merge it or throw it away. Pure. */
import { quoted } from "../../core/text/command-line.ts";
import { pluralize } from "../../core/text/format.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import type { DeliveredBranch, KeptWork } from "./ending.ts";

export function branchLines(branch: DeliveredBranch, cwd: string): string[] {
  const { repository, name, steps, from, instead, summary, inTheWay } = branch;
  const git = isWithin(cwd, repository) ? "git" : `git -C ${quoted(repository)}`;
  const word = quoted(name);
  return [
    ...(instead === undefined
      ? []
      : [`Branch ${instead} was moved or is checked out: it was left, and ${name} was made instead.`]),
    `Branch ${name}: ${pluralize(steps, "commit")}, ${summary}. Your working tree was not touched.`,
    `Look: ${git} log --stat ${from === undefined ? word : `${quoted(from)}..${word}`}`,
    ...mergeLines(`${git} merge ${word}`, { git, inTheWay }),
    `Throw away: ${git} branch -D ${word}`,
  ].map((line) => sanitizeLine(line));
}

/** Git merges over no uncommitted change; the branch has them as they were when the run began. */
function mergeLines(merge: string, { git, inTheWay }: Pick<DeliveredBranch, "inTheWay"> & { git: string }): string[] {
  if (inTheWay === "nothing") return [`Merge: ${merge}`];
  const stash = inTheWay === "untracked" ? `${git} stash --include-untracked` : `${git} stash`;
  return [
    "Your uncommitted changes are in the way of a merge. The branch has them as they were when the run began.",
    `Merge: ${stash} && ${merge}`,
  ];
}

const isWithin = (cwd: string, repository: string): boolean =>
  cwd === repository || cwd.startsWith(`${repository}/`) || cwd.startsWith(`${repository}\\`);

export const branchAsJson = ({ branch }: KeptWork) =>
  branch === undefined
    ? {}
    : { branch: { repository: branch.repository, name: branch.name, commits: branch.steps, changes: branch.summary } };
