/** `l2mac cancel`: asks a run to stop. What is accepted stays. */
import { isEnded } from "../core/run.ts";
import type { Command } from "./commands.ts";
import { findRun } from "./find-run.ts";
import { openRuns } from "./open-runs.ts";
import { shortId } from "./words.ts";

export const cancel: Command = async (given, shell) => {
  const runs = await openRuns(given, shell);
  const run = await runs.cancel(await findRun(runs, given.words[0], ({ status }) => !isEnded(status)));
  const words = `${shortId(run.id)}${runs.flag}`;
  if (isEnded(run.status)) shell.say(`Run ${shortId(run.id)} is cancelled. What it made is kept: l2mac get ${words}`);
  else shell.say(`Run ${shortId(run.id)} stops at its next commit. What it made is kept: l2mac watch ${words}`);
  return 0;
};
