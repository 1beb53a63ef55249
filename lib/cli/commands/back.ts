/** `l2mac back RUN --to N`: a new run that begins as another stood before an instruction; that one is not touched. */

import { protectStart } from "../../files/git/run-branch.ts";
import type { Command } from "../command.ts";
import { sayWrapped } from "../display/wrap.ts";
import { announced } from "../runs/announced.ts";
import { destinationOfWayBack } from "../runs/choose-destination.ts";
import { computeInForeground } from "../runs/compute.ts";
import { openComputer } from "../runs/connection.ts";
import { findRun } from "../runs/find-run.ts";
import { TO } from "../settings/command-flags.ts";
import { JSON_OUTPUT, QUIET } from "../settings/flags.ts";
import { usage } from "../settings/parse.ts";
import { wholeNumber } from "../settings/read-value.ts";
import { settingsSaid } from "../settings/settings.ts";

/** Of the latest runs, whose names a new one does not take. */
const NAMES_LOOKED_AT = 100;

export const back: Command = async (given, shell) => {
  const { words, flags } = given;
  const to = readTo(flags.get(TO.name));
  const settings = settingsSaid({ ...shell, flags });
  const computer = await openComputer(given, shell, settings);
  const found = await findRun(computer, words[0]);
  const latest = await computer.runs({ atMost: NAMES_LOOKED_AT });
  const names = {
    ...{ title: found.name, name: flags.get("--name"), out: flags.get("--out"), cwd: shell.cwd },
    workspace: undefined,
    taken: new Set(latest.map((run) => run.name)),
  };
  const { name, notices, ...destination } = await destinationOfWayBack(computer, found, { to, names });
  const run = await computer.back(found, { to, name }, destination);
  const { branch } = destination;
  if (branch) await protectStart(branch.repository, run.id, branch.start);
  const [json, quiet] = [flags.has(JSON_OUTPUT.name), flags.has(QUIET.name)];
  if (!quiet) for (const line of [...notices, await announced(computer, run, { settings })]) sayWrapped(shell, line);
  return computeInForeground({ shell, computer, run, ...destination, json, quiet, after: 0 });
};

function readTo(text: string | undefined): number {
  if (text === undefined) throw usage({ name: "back" }, "back needs --to N: the instruction to begin with.");
  const read = wholeNumber(1)(text);
  if ("value" in read) return read.value;
  throw usage({ name: "back" }, `--to takes ${read.expected}; "${text}" is none.`);
}
