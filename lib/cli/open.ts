/** Opens the machine for a command, and finds the run that is meant. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../core/errors.ts";
import type { Run } from "../core/run.ts";
import { LOCAL_OWNER } from "../local/machine.ts";
import { type LocalMachine, type LocalParts, openLocalMachine } from "../local/open.ts";
import { homeOf } from "./settings.ts";
import type { Shell } from "./shell.ts";
import { shortId } from "./words.ts";

/** What died without a word is noted first, so that every command tells the truth. */
export async function openHere(shell: Shell, server: Partial<LocalParts> = {}): Promise<LocalMachine> {
  const machine = openLocalMachine({ home: homeOf(shell), env: shell.env, ...server });
  await machine.sweep();
  return machine;
}

/** For commands that need a run to be there: looking makes no folders. */
export async function openExisting(shell: Shell, server: Partial<LocalParts> = {}): Promise<LocalMachine> {
  const home = homeOf(shell);
  if (existsSync(join(home, "registry.sqlite"))) return openHere(shell, server);
  throw noRuns(home);
}

const noRuns = (home: string): UserError =>
  new UserError(`There are no runs in ${home}.`, {
    exitCode: 2,
    remedy: 'l2mac "<task>"   (or: l2mac run --rehearse)',
  });

const PAGE = 500;

export async function allRuns({ registry }: LocalMachine): Promise<Run[]> {
  const runs: Run[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await registry.runs({ owner: LOCAL_OWNER, limit: PAGE, ...(cursor === undefined ? {} : { cursor }) });
    runs.push(...page.runs);
    cursor = page.cursor;
    if (cursor === undefined) return runs;
  }
}

/** An id, its beginning or end, or a name. Without a word, the latest run. */
export async function findRun(machine: LocalMachine, word: string | undefined): Promise<Run> {
  const runs = await allRuns(machine);
  const [latest] = runs;
  if (!latest) throw noRuns(machine.home);
  if (word === undefined) return latest;
  const wanted = word.toUpperCase();
  const isMeant = ({ id, name }: Run): boolean => id.startsWith(wanted) || id.endsWith(wanted) || name === word;
  const exact = runs.find(({ id }) => id === wanted);
  const found = exact ? [exact] : runs.filter(isMeant);
  const [only, second] = found;
  if (only && !second) return only;
  if (only) throw ambiguous(word, found);
  throw new UserError(`There is no run ${word}.`, { exitCode: 2, remedy: "l2mac list" });
}

const NAMED = 5;

const ambiguous = (word: string, found: Run[]): UserError => {
  const named = found.slice(0, NAMED).map(({ id, name }) => `${shortId(id)} (${name})`);
  return new UserError(
    `${word} can mean ${found.length} runs: ${named.join(", ")}${found.length > NAMED ? ", …" : ""}.`,
    {
      exitCode: 2,
      remedy: "Give more of the id; l2mac list shows all.",
    },
  );
};
