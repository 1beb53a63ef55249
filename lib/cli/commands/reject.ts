/** `l2mac reject`: ends a run whose program waits for approval. Nothing of it is executed. */

import { shortId } from "../../core/text/format.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import type { Command } from "../command.ts";
import { nextLines } from "../display/ending.ts";
import { onlyRun, WAITING } from "../runs/only-run.ts";
import { openRuns } from "../runs/open-runs.ts";

export const reject: Command = async (given, shell) => {
  const runs = await openRuns(given, shell);
  const { id, name } = await runs.reject(await onlyRun(runs, given.words[0], { name: "reject", ...WAITING }));
  const args = [shortId(id), ...runs.remoteFlag];
  const named = `${shortId(id)} (${sanitizeLine(name)})`;
  shell.say(`Run ${named} is rejected; nothing of its program was executed. The program is kept in the run.`);
  const next = [
    { command: "resume", args, note: "has it wait for approval again" },
    { command: "delete", args },
  ];
  for (const line of nextLines(next, shell.launcher)) shell.say(line);
  return 0;
};
