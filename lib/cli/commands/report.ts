/** `l2mac report`: writes what a run did as a page that opens anywhere, with its charts as SVG and CSV beside it. */
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import {
  CHARTS_FOLDER,
  chartDataOf,
  chartFile,
  charts,
  csv,
  type ReportInput,
  reportPage,
} from "../../../packages/page/index.ts";
import { followEvents } from "../../client/follow-run.ts";
import { UserError } from "../../core/errors.ts";
import { inOrder } from "../../core/program/program.ts";
import type { Event } from "../../core/run/event.ts";
import type { Run } from "../../core/run/run.ts";
import { shortId } from "../../core/text/format.ts";
import { groundAt, isOccupied } from "../../files/delivery.ts";
import { makeFolder } from "../../host/make-folder.ts";
import { explainFile } from "../../host/storage-errors.ts";
import type { Command } from "../command.ts";
import { NO_FOLDER } from "../runs/choose-name.ts";
import { type Connection, connect } from "../runs/connection.ts";
import { findRun } from "../runs/find-run.ts";

export const report: Command = async (given, shell) => {
  const connection = await connect(given, shell);
  const run = await findRun(connection, given.words[0]);
  const folder = resolve(shell.cwd, given.flags.get("--out") ?? `${run.name}-report`);
  const ground = await groundAt(folder);
  if (ground !== "free") {
    const out = ground === "occupied" ? await freeBeside(folder, shell.cwd) : `${run.name}-report-2`;
    throw new UserError(`${folder} ${ground === "occupied" ? "is not empty" : NO_FOLDER}.`, {
      exitCode: 2,
      remedy: { command: "report", args: [shortId(run.id), "--out", out, ...connection.remoteFlag] },
    });
  }
  const input = { ...(await inputOf(connection, run)), launcher: shell.launcher };
  connection.close();
  const page = await writeReport(folder, input).catch((error: unknown) => {
    throw explainFile(error, folder);
  });
  shell.out(`${page}\n`);
  return 0;
};

/** As short as it can be typed. */
async function freeBeside(folder: string, cwd: string): Promise<string> {
  for (let count = 2; ; count += 1) {
    const tried = `${folder}-${count}`;
    if (await isOccupied(tried)) continue;
    const from = relative(cwd, tried);
    return from.startsWith("..") ? tried : from;
  }
}

async function inputOf(connection: Connection, run: Run): Promise<Omit<ReportInput, "launcher">> {
  const events: Event[] = [];
  const show = (more: Event[]): void => void events.push(...more);
  const [program, turns] = await Promise.all([
    connection.program(run.id),
    connection.turns(run.id),
    followEvents(connection, run.id, { after: 0, until: "now", show }),
  ]);
  return {
    run,
    program: { ...program, requirements: inOrder(program.requirements) },
    turns,
    events,
    place: connection,
  };
}

/** Returns the path of the page. */
async function writeReport(folder: string, input: ReportInput): Promise<string> {
  const beside = join(folder, CHARTS_FOLDER);
  makeFolder(beside);
  const data = chartDataOf(input);
  for (const chart of charts) {
    const drawn = chartFile(chart, data);
    if (drawn !== undefined) await writeFile(join(beside, `${chart.name}.svg`), drawn);
    await writeFile(join(beside, `${chart.name}.csv`), csv(chart.rows(data)));
  }
  const page = join(folder, "index.html");
  await writeFile(page, reportPage(input, digest));
  return page;
}

const digest = (text: string): string => createHash("sha256").update(text).digest("base64");
