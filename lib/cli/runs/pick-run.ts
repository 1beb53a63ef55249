/** Picks the run for a command that takes something away or spends something: it guesses only where there is one. */
import { UserError } from "../../core/errors.ts";
import { type Run, waitsForApproval } from "../../core/run/run.ts";
import { shortId } from "../../core/text/format.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import type { Connection } from "./connection.ts";
import { findRun, noRuns } from "./find-run.ts";

export interface RunChoice {
  /** The command. */
  name: string;
  /** Groups of runs it can mean, the first that has any; `what`: follows their number. */
  among: { includes: (run: Run) => boolean; what: string }[];
  /** The message where there are none. */
  none: string;
}

export async function pickRun(connection: Connection, word: string | undefined, choice: RunChoice): Promise<Run> {
  if (word !== undefined) return findRun(connection, word);
  const { name, among, none } = choice;
  const { remoteFlag } = connection;
  const all = await connection.runs();
  for (const { includes, what } of among) {
    const [only, ...others] = all.filter(includes);
    if (only && others.length > 0) throw several([only, ...others], { remoteFlag, name, what });
    if (only) return only;
  }
  if (all.length === 0) throw noRuns(connection);
  throw new UserError(none, { exitCode: 2, remedy: { command: "list", args: remoteFlag } });
}

/** For approve and reject. */
export const WAITING: Omit<RunChoice, "name"> = {
  among: [{ includes: waitsForApproval, what: "wait for approval" }],
  none: "No run waits for approval.",
};

const NAMED = 10;

function several(
  found: Run[],
  { remoteFlag, name, what }: { remoteFlag: readonly string[]; name: string; what: string },
): UserError {
  const named = found.slice(0, NAMED).map((run) => `${shortId(run.id)} (${sanitizeLine(run.name)})`);
  const [first = ""] = found.map(({ id }) => shortId(id));
  return new UserError(
    `Say which run: ${found.length} ${what}: ${named.join(", ")}${found.length > NAMED ? ", …" : ""}. Nothing was done.`,
    { exitCode: 2, remedy: { command: name, args: [first, ...remoteFlag], note: "or another of them" } },
  );
}
