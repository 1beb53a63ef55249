/** Starts a run from the result of another one, and on its branch where it has one. */

import { UserError } from "../../core/errors.ts";
import { filesOf } from "../../core/run/file-count.ts";
import { isEnded, type Run } from "../../core/run/run.ts";
import { shortId } from "../../core/text/format.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import { tipOf } from "../../files/git/run-branch.ts";
import type { Connection } from "./connection.ts";
import { findRun } from "./find-run.ts";
import type { StartingPoint } from "./starting-point.ts";

export async function startAfterRun(connection: Connection, word: string): Promise<StartingPoint> {
  const run = await findRun(connection, word);
  if (run.packed < 0 || filesOf(run) === 0) throw withoutFiles(connection, run);
  const branch = await connection.branch(run);
  const start = branch && (await tipOf(branch.repository, run.id).catch(() => undefined));
  if (branch && start === undefined) throw undelivered(connection, run, branch.name);
  const label = `Run ${shortId(run.id)} (${sanitizeLine(run.name)})`;
  return {
    files: { from: run.id, label, files: await connection.output(run, run.packed), leftOut: [] },
    notices: isEnded(run.status) ? [] : [`${label} has not ended: this run starts from what it has accepted so far.`],
    ...(branch && start !== undefined
      ? { repository: { top: branch.repository, folder: branch.folder ?? "", head: start, start } }
      : {}),
  };
}

const withoutFiles = ({ remoteFlag }: Connection, run: Run): UserError =>
  new UserError(`Run ${shortId(run.id)} has accepted no files that another run could start from.`, {
    exitCode: 2,
    remedy: { command: "status", args: [shortId(run.id), ...remoteFlag] },
  });

export const undelivered = ({ remoteFlag }: Connection, run: Run, branch: string): UserError =>
  new UserError(`Run ${shortId(run.id)} has not delivered to its branch ${branch} yet.`, {
    exitCode: 2,
    remedy: { command: "get", args: [shortId(run.id), ...remoteFlag], note: "delivers it" },
  });
