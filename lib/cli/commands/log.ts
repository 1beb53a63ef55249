/** `l2mac log`: what happened in a run, event by event. */
import { followEvents } from "../../client/follow-run.ts";
import type { Event } from "../../core/run/event.ts";
import type { Command } from "../command.ts";
import { lineOf } from "../display/event-line.ts";
import { localClock, localDay, zoneAt } from "../display/local-time.ts";
import { connect } from "../runs/connection.ts";
import { findRun } from "../runs/find-run.ts";
import { JSON_OUTPUT } from "../settings/flags.ts";
import { usage } from "../settings/parse.ts";
import { wholeNumber } from "../settings/read-value.ts";

export const log: Command = async (given, shell) => {
  const { words, flags } = given;
  const after = wholeNumber(0)(flags.get("--after") ?? "0");
  if (!("value" in after)) throw usage({ name: "log" }, `--after takes ${after.expected}.`);
  const connection = await connect(given, shell);
  const run = await findRun(connection, words[0]);
  const json = flags.has(JSON_OUTPUT.name);
  let day = "";
  const show = (events: Event[]): void => {
    for (const event of events) {
      const line = json ? JSON.stringify(event) : timed(event, run.instructions);
      if (line === undefined) continue;
      if (!json && day !== dayOf(event)) shell.out(`     ${dayOf(event)}, times in ${zoneAt(event.at)}\n`);
      day = dayOf(event);
      shell.out(`${line}\n`);
    }
  };
  const until = flags.has("--follow") ? "over" : "now";
  await followEvents(connection, run.id, { after: after.value, until, show, isStopped: shell.readerGone });
  return 0;
};

const dayOf = ({ at }: Event): string => localDay(at);

function timed(event: Event, total: number): string | undefined {
  const line = lineOf(event, total);
  return line === undefined ? undefined : `${String(event.seq).padStart(4)} ${localClock(event.at)} ${line}`;
}
