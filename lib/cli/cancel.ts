/** `l2mac cancel`: asks a run to stop for good. What is accepted stays. */
import { isEnded } from "../core/run.ts";
import type { Command } from "./commands.ts";
import { findRun, openExisting } from "./open.ts";
import { shortId } from "./words.ts";

export const cancel: Command = async ({ words }, shell) => {
  const machine = await openExisting(shell);
  const found = await findRun(machine, words[0]);
  const run = await machine.cancel(found.id);
  const id = shortId(run.id);
  if (isEnded(run.status)) shell.say(`Run ${id} is cancelled. What it made is kept: l2mac get ${id}`);
  else shell.say(`Run ${id} stops at its next commit. What it made is kept: l2mac watch ${id}`);
  return 0;
};
