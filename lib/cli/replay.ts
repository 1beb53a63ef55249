/** `l2mac replay`: computes a run again from its journal, asking no model, and compares the files. */
import type { Command } from "./commands.ts";
import { findRun } from "./find-run.ts";
import { JSON_OUTPUT } from "./flags.ts";
import { openRuns } from "./open-runs.ts";
import { shortId } from "./words.ts";

const DIFFERS = 6;

export const replay: Command = async (given, shell) => {
  const { flags, words } = given;
  const runs = await openRuns(given, shell);
  const run = await findRun(runs, words[0]);
  const { treeHash, expected, turns, difference } = await runs.replay(run);
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
    shell.out(`Run ${shortId(run.id)} replayed differently: ${turns} turns, ${hashes}.${at}\n`);
  }
  return same ? 0 : DIFFERS;
};
