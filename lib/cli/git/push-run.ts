/** `l2mac git --push`: pushes a run's accepted steps to a new branch of a repository on a server. */

import { createOwnGitServers, type OpenGitServers } from "../../../packages/git/index.ts";
import { acceptedSteps, startingTreeOf, startStep } from "../../control/files/accepted-steps.ts";
import { pushedInWords } from "../../control/lifecycle/push.ts";
import { UserError } from "../../core/errors.ts";
import { readGitAddress } from "../../core/git/origin.ts";
import { pullRequestText } from "../../core/git/pull-request-text.ts";
import { GitError, type GitStep, type PushRequest } from "../../core/git/servers.ts";
import type { Run } from "../../core/run/run.ts";
import { shortId } from "../../core/text/format.ts";
import type { Arguments } from "../command.ts";
import type { Shell } from "../display/shell.ts";
import { type Connection, connect } from "../runs/connection.ts";
import { findRun } from "../runs/find-run.ts";
import { usage } from "../settings/parse.ts";
import { asUserError } from "./as-user-error.ts";

/** `address`: "" means the repository that the run started from. */
export async function pushRun(given: Arguments, shell: Shell, address: string): Promise<number> {
  const connection = await connect(given, shell);
  const run = await findRun(connection, given.words[0]);
  const branch = await connection.branch(run);
  if (branch) throw hasBranch(run, branch);
  const url = address === "" ? originOf(run) : addressIn(address);
  const servers = createOwnGitServers(shell.env);
  try {
    const request = await requestOf(connection, run, { url, servers });
    const result = await servers.push(request, new AbortController().signal);
    for (const line of pushedInWords(url, result)) shell.say(line);
    shell.out(`${result.pullRequest ?? result.branch}\n`);
    return 0;
  } catch (error) {
    if (error instanceof GitError) throw asUserError(error, "The run is kept, with its result.");
    throw error;
  }
}

interface PushParts {
  url: string;
  servers: OpenGitServers;
}

async function requestOf(connection: Connection, run: Run, { url, servers }: PushParts): Promise<PushRequest> {
  const { git } = run;
  const tree = await startingTreeOf(connection, run);
  const steps = acceptedSteps(connection, run);
  if (git?.commit === undefined) {
    const first = tree.size === 0 ? [] : [startStep(run, tree)];
    return { url, name: run.name, before: new Map(), steps: joined(first, steps) };
  }
  const { commit, base } = git;
  const { outline } = await servers.fetch({ url: git.url, ref: commit }, new AbortController().signal);
  const text = pullRequestText(run, await connection.program(run.id));
  return {
    url,
    name: run.name,
    start: { commit, outline },
    before: tree,
    steps,
    ...(base === undefined || url !== git.url ? {} : { pullRequest: { base, ...text } }),
  };
}

async function* joined(first: GitStep[], rest: AsyncIterable<GitStep>): AsyncIterable<GitStep> {
  yield* first;
  yield* rest;
}

function originOf({ git }: Run): string {
  if (git) return git.url;
  throw usage({ name: "git" }, "The run did not start from a repository on a server: give --push URL.");
}

function addressIn(text: string): string {
  const read = readGitAddress(text);
  if ("problem" in read) throw usage({ name: "git" }, `--push takes the address of a repository, but ${read.problem}.`);
  if (read.ref !== undefined) throw usage({ name: "git" }, "--push takes no branch: the run gets one of its own.");
  return read.url;
}

const hasBranch = (run: Run, { repository, name }: { repository: string; name: string }): UserError =>
  new UserError(`The commits of run ${shortId(run.id)} are on branch ${name} of ${repository}. Nothing was pushed.`, {
    exitCode: 2,
    remedy: `git -C ${repository} push <remote> ${name}`,
  });
