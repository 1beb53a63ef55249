/** `l2mac diff`: what a run changed in its files, as a unified difference that `git apply` takes. */
import { shortId } from "../../core/text/format.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import type { Command } from "../command.ts";
import { paintFor } from "../display/paint.ts";
import { exactText, shownLines } from "../inspect/diff-text.ts";
import { readRange } from "../inspect/instruction-range.ts";
import { filesAt, filesNow } from "../inspect/state-files.ts";
import { diffTrees, statLines, totalLine } from "../inspect/tree-diff.ts";
import { connect } from "../runs/connection.ts";
import { findRun, refuseNotAccepted } from "../runs/find-run.ts";
import { BETWEEN, STAT } from "../settings/command-flags.ts";
import { JSON_OUTPUT } from "../settings/flags.ts";

export const diff: Command = async (given, shell) => {
  const { from, to } = readRange(given.flags.get(BETWEEN.name));
  const connection = await connect(given, shell);
  const run = await findRun(connection, given.words[0]);
  // At the start there is nothing to be accepted.
  if (from > 0) refuseNotAccepted(run, from, connection);
  if (to) refuseNotAccepted(run, to, connection);
  const [before, after] = [
    await filesAt(connection, run, from),
    to === undefined ? await filesNow(connection, run) : await filesAt(connection, run, to),
  ];
  connection.close();
  const diffs = diffTrees(before, after);
  const states = `${stateName(from)} to ${to === undefined ? "now" : stateName(to)}`;
  shell.say(sanitizeLine(`Run ${shortId(run.id)} (${run.name}), ${states}: ${totalLine(diffs)}`));
  if (given.flags.has(JSON_OUTPUT.name))
    for (const { lines: _, ...each } of diffs) shell.out(`${JSON.stringify(each)}\n`);
  else if (given.flags.has(STAT.name))
    shell.out(diffs.length > 0 ? `${statLines(diffs).map(sanitizeLine).join("\n")}\n` : "");
  else if (!shell.resultOnTerminal) shell.out(exactText(diffs));
  else for (const each of diffs) shell.out(`${shownLines(each, paintFor(shell)).join("\n")}\n`);
  return 0;
};

const stateName = (instruction: number): string => (instruction === 0 ? "the start" : `instruction ${instruction}`);
