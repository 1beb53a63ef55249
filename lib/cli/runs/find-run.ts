/** Finds the run that is meant. */
import { UserError } from "../../core/errors.ts";
import type { Run } from "../../core/run/run.ts";
import { isUlid } from "../../core/run/ulid.ts";
import { shortId } from "../../core/text/format.ts";
import type { Connection } from "./connection.ts";

/** An id, its beginning or end, or a name. Without a word, the latest run. `otherwise`: what else can have been meant. */
export async function findRun(connection: Connection, word: string | undefined, otherwise = ""): Promise<Run> {
  if (word === undefined) return latest(connection);
  const wanted = word.toUpperCase();
  const exact = isUlid(wanted) ? await connection.run(wanted) : undefined;
  if (exact) return exact;
  const isMeant = ({ id, name }: Run): boolean => id.startsWith(wanted) || id.endsWith(wanted) || name === word;
  const others: string[] = [];
  const found = (await connection.runs({ like: word, onUnreadable: (ids) => others.push(...ids) })).filter(isMeant);
  const [only, second] = found;
  const other = others.find((id) => id.startsWith(wanted) || id.endsWith(wanted));
  // Throws what is wrong with it.
  if (!only && other !== undefined) await connection.run(other);
  if (only && !second) return only;
  if (only) throw ambiguous(connection, word, found);
  await latest(connection);
  const remedy = { command: "list", args: connection.remoteFlag };
  throw new UserError(`There is no run ${word}. ${otherwise}`.trim(), { exitCode: 2, remedy });
}

async function latest(connection: Connection): Promise<Run> {
  const [run] = await connection.runs({ atMost: 1 });
  if (run) return run;
  throw noRuns(connection);
}

export const noRuns = ({ where, remoteFlag }: Pick<Connection, "where" | "remoteFlag">): UserError =>
  new UserError(`There are no runs ${where}.`, {
    exitCode: 2,
    remedy: { command: "run", args: ["<task>", ...remoteFlag], note: "with --rehearse it needs no model" },
  });

const NAMED = 5;

function ambiguous({ remoteFlag }: Connection, word: string, found: Run[]): UserError {
  const named = found.slice(0, NAMED).map(({ id, name }) => `${shortId(id)} (${name})`);
  return new UserError(
    `${word} can mean ${found.length} runs: ${named.join(", ")}${found.length > NAMED ? ", …" : ""}.`,
    { exitCode: 2, remedy: { command: "list", args: remoteFlag, note: "shows all; give more of the id" } },
  );
}

/** Throws before a file is looked for that is not there yet. */
export function refuseNotAccepted(run: Run, at: number | undefined, { remoteFlag }: Connection): void {
  if (at === undefined || at <= run.packed) return;
  const has = run.packed < 1 ? "it has accepted none yet" : `it has accepted instructions up to ${run.packed}`;
  throw new UserError(`Run ${shortId(run.id)} has no files of instruction ${at}: ${has}.`, {
    exitCode: 2,
    remedy: { command: "status", args: [shortId(run.id), ...remoteFlag] },
  });
}
