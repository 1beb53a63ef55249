/** `l2mac git`: writes a run as a Git repository, one commit per accepted step. */
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { acceptedSteps, startingTreeOf } from "../../control/files/accepted-steps.ts";
import { UserError } from "../../core/errors.ts";
import { GitError } from "../../core/git/servers.ts";
import type { Run } from "../../core/run/run.ts";
import { pluralize, shortId } from "../../core/text/format.ts";
import { groundAt } from "../../files/delivery.ts";
import {
  type ExportedRun,
  exportToBundle,
  exportToFolder,
  type FetchedOrigin,
} from "../../files/git/export-repository.ts";
import type { Command } from "../command.ts";
import type { Shell } from "../display/shell.ts";
import { asUserError } from "../git/as-user-error.ts";
import { type Connection, connect } from "../runs/connection.ts";
import { findRun } from "../runs/find-run.ts";
import { BUNDLE, GIT_PUSH, OUT } from "../settings/command-flags.ts";
import { usage } from "../settings/parse.ts";

export const git: Command = async (given, shell) => {
  const [out, bundle, push] = [OUT, BUNDLE, GIT_PUSH].map(({ name }) => given.flags.get(name));
  if ([out, bundle, push].filter((value) => value !== undefined).length !== 1)
    throw usage({ name: "git" }, "Give one of --out DIR, --bundle FILE and --push [URL].");
  if (push !== undefined) return (await import("../git/push-run.ts")).pushRun(given, shell, push);
  const target = resolve(shell.cwd, out ?? bundle ?? "");
  if (out === undefined) refuseExisting(target, bundle ?? "");
  else await refuseOccupied(target, out);
  const connection = await connect(given, shell);
  const run = await findRun(connection, given.words[0]);
  const origin = out === undefined ? undefined : await originOf(run, shell);
  const counted = countedSteps(connection, run);
  const exported: ExportedRun = {
    start: await startingTreeOf(connection, run),
    startMessage: `Start from the files of run ${run.id}\n`,
    startedAt: run.createdAt,
    links: counted.links,
    origin,
  };
  const tip = await (out === undefined ? exportToBundle(target, exported) : exportToFolder(target, exported));
  if (tip === undefined) throw nothingAccepted(connection, run);
  showResult(shell, { steps: counted.steps(), tip, target, isBundle: out === undefined });
  return 0;
};

/** A run that started from a server has its commits on the one that it started from, which is fetched once more. */
async function originOf({ git }: Run, { env }: Shell): Promise<FetchedOrigin | undefined> {
  if (git?.commit === undefined) return undefined;
  const { url, commit } = git;
  const { createOwnGitServers } = await import("../../../packages/git/index.ts");
  try {
    return { commit, pack: await createOwnGitServers(env).pack({ url, ref: commit }, new AbortController().signal) };
  } catch (error) {
    if (error instanceof GitError) throw asUserError(error, "Nothing was written; --bundle FILE needs no server.");
    throw error;
  }
}

function countedSteps(connection: Connection, run: Run) {
  let steps = 0;
  async function* links() {
    for await (const link of acceptedSteps(connection, run)) {
      steps += 1;
      yield link;
    }
  }
  return { links: links(), steps: () => steps };
}

interface ExportResult {
  steps: number;
  tip: string;
  target: string;
  isBundle: boolean;
}

function showResult(shell: Shell, { steps, tip, target, isBundle }: ExportResult): void {
  shell.say(`${pluralize(steps, "accepted step")}, one commit each; main is at ${tip}.`);
  if (isBundle) shell.say("git clone takes it like an address.");
  shell.out(`${target}\n`);
}

function refuseExisting(target: string, given: string): void {
  const hasFolder = existsSync(dirname(target));
  if (hasFolder && !existsSync(target)) return;
  throw new UserError(
    hasFolder ? `--bundle ${given} is there already.` : `The folder of --bundle ${given} is missing.`,
    {
      exitCode: 2,
      remedy: "Give --bundle the name of a new file in a folder that exists.",
    },
  );
}

async function refuseOccupied(target: string, given: string): Promise<void> {
  if ((await groundAt(target)) === "free") return;
  throw new UserError(`--out ${given} is there already, and is no empty folder; nothing in it is overwritten.`, {
    exitCode: 2,
    remedy: "Give --out a folder that does not exist yet.",
  });
}

const nothingAccepted = ({ remoteFlag }: Connection, run: Run): UserError =>
  new UserError(`Run ${shortId(run.id)} has accepted no step yet: there is nothing to commit.`, {
    exitCode: 1,
    remedy: { command: "status", args: [shortId(run.id), ...remoteFlag] },
  });
