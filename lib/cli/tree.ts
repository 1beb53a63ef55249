/** `l2mac tree`: the files of a run, as they are now or as an instruction left them. */

import { packedTree } from "../control/run-tree.ts";
import type { Run } from "../core/run.ts";
import type { LocalMachine } from "../local/open.ts";
import type { Command } from "./commands.ts";
import { JSON_OUTPUT } from "./flags.ts";
import { findRun, openExisting } from "./open.ts";
import { usage } from "./parse.ts";
import { plainText } from "./plain-text.ts";
import { wholeNumber } from "./read-value.ts";
import { size } from "./words.ts";

export const tree: Command = async ({ words, flags }, shell) => {
  const at = instructionIn(flags, "tree");
  const machine = await openExisting(shell);
  const run = await findRun(machine, words[0]);
  const files = await filesOf(machine, run, at);
  const width = Math.max(0, ...files.map(({ bytes }) => size(bytes).length));
  for (const { path, bytes } of files) {
    const line = flags.has(JSON_OUTPUT.name)
      ? JSON.stringify({ path, bytes })
      : `${size(bytes).padStart(width)}  ${plainText(path)}`;
    shell.out(`${line}\n`);
  }
  if (files.length === 0) shell.say("There are no files yet.");
  return 0;
};

async function filesOf(machine: LocalMachine, run: Run, at: number | undefined) {
  const found =
    at === undefined
      ? await machine.registry.allFiles(run.id)
      : [...(await packedTree(machine.files, run, at))].map(([path, { length }]) => ({ path, bytes: length }));
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Undefined where the latest is meant. */
export function instructionIn(flags: ReadonlyMap<string, string>, name: string): number | undefined {
  const given = flags.get("--at");
  if (given === undefined) return undefined;
  const read = wholeNumber(0)(given);
  if ("value" in read) return read.value;
  throw usage({ name }, `--at takes the number of an instruction; "${given}" is none.`);
}
