/** `l2mac tree`: the files of a run, as they are now or as an instruction left them. */
import { size } from "../../core/text/format.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import type { Command } from "../command.ts";
import { connect } from "../runs/connection.ts";
import { findRun, refuseNotAccepted } from "../runs/find-run.ts";
import { JSON_OUTPUT } from "../settings/flags.ts";
import { usage } from "../settings/parse.ts";
import { wholeNumber } from "../settings/read-value.ts";

export const tree: Command = async (given, shell) => {
  const { words, flags } = given;
  const at = instructionIn(flags, "tree");
  const connection = await connect(given, shell);
  const run = await findRun(connection, words[0]);
  refuseNotAccepted(run, at, connection);
  const files = (await connection.files(run.id, at)).sort((a, b) => (a.path < b.path ? -1 : 1));
  const width = Math.max(0, ...files.map(({ bytes }) => size(bytes).length));
  for (const { path, bytes } of files) {
    const line = flags.has(JSON_OUTPUT.name)
      ? JSON.stringify({ path, bytes })
      : `${size(bytes).padStart(width)}  ${sanitizeLine(path)}`;
    shell.out(`${line}\n`);
  }
  if (files.length === 0) shell.say("There are no files yet.");
  return 0;
};

/** Undefined where the latest is meant. */
export function instructionIn(flags: ReadonlyMap<string, string>, name: string): number | undefined {
  const given = flags.get("--at");
  if (given === undefined) return undefined;
  const read = wholeNumber(0)(given);
  if ("value" in read) return read.value;
  throw usage({ name }, `--at takes the number of an instruction; "${given}" is none.`);
}
