/** `l2mac log`: what happened in a run, event by event. */
import { setTimeout as delay } from "node:timers/promises";
import type { Event } from "../core/event.ts";
import { follow, POLL_MS } from "../local/follow.ts";
import type { Command } from "./commands.ts";
import { lineOf } from "./event-line.ts";
import { JSON_OUTPUT } from "./flags.ts";
import { findRun, openExisting } from "./open.ts";
import { usage } from "./parse.ts";
import { wholeNumber } from "./read-value.ts";
import { isOver } from "./watch.ts";

export const log: Command = async ({ words, flags }, shell) => {
  const after = wholeNumber(0)(flags.get("--after") ?? "0");
  if (!("value" in after)) throw usage({ name: "log" }, `--after takes ${after.expected}.`);
  const machine = await openExisting(shell);
  const run = await findRun(machine, words[0]);
  const json = flags.has(JSON_OUTPUT.name);
  const show = (events: Event[]): void => {
    for (const event of events) {
      const line = json ? JSON.stringify(event) : timed(event, run.instructions);
      if (line !== undefined) shell.out(`${line}\n`);
    }
  };
  const overNow = async (): Promise<boolean> => !flags.has("--follow") || shell.readerGone() || isOver(machine, run.id);
  const { registry } = machine;
  const pause = (): Promise<void> => delay(POLL_MS);
  await follow({ registry, runId: run.id, after: after.value, show, pause, isOver: overNow });
  return 0;
};

function timed(event: Event, total: number): string | undefined {
  const line = lineOf(event, total);
  return line === undefined ? undefined : `${String(event.seq).padStart(4)} ${event.at.slice(11, 19)} ${line}`;
}
