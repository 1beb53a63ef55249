/** `l2mac delete`: removes a run with all that it made, once that is confirmed. What was delivered stays where it is. */
import { UserError } from "../../core/errors.ts";
import { type Run, statusText } from "../../core/run/run.ts";
import { shortId } from "../../core/text/format.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import { forgetRun } from "../../files/git/run-branch.ts";
import type { Arguments, Command } from "../command.ts";
import type { Shell } from "../display/shell.ts";
import { createTerminal } from "../display/terminal.ts";
import { connect } from "../runs/connection.ts";
import { findRun } from "../runs/find-run.ts";
import { pickRun } from "../runs/pick-run.ts";
import { YES } from "../settings/flags.ts";

const DECLINED = 1;

export const deleteRun: Command = async (given, shell) => {
  const connection = await connect(given, shell);
  const [word] = given.words;
  // Asked for each by its name, the latest may be guessed.
  const run = await (given.flags.has(YES.name) ? pickRun(connection, word, ANY) : findRun(connection, word));
  if (!(await agreed(run, given, shell))) {
    shell.say("Nothing was deleted.");
    return DECLINED;
  }
  const branch = await connection.branch(run);
  const removed = await connection.remove(run);
  // The repository may be gone.
  if (branch) await forgetRun(branch.repository, run.id).catch(() => {});
  connection.close();
  const kept = connection.elsewhere ? " Where it lay in a bucket, its objects can be had back for a week." : "";
  if (removed === "deleted") shell.say(`Run ${shortId(run.id)} is deleted.${kept}`);
  else shell.say(`Run ${shortId(run.id)} is gone; what is left of it is removed within minutes.${kept}`);
  return 0;
};

const ANY = { name: "delete", among: [{ includes: () => true, what: "are there" }], none: "There are no runs." };

async function agreed(run: Run, { flags }: Arguments, shell: Shell): Promise<boolean> {
  if (flags.has(YES.name)) return true;
  const terminal = createTerminal({ input: process.stdin, output: shell.progress });
  if (!terminal.isThere) {
    throw new UserError("Deleting has to be confirmed, and there is no terminal to ask on. Nothing was deleted.", {
      exitCode: 2,
      remedy: { command: "delete", args: [shortId(run.id), "--yes"] },
    });
  }
  const what = `Delete run ${shortId(run.id)} (${sanitizeLine(run.name)}, ${statusText(run)}) and all that it made? [y/N]`;
  return /^y(es)?$/i.test((await terminal.line(what)).trim());
}
