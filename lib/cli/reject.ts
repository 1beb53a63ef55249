/** `l2mac reject`: ends a run whose program waits for approval. Nothing of it is executed. */
import { waitsForApproval } from "../core/run.ts";
import type { Command } from "./commands.ts";
import { findRun } from "./find-run.ts";
import { openRuns } from "./open-runs.ts";
import { shortId } from "./words.ts";

export const reject: Command = async (given, shell) => {
  const runs = await openRuns(given, shell);
  const { id } = await runs.reject(await findRun(runs, given.words[0], waitsForApproval));
  const words = `${shortId(id)}${runs.flag}`;
  shell.say(`Run ${shortId(id)} is rejected; nothing of its program was executed. The program is kept in the run.`);
  shell.say(`Next: l2mac resume ${words} to have it wait for approval again, or l2mac delete ${words}`);
  return 0;
};
