/** `l2mac replay`: computes a run again from its journal, asking no model, and shows where it first asks otherwise than it did. */
import { resolve } from "node:path";
import type { Run } from "../../core/run/run.ts";
import { shortId } from "../../core/text/format.ts";
import { choosePack } from "../../files/prompt-folder.ts";
import type { Command } from "../command.ts";
import type { Shell } from "../display/shell.ts";
import { connect } from "../runs/connection.ts";
import { findRun } from "../runs/find-run.ts";
import { JSON_OUTPUT } from "../settings/flags.ts";

const DIFFERS = 1;

export const replay: Command = async (given, shell) => {
  const { flags, words } = given;
  const connection = await connect(given, shell);
  const run = await findRun(connection, words[0]);
  const { treeHash, expected, turns, difference } = await connection.replay(
    run,
    await packGiven(flags, { shell, run }),
  );
  const same = treeHash === expected && !difference;
  if (flags.has(JSON_OUTPUT.name)) {
    shell.out(`${JSON.stringify({ run: run.id, same, turns, treeHash, expected, difference: difference ?? null })}\n`);
  } else if (same)
    shell.out(`Run ${shortId(run.id)} replayed: ${turns} turns, the same files (${treeHash.slice(0, 12)}).\n`);
  else {
    const at = difference
      ? ` In instruction ${difference.instruction}, turn ${difference.turn}: ${difference.what}.`
      : "";
    const hashes =
      treeHash === expected ? "the same files" : `other files (${treeHash.slice(0, 12)}, not ${expected.slice(0, 12)})`;
    const excerpt = difference?.excerpt === undefined ? "" : `${difference.excerpt}\n`;
    shell.out(`Run ${shortId(run.id)} replayed differently: ${turns} turns, ${hashes}.${at}\n${excerpt}`);
  }
  return same ? 0 : DIFFERS;
};

/** Only what is said for this command: a run has the prompts that it was submitted with, whatever the settings are now. */
async function packGiven(flags: ReadonlyMap<string, string>, { shell, run }: { shell: Shell; run: Run }) {
  const folder = flags.get("--prompts");
  return folder === undefined
    ? undefined
    : choosePack({ prompts: resolve(shell.cwd, folder), domain: run.options.domain });
}
