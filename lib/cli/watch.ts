/** `l2mac watch`: follows a run that is computed elsewhere. Leaving it changes nothing for the run. */
import type { Event } from "../core/event.ts";
import { exitCodeOf, waitsForApproval } from "../core/run.ts";
import { shownRun } from "../core/shown-run.ts";
import type { Command } from "./commands.ts";
import { endingLines } from "./ending.ts";
import { findRun } from "./find-run.ts";
import { JSON_OUTPUT } from "./flags.ts";
import { openRuns } from "./open-runs.ts";
import { createProgress } from "./progress.ts";
import { showEvents } from "./runs.ts";
import { showProgram } from "./show-program.ts";

export const watch: Command = async (given, shell) => {
  const runs = await openRuns(given, shell);
  const run = await findRun(runs, given.words[0]);
  const json = given.flags.has(JSON_OUTPUT.name);
  const progress = createProgress(shell, run, { json });
  const show = (events: Event[]): void => {
    if (json) for (const event of events) shell.out(`${JSON.stringify(event)}\n`);
    progress.show(events);
  };
  await showEvents(runs, run.id, { after: 0, until: "over", show });
  progress.end();
  const ended = (await runs.run(run.id)) ?? run;
  for (const line of endingLines(ended, { files: ended.files, untouched: [] }, runs)) shell.say(line);
  if (json) shell.out(`${JSON.stringify({ type: "result", ...shownRun(ended), exitCode: exitCodeOf(ended) })}\n`);
  else if (waitsForApproval(ended)) await showProgram(shell, await runs.program(ended));
  return exitCodeOf(ended);
};
