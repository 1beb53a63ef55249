/** `l2mac watch`: follows a run that another process computes. Leaving it changes nothing for the run. */
import { setTimeout as delay } from "node:timers/promises";
import type { Event } from "../core/event.ts";
import { exitCodeOf, isEnded, type Run } from "../core/run.ts";
import { follow, POLL_MS } from "../local/follow.ts";
import type { LocalMachine } from "../local/open.ts";
import type { Command } from "./commands.ts";
import { endingLines } from "./ending.ts";
import { JSON_OUTPUT } from "./flags.ts";
import { findRun, openExisting } from "./open.ts";
import { createProgress } from "./progress.ts";

export const watch: Command = async ({ words, flags }, shell) => {
  const machine = await openExisting(shell);
  const run = await findRun(machine, words[0]);
  const json = flags.has(JSON_OUTPUT.name);
  const progress = createProgress(shell, run, { json });
  const show = (events: Event[]): void => {
    if (json) for (const event of events) shell.out(`${JSON.stringify(event)}\n`);
    progress.show(events);
  };
  const { registry } = machine;
  const pause = (): Promise<void> => delay(POLL_MS);
  await follow({ registry, runId: run.id, after: 0, show, pause, isOver: () => isOver(machine, run.id) });
  progress.end();
  const ended = (await registry.run(run.id)) ?? run;
  for (const line of endingLines(ended, { files: ended.files, untouched: [] })) shell.say(line);
  if (json) shell.out(`${JSON.stringify({ type: "result", ...ended, exitCode: exitCodeOf(ended) })}\n`);
  return exitCodeOf(ended);
};

/** Ended, or waiting for somebody: a wait that a live process sleeps through is not over. */
export async function isOver(machine: LocalMachine, runId: string): Promise<boolean> {
  const run = await machine.registry.run(runId);
  if (!run || isEnded(run.status)) return true;
  if (machine.isAlive(runId)) return false;
  await machine.sweep();
  return isStill(await machine.registry.run(runId));
}

const isStill = (run: Run | undefined): boolean => !run || isEnded(run.status) || run.status === "waiting";
