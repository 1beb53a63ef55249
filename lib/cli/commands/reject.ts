/** `l2mac reject`: ends a run whose program waits for approval. Nothing of it is executed. */
import { shortId } from "../../core/text/format.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import type { Command } from "../command.ts";
import { nextLines } from "../display/ending.ts";
import { connect } from "../runs/connection.ts";
import { pickRun, WAITING } from "../runs/pick-run.ts";

export const reject: Command = async (given, shell) => {
  const connection = await connect(given, shell);
  const { id, name } = await connection.reject(
    await pickRun(connection, given.words[0], { name: "reject", ...WAITING }),
  );
  const args = [shortId(id), ...connection.remoteFlag];
  const named = `${shortId(id)} (${sanitizeLine(name)})`;
  shell.say(`Run ${named} is rejected; nothing of its program was executed. The program is kept in the run.`);
  const next = [
    { command: "resume", args, note: "has it wait for approval again" },
    { command: "delete", args },
  ];
  for (const line of nextLines(next, shell.launcher)) shell.say(line);
  return 0;
};
