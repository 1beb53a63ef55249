/** `l2mac report`: writes what a run did as a page that opens anywhere, with its pictures as SVG and CSV beside it. */
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { UserError } from "../core/errors.ts";
import { groundAt } from "../local/delivery.ts";
import { makeFolder } from "../local/make-folder.ts";
import { explainFile } from "../local/storage-errors.ts";
import { csv } from "../pictures/csv.ts";
import { alone } from "../pictures/frame.ts";
import type { History } from "../pictures/picture.ts";
import { pictures } from "../pictures/pictures.ts";
import { reportPage } from "../pictures/report-page.ts";
import { NO_FOLDER } from "./choose-place.ts";
import type { Command } from "./commands.ts";
import { findRun } from "./find-run.ts";
import { openRuns } from "./open-runs.ts";
import { quoted, shortId } from "./words.ts";

export const report: Command = async (given, shell) => {
  const runs = await openRuns(given, shell);
  const run = await findRun(runs, given.words[0]);
  const folder = resolve(shell.cwd, given.flags.get("--out") ?? `${run.name}-report`);
  const ground = await groundAt(folder);
  if (ground !== "free") {
    throw new UserError(`${folder} ${ground === "occupied" ? "is not empty" : NO_FOLDER}.`, {
      exitCode: 2,
      remedy: `l2mac report ${shortId(run.id)} --out ${quoted(`${run.name}-report-2`)}${runs.flag}`,
    });
  }
  const [program, turns] = await Promise.all([runs.program(run), runs.turns(run)]);
  runs.close();
  const page = await writeReport(folder, { run, program, turns }).catch((error: unknown) => {
    throw explainFile(error, folder);
  });
  shell.out(`${page}\n`);
  return 0;
};

/** Answers the page's path. */
async function writeReport(folder: string, history: History): Promise<string> {
  const beside = join(folder, "pictures");
  makeFolder(beside);
  for (const { name, svg, rows } of pictures) {
    const drawn = svg(history);
    if (drawn) await writeFile(join(beside, `${name}.svg`), alone(drawn));
    await writeFile(join(beside, `${name}.csv`), csv(rows(history)));
  }
  const page = join(folder, "index.html");
  await writeFile(page, reportPage(history));
  return page;
}
