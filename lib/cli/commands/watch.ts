/** `l2mac watch`: follows a run that is computed elsewhere. Leaving it changes nothing for the run. */

import { followEvents } from "../../client/follow-run.ts";
import { draftOf } from "../../core/program/program.ts";
import { waitsForAnswer } from "../../core/program/question.ts";
import type { Event } from "../../core/run/event.ts";
import { exitCodeOf } from "../../core/run/exit-codes.ts";
import { filesOf } from "../../core/run/file-count.ts";
import { type Run, waitsForApproval } from "../../core/run/run.ts";
import { shownRun } from "../../core/run/shown-run.ts";
import { shortId } from "../../core/text/format.ts";
import type { Command } from "../command.ts";
import { endingLines, nextLines } from "../display/ending.ts";
import { createProgress } from "../display/progress.ts";
import type { Shell } from "../display/shell.ts";
import { showProgram } from "../display/show-program.ts";
import { exitCodeOfSignal } from "../display/signals.ts";
import { sayReport } from "../display/wrap.ts";
import { showQuestion } from "../questions/show-question.ts";
import { type Connection, connect } from "../runs/connection.ts";
import { findRun } from "../runs/find-run.ts";
import { JSON_OUTPUT, QUIET } from "../settings/flags.ts";

export const watch: Command = async (given, shell) => {
  const connection = await connect(given, shell);
  const run = await findRun(connection, given.words[0]);
  const json = given.flags.has(JSON_OUTPUT.name);
  await shownToItsEnd(run, { connection, shell, json, quiet: given.flags.has(QUIET.name) });
  const signal = shell.signals.received();
  if (signal) {
    for (const line of leftLines(run, connection, shell.launcher)) shell.say(line);
    return exitCodeOfSignal(signal);
  }
  const ended = (await connection.run(run.id)) ?? run;
  const kept = { files: filesOf(ended), untouched: [] };
  for (const line of endingLines(ended, kept, { place: connection, launcher: shell.launcher })) sayReport(shell, line);
  if (json) shell.out(`${JSON.stringify({ type: "result", ...shownRun(ended), exitCode: exitCodeOf(ended) })}\n`);
  else if (waitsForApproval(ended)) await showProgram(shell, draftOf(await connection.program(ended.id)));
  else if (waitsForAnswer(ended)) await showQuestion(shell, connection, ended);
  return exitCodeOf(ended);
};

/** Or until the user stops watching. */
async function shownToItsEnd(
  run: Run,
  { connection, shell, json, quiet }: { connection: Connection; shell: Shell; json: boolean; quiet: boolean },
): Promise<void> {
  const progress = createProgress(shell, run, { json, quiet });
  let over = false;
  const show = (events: Event[]): void => {
    if (over) return;
    if (json) for (const event of events) shell.out(`${JSON.stringify(event)}\n`);
    progress.show(events);
  };
  const left = new Promise<void>((resolve) => shell.signals.onStop(() => resolve()));
  try {
    await Promise.race([left, followEvents(connection, run.id, { after: 0, until: "over", show })]);
  } finally {
    over = true;
    progress.end();
  }
}

function leftLines({ id }: Run, { remoteFlag }: Connection, launcher: string): string[] {
  const args = [shortId(id), ...remoteFlag];
  const next = [
    { command: "watch", args },
    { command: "cancel", args },
  ];
  return ["Stopped watching. The run itself is not stopped.", ...nextLines(next, launcher)];
}
