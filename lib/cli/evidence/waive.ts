/** `l2mac waive`: takes a requirement as it is, with a reason that is shown with the run. */
import { UserError } from "../../core/errors.ts";
import { provenWords } from "../../core/evidence/standing.ts";
import { isEnded } from "../../core/run/run.ts";
import { shortId } from "../../core/text/format.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import type { Command } from "../command.ts";
import { connect } from "../runs/connection.ts";
import { findRun } from "../runs/find-run.ts";
import { REASON } from "../settings/command-flags.ts";

export const waive: Command = async (given, shell) => {
  const words = [...given.words];
  const requirement = words.pop();
  const reason = given.flags.get(REASON.name)?.trim() ?? "";
  if (requirement === undefined || reason === "") {
    throw new UserError("Name a requirement and the reason.", {
      exitCode: 2,
      remedy: { command: "help", args: ["waive"] },
    });
  }
  const connection = await connect(given, shell);
  const run = await findRun(connection, words[0]);
  const waived = await connection.waive(run, { requirement, reason });
  const named = `Run ${shortId(run.id)} (${sanitizeLine(run.name)})`;
  shell.say(`${named}: ${requirement} is waived. ${waived.proven ? provenWords(waived.proven) : ""}`.trim());
  if (isEnded(waived.status) && waived.reason === "unproven")
    shell.say(`Deliver it again with this: ${shell.command("resume", shortId(run.id), ...connection.remoteFlag)}`);
  return 0;
};
