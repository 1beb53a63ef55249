/** `l2mac list`: the runs, latest first. */
import { existsSync } from "node:fs";
import type { Run } from "../core/run.ts";
import type { Command } from "./commands.ts";
import { JSON_OUTPUT } from "./flags.ts";
import { allRuns, openHere } from "./open.ts";
import { plainText } from "./plain-text.ts";
import { homeOf } from "./settings.ts";
import type { Shell } from "./shell.ts";
import { table } from "./table.ts";
import { money, shortId, span } from "./words.ts";

export const list: Command = async ({ flags }, shell) => {
  const runs = await runsHere(shell);
  if (flags.has(JSON_OUTPUT.name)) {
    for (const run of runs) shell.out(`${JSON.stringify(run)}\n`);
    return 0;
  }
  if (runs.length === 0) shell.say(`There are no runs in ${homeOf(shell)} yet. Begin one: l2mac "<task>"`);
  else
    shell.out(
      table(
        ["RUN", "STATUS", "DONE", "COST", "AGE", "NAME"],
        runs.map((run) => rowOf(run, Date.now())),
      ),
    );
  return 0;
};

async function runsHere(shell: Shell): Promise<Run[]> {
  if (!existsSync(homeOf(shell))) return [];
  const machine = await openHere(shell);
  const runs = await allRuns(machine);
  machine.close();
  return runs;
}

const rowOf = (run: Run, now: number): string[] => [
  shortId(run.id),
  statusOf(run),
  doneOf(run),
  money(run.microUsd),
  span(now - Date.parse(run.createdAt)),
  plainText(run.name),
];

export const statusOf = ({ status, reason }: Run): string =>
  reason && reason !== status ? `${status} (${reason})` : status;

/** Accepted instructions of all. */
export const doneOf = ({ instructions, pc }: Run): string =>
  instructions === 0 ? "-" : `${Math.max(0, Math.min(pc - 1, instructions))}/${instructions}`;
