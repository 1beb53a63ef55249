/** Finds the run that is meant. */

import { UserError } from "../../core/errors.ts";
import type { Run } from "../../core/run/run.ts";
import { isUlid } from "../../core/run/ulid.ts";
import { shortId } from "../../core/text/format.ts";
import type { Runs } from "./runs.ts";

/** An id, its beginning or end, or a name. Without a word, the latest run. */
export async function findRun(runs: Runs, word: string | undefined): Promise<Run> {
  if (word === undefined) return latest(runs);
  const wanted = word.toUpperCase();
  const exact = isUlid(wanted) ? await runs.run(wanted) : undefined;
  if (exact) return exact;
  const isMeant = ({ id, name }: Run): boolean => id.startsWith(wanted) || id.endsWith(wanted) || name === word;
  const others: string[] = [];
  const found = (await runs.list({ like: word, unreadable: (ids) => others.push(...ids) })).filter(isMeant);
  const [only, second] = found;
  const other = others.find((id) => id.startsWith(wanted) || id.endsWith(wanted));
  // Says what is wrong with it.
  if (!only && other !== undefined) await runs.run(other);
  if (only && !second) return only;
  if (only) throw ambiguous(runs, word, found);
  await latest(runs);
  throw new UserError(`There is no run ${word}.`, { exitCode: 2, remedy: { command: "list", args: runs.remoteFlag } });
}

async function latest(runs: Runs): Promise<Run> {
  const [run] = await runs.list({ atMost: 1 });
  if (run) return run;
  throw noRuns(runs);
}

export const noRuns = ({ where, remoteFlag }: Pick<Runs, "where" | "remoteFlag">): UserError =>
  new UserError(`There are no runs ${where}.`, {
    exitCode: 2,
    remedy: { command: "run", args: ["<task>", ...remoteFlag], note: "with --rehearse it needs no model" },
  });

const NAMED = 5;

function ambiguous({ remoteFlag }: Runs, word: string, found: Run[]): UserError {
  const named = found.slice(0, NAMED).map(({ id, name }) => `${shortId(id)} (${name})`);
  return new UserError(
    `${word} can mean ${found.length} runs: ${named.join(", ")}${found.length > NAMED ? ", …" : ""}.`,
    { exitCode: 2, remedy: { command: "list", args: remoteFlag, note: "shows all; give more of the id" } },
  );
}

/** Said before anybody is asked for what is not there. */
export function refuseNotAccepted(run: Run, at: number | undefined, { remoteFlag }: Runs): void {
  if (at === undefined || at <= run.packed) return;
  const has = run.packed < 1 ? "it has accepted none yet" : `it has accepted instructions up to ${run.packed}`;
  throw new UserError(`Run ${shortId(run.id)} has no files of instruction ${at}: ${has}.`, {
    exitCode: 2,
    remedy: { command: "status", args: [shortId(run.id), ...remoteFlag] },
  });
}
