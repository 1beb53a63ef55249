/** Goes on with a run that stands still, in the same folder, in front of somebody. */
import type { Run } from "../../core/run/run.ts";
import type { Arguments } from "../command.ts";
import type { Shell } from "../display/shell.ts";
import { JSON_OUTPUT } from "../settings/flags.ts";
import { type Settings, settingsSaid } from "../settings/settings.ts";
import { choosePlace } from "./choose-place.ts";
import { computeInFront, endInFront } from "./compute.ts";
import { findRun } from "./find-run.ts";
import { type OnlyAsked, onlyRun } from "./only-run.ts";
import { openComputer } from "./open-computer.ts";
import type { Computer } from "./runs.ts";

export interface GoingOn {
  given: Arguments;
  shell: Shell;
  /** Begins the next epoch. */
  begin: (computer: Computer, run: Run, settings: Settings) => Promise<Run>;
  /** Which run is meant where none is named; absent: the latest. */
  only?: OnlyAsked;
  /** Whether all that is left to do is to deliver it: then nothing begins. */
  isOver?: (computer: Computer, run: Run) => Promise<boolean>;
}

/** Answers the exit code. */
export async function goOn({ given, shell, begin, only, isOver }: GoingOn): Promise<number> {
  const { words, flags } = given;
  const settings = settingsSaid({ ...shell, flags });
  const computer = await openComputer(given, shell, settings);
  const found = await (only ? onlyRun(computer, words[0], only) : findRun(computer, words[0]));
  const folder = await folderFor(computer, found, shell);
  const json = flags.has(JSON_OUTPUT.name);
  if (await isOver?.(computer, found)) return endInFront({ shell, computer, folder, json }, found);
  const run = await begin(computer, found, settings);
  shell.say(computer.announcement(run));
  return computeInFront({ shell, computer, run, folder, json, after: found.events });
}

/** What is computed elsewhere was perhaps begun elsewhere too: then it gets a folder here that is free. */
async function folderFor(computer: Computer, run: Run, { cwd }: Shell): Promise<string | undefined> {
  const known = await computer.folder(run);
  if (known !== undefined || !computer.elsewhere) return known;
  return (await choosePlace({ title: run.name, name: undefined, out: undefined, cwd, taken: new Set() })).out;
}
