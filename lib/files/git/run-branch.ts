/** The branch of a run in a user's repository: its name is free, and only the run's own commits are ever moved. */
import { branchName } from "../../core/run/run-branch.ts";
import { askGit, runGit } from "./run-git.ts";
import { UNCOMMITTED } from "./start-commit.ts";

/** Kept from being collected, and in no list of branches. */
export const startRef = (runId: string): string => `refs/l2mac/${runId}/start`;
export const tipRef = (runId: string): string => `refs/l2mac/${runId}/tip`;

const headOf = (branch: string): string => `refs/heads/${branch}`;

const commitAt = (repository: string, ref: string): Promise<string | undefined> =>
  askGit(repository, ["rev-parse", "--verify", "--quiet", `${ref}^{commit}`]);

/** `l2mac/<name>`, with a number where that is taken. A branch `l2mac` leaves no room for branches in it. */
export async function chooseBranch(repository: string, name: string): Promise<string> {
  const isTaken = (await commitAt(repository, headOf("l2mac"))) !== undefined;
  for (let count = 1; ; count += 1) {
    const branch = branchName(name, { isTaken, count });
    if ((await commitAt(repository, headOf(branch))) === undefined) return branch;
  }
}

export async function protectStart(repository: string, runId: string, start: string | undefined): Promise<void> {
  if (start !== undefined) await runGit(repository, ["update-ref", startRef(runId), start]);
}

export interface Published {
  branch: string;
  /** The branch that the run should have: others have moved it, or work on it. */
  instead?: string;
}

/** Lets the branch name the tip, unless somebody else's commits or working tree would lose by it. */
export async function publishBranch(
  repository: string,
  { branch, tip, owned }: { branch: string; tip: string; owned: string | undefined },
): Promise<Published> {
  const now = await commitAt(repository, headOf(branch));
  if (now === tip) return { branch };
  const isOurs = now === undefined || now === owned || (await isAncestor(repository, now, tip));
  if (isOurs && !(await isCheckedOut(repository, branch))) {
    await runGit(repository, ["update-ref", "-m", "l2mac: accepted steps", headOf(branch), tip, now ?? ""]);
    return { branch };
  }
  const other = await chooseBranch(repository, branch.replace(/^l2mac[/-]/, ""));
  await runGit(repository, ["update-ref", "-m", "l2mac: accepted steps", headOf(other), tip, ""]);
  return { branch: other, instead: branch };
}

const isAncestor = async (repository: string, one: string, other: string): Promise<boolean> =>
  (await askGit(repository, ["merge-base", "--is-ancestor", one, other])) !== undefined;

async function isCheckedOut(repository: string, branch: string): Promise<boolean> {
  const trees = (await askGit(repository, ["worktree", "list", "--porcelain"])) ?? "";
  return trees.split("\n").includes(`branch ${headOf(branch)}`);
}

export const tipOf = (repository: string, runId: string): Promise<string | undefined> =>
  commitAt(repository, tipRef(runId));

/** The commit of the last accepted step up to a number; its start, where none was accepted. */
export async function commitOfStep(
  repository: string,
  { start, tip, step }: { start: string | undefined; tip: string; step: number },
): Promise<string | undefined> {
  const range = start === undefined ? tip : `${start}..${tip}`;
  const format = "--format=%H %(trailers:key=Step,valueonly,separator=%x20)";
  const log = await runGit(repository, ["log", "--first-parent", format, range]);
  const found = log.split("\n").find((line) => Number(line.split(" ")[1] || Number.NaN) <= step);
  return found?.split(" ")[0] ?? start;
}

/** Whether uncommitted changes keep Git from merging a commit. */
export type InTheWay = "nothing" | "tracked" | "untracked";

export async function inTheWayOf(repository: string, tip: string): Promise<InTheWay> {
  // Looking at the working tree could run the filters that the repository names: what was committed for it tells.
  const log = (await askGit(repository, ["log", "--first-parent", "--format=%H %s", `HEAD..${tip}`])) ?? "";
  const kept = log.split("\n").find((line) => line.endsWith(` ${UNCOMMITTED}`));
  const [commit] = kept?.split(" ") ?? [];
  if (commit === undefined) return "nothing";
  const plain = ["--name-status", "--no-renames", "--no-ext-diff", "--no-textconv"];
  const own = await runGit(repository, ["diff", ...plain, `${commit}^`, commit]);
  const ahead = new Set((await runGit(repository, ["diff", ...plain, "HEAD", commit])).split("\n"));
  const met = own.split("\n").filter((line) => ahead.has(line));
  if (met.some((line) => line.startsWith("A"))) return "untracked";
  return met.length > 0 ? "tracked" : "nothing";
}

/** Lets Git collect what only the run needed. The branch stays: it is the user's. */
export async function forgetRun(repository: string, runId: string): Promise<void> {
  for (const ref of [startRef(runId), tipRef(runId)]) await askGit(repository, ["update-ref", "-d", ref]);
}

/** What lies between the start and the tip, in Git's words: ` 2 files changed, 10 insertions(+)`. */
export async function summarizeDiff(repository: string, start: string | undefined, tip: string): Promise<string> {
  const from = start ?? (await runGit(repository, ["hash-object", "-t", "tree", "--stdin"]));
  const said = await runGit(repository, ["diff", "--shortstat", "--no-ext-diff", "--no-textconv", from, tip]);
  return said.trim() || "no file changed";
}
