/** `l2mac cancel`: asks a run to stop. What is accepted stays. */
import { filesOf } from "../../core/run/file-count.ts";
import { isAsleep, isEnded, type Run } from "../../core/run/run.ts";
import { shortId } from "../../core/text/format.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import type { Command } from "../command.ts";
import { connect } from "../runs/connection.ts";
import { pickRun } from "../runs/pick-run.ts";

export const cancel: Command = async (given, shell) => {
  const connection = await connect(given, shell);
  const isUnderWay = (run: Run): boolean => !isEnded(run.status) && (isAsleep(run) || connection.isComputed(run));
  const among = [
    { includes: isUnderWay, what: "are under way" },
    { includes: ({ status }: Run) => !isEnded(status), what: "have not ended" },
  ];
  const none = "Every run has ended: there is nothing to cancel.";
  const run = await connection.cancel(await pickRun(connection, given.words[0], { name: "cancel", among, none }));
  const named = `Run ${shortId(run.id)} (${sanitizeLine(run.name)})`;
  const args = [shortId(run.id), ...connection.remoteFlag];
  if (!isEnded(run.status))
    shell.say(`${named} stops at its next commit. What it made is kept: ${shell.command("watch", ...args)}`);
  else if (filesOf(run) === 0) shell.say(`${named} is cancelled. It had made no files; resume would go on with it.`);
  else shell.say(`${named} is cancelled. What it made is kept: ${shell.command("get", ...args)}`);
  return 0;
};
