/** `l2mac log`: what happened in a run, event by event. */
import { followEvents } from "../../client/follow-run.ts";
import type { Event } from "../../core/run/event.ts";
import type { Command } from "../command.ts";
import { lineOf } from "../display/event-line.ts";
import { localClock, localDay, zoneAt } from "../display/local-time.ts";
import { spokenLines, spokenText } from "../inspect/spoken-text.ts";
import { connect } from "../runs/connection.ts";
import { findRun } from "../runs/find-run.ts";
import { TEXT } from "../settings/command-flags.ts";
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
  const print = (event: Event, text: string | undefined): void => {
    const line = json ? JSON.stringify({ ...event, text }) : timed(event, run.instructions);
    if (line === undefined) return;
    if (!json && day !== dayOf(event)) shell.out(`     ${dayOf(event)}, times in ${zoneAt(event.at)}\n`);
    day = dayOf(event);
    const spoken = json || text === undefined ? [] : spokenLines(text);
    shell.out(`${[line, ...spoken].join("\n")}\n`);
  };
  const withText = flags.has(TEXT.name);
  // Texts are fetched one after the other, in the order of their events.
  let printed = Promise.resolve();
  const show = (events: Event[]): void => {
    if (!withText) for (const event of events) print(event, undefined);
    else
      for (const event of events) {
        printed = printed.then(async () => print(event, await spokenText(connection, run.id, event)));
        // A failure is thrown where all of them are awaited.
        printed.catch(() => {});
      }
  };
  const until = flags.has("--follow") ? "over" : "now";
  await followEvents(connection, run.id, { after: after.value, until, show, isStopped: shell.readerGone });
  await printed;
  return 0;
};

const dayOf = ({ at }: Event): string => localDay(at);

function timed(event: Event, total: number): string | undefined {
  const line = lineOf(event, total);
  return line === undefined ? undefined : `${String(event.seq).padStart(4)} ${localClock(event.at)} ${line}`;
}
