/** The run that a command means which takes something away or spends something: only one that stands alone is guessed. */

import { UserError } from "../../core/errors.ts";
import { type Run, waitsForApproval } from "../../core/run/run.ts";
import { shortId } from "../../core/text/format.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import { findRun, noRuns } from "./find-run.ts";
import type { Runs } from "./runs.ts";

export interface OnlyAsked {
  /** The command. */
  name: string;
  /** Which runs can be meant, and what they do: the first of these groups that has any. */
  among: { are: (run: Run) => boolean; what: string }[];
  /** Said where there are none. */
  none: string;
}

export async function onlyRun(runs: Runs, word: string | undefined, { name, among, none }: OnlyAsked): Promise<Run> {
  if (word !== undefined) return findRun(runs, word);
  const all = await runs.list();
  for (const { are, what } of among) {
    const [only, ...others] = all.filter(are);
    if (only && others.length > 0) throw several([only, ...others], { runs, name, what });
    if (only) return only;
  }
  if (all.length === 0) throw noRuns(runs);
  throw new UserError(none, { exitCode: 2, remedy: { command: "list", args: runs.remoteFlag } });
}

/** Of which approve and reject choose one. */
export const WAITING: Omit<OnlyAsked, "name"> = {
  among: [{ are: waitsForApproval, what: "wait for approval" }],
  none: "No run waits for approval.",
};

const NAMED = 10;

function several(
  found: Run[],
  { runs: { remoteFlag }, name, what }: { runs: Runs; name: string; what: string },
): UserError {
  const named = found.slice(0, NAMED).map((run) => `${shortId(run.id)} (${sanitizeLine(run.name)})`);
  const [first = ""] = found.map(({ id }) => shortId(id));
  return new UserError(
    `Say which run: ${found.length} ${what}: ${named.join(", ")}${found.length > NAMED ? ", …" : ""}. Nothing was done.`,
    { exitCode: 2, remedy: { command: name, args: [String(first), ...remoteFlag], note: "or another of them" } },
  );
}
