/** The item of a run, at the door: a run that this version cannot read is named, and left as it is. */
import { type NextCommand, Unreadable } from "../core/errors.ts";
import type { Item } from "../core/ports.ts";
import { Run } from "../core/run/run.ts";
import { describeIssue, placeOfUnknownWord } from "../core/store/unknown-word.ts";
import { currentFormat, formatOf, isOfThisFormat } from "./upgrade.ts";

const OTHER_RUNS: NextCommand = { command: "list", args: [], note: "shows the other runs" };
const OTHER_VERSION: NextCommand = {
  ...OTHER_RUNS,
  note: "shows the other runs; use the version that wrote this one",
};

export const isReadable = (item: Item): boolean => isOfThisFormat(item) && Run.safeParse(item).success;

export function runOf(item: Item): Run {
  if (!isOfThisFormat(item)) {
    const found = JSON.stringify(formatOf(item) ?? null);
    throw unreadable(
      item,
      `Run ${item.id} is of format ${found}, which another version of this program wrote; this one reads format ${currentFormat(item)}.`,
      OTHER_VERSION,
    );
  }
  const read = Run.safeParse(item);
  if (read.success) return read.data;
  const { issues } = read.error;
  const place = placeOfUnknownWord(issues, item);
  if (place !== undefined) {
    throw unreadable(item, `Run ${item.id} has a ${place} that a newer version of this program wrote.`, OTHER_VERSION);
  }
  throw unreadable(item, `The record of run ${item.id} is damaged: ${describeIssue(issues[0])}.`, OTHER_RUNS);
}

function unreadable({ owner }: Item, what: string, remedy: NextCommand): Unreadable {
  return new Unreadable(`${what} It is left as it is.`, { ...(typeof owner === "string" ? { owner } : {}), remedy });
}
