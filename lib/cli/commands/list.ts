/** `l2mac list`: the runs, latest first. */
import { acceptedOf, isAsleep, type Run, statusText } from "../../core/run/run.ts";
import { shownRun } from "../../core/run/shown-run.ts";
import { money, pluralize, shortId, span } from "../../core/text/format.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import type { Command } from "../command.ts";
import { localMinute } from "../display/local-time.ts";
import { paintFor, paintStatus } from "../display/paint.ts";
import { type Column, table } from "../display/table.ts";
import { connect } from "../runs/connection.ts";
import { JSON_OUTPUT } from "../settings/flags.ts";
import { usage } from "../settings/parse.ts";
import { wholeNumber } from "../settings/read-value.ts";

export const list: Command = async (given, shell) => {
  const { flags } = given;
  const most = mostIn(flags);
  const connection = await connect(given, shell);
  const { leftFolders, where, remoteFlag } = connection;
  const others: string[] = [];
  // One more than is shown tells whether there are more.
  const found = await connection.runs({ atMost: most + 1, onUnreadable: (ids) => others.push(...ids) });
  const runs = found.slice(0, most);
  connection.close();
  if (others.length > 0) shell.say(othersLine(others));
  const left = runs.length + others.length === 0 ? leftFolders?.() : undefined;
  if (left?.runs) shell.say(leftLine(left));
  if (flags.has(JSON_OUTPUT.name)) {
    for (const run of runs) shell.out(`${JSON.stringify(shownRun(run))}\n`);
    return 0;
  }
  if (runs.length === 0 && !left?.runs)
    shell.say(`There are no runs ${where} yet. Begin one: ${shell.command("run", "<task>", ...remoteFlag)}`);
  else if (runs.length > 0) {
    const rows = runs.map((run) => rowOf(run, Date.now()));
    const [head = "", ...lines] = table(COLUMNS, rows, shell.resultColumns).trimEnd().split("\n");
    const paint = paintFor(shell);
    const painted = runs.map((run, at) => paintStatus(paint, run, lines[at] ?? ""));
    shell.out(`${[paint("dim", head), ...painted].join("\n")}\n`);
    if (found.length > most)
      shell.say(`There are more: ${shell.command("list", "--limit", String(moreThan(most)), ...remoteFlag)}`);
  }
  return 0;
};

const SHOWN = 50;

/** A round number, and more than a few: 50, 500, … */
function moreThan(most: number): number {
  let more = SHOWN;
  while (more <= most) more *= 10;
  return more;
}

/** With --json all of them, unless --limit is given. */
function mostIn(flags: ReadonlyMap<string, string>): number {
  const given = flags.get("--limit");
  if (given === undefined) return flags.has(JSON_OUTPUT.name) ? Number.POSITIVE_INFINITY : SHOWN;
  const read = wholeNumber(1)(given);
  if ("value" in read) return read.value;
  throw usage({ name: "list" }, `--limit takes ${read.expected}; "${given}" is none.`);
}

const COLUMNS: Column[] = [
  { head: "RUN" },
  { head: "STATUS", least: 9 },
  { head: "DONE", from: 40 },
  { head: "COST", from: 56 },
  { head: "AGE", from: 48 },
  { head: "BEGAN", from: 96 },
  { head: "NAME", least: 8 },
];

const othersLine = (ids: string[]): string =>
  `${pluralize(ids.length, "run")} that this version of l2mac cannot read: ${ids.join(", ")} (status says why)`;

const leftLine = ({ folder, runs }: { folder: string; runs: number }): string =>
  `The registry tells of no runs, but ${folder} holds ${pluralize(runs, "folder")} of runs: registry.sqlite is gone or empty.\n` +
  `Put it back beside them, make it again (l2mac repair), or unpack their files by hand: unzip "${folder}/<run>/output/*.zip" -d DIR\n` +
  "(a run that is not completed has them in packs: a whole zip, then one of changes for each instruction).";

const rowOf = (run: Run, now: number): string[] => [
  shortId(run.id),
  statusText(run) + nextTryOf(run, now),
  doneOf(run),
  money(run.microUsd),
  span(now - Date.parse(run.createdAt)),
  localMinute(run.createdAt),
  sanitizeLine(run.name),
];

/** `next try in 3h05` of a run that goes on by itself. */
export const nextTryOf = (run: Run, now: number): string =>
  isAsleep(run) ? `, next try in ${span(Date.parse(run.waitUntil ?? "") - now)}` : "";

/** Accepted instructions of all. */
export const doneOf = (run: Run): string =>
  run.instructions === 0
    ? "-"
    : `${acceptedOf(run)}/${run.instructions}${run.skipped ? `, ${run.skipped} skipped` : ""}`;
