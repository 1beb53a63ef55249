/** `l2mac resume`: goes on with a run that stopped, in the same folder, perhaps with higher ceilings. */
import type { Budget, Run } from "../core/run.ts";
import { choosePlace } from "./choose-place.ts";
import type { Command } from "./commands.ts";
import { computeInFront } from "./compute.ts";
import { findRun } from "./find-run.ts";
import { JSON_OUTPUT } from "./flags.ts";
import { openComputer } from "./open-computer.ts";
import type { Computer } from "./runs.ts";
import { type Settings, settingsSaid } from "./settings.ts";
import type { Shell } from "./shell.ts";

export const resume: Command = async (given, shell) => {
  const { words, flags } = given;
  const settings = settingsSaid({ ...shell, flags });
  const computer = await openComputer(given, shell, settings);
  const found = await findRun(computer, words[0]);
  const folder = await folderFor(computer, found, shell);
  const run = await computer.resume(found, ceilingsIn(flags, settings));
  shell.say(computer.announcement(run));
  return computeInFront({ shell, computer, run, folder, json: flags.has(JSON_OUTPUT.name), after: found.events });
};

/** What is computed elsewhere was perhaps begun elsewhere too: then it gets a folder here that is free. */
async function folderFor(computer: Computer, run: Run, { cwd }: Shell): Promise<string | undefined> {
  const known = await computer.folder(run);
  if (known !== undefined || !computer.elsewhere) return known;
  return (await choosePlace({ title: run.name, name: undefined, out: undefined, cwd, taken: new Set() })).out;
}

/** Only what is said for this command: a run keeps its ceilings, whatever holds for the next one. */
function ceilingsIn(flags: ReadonlyMap<string, string>, settings: Settings): Budget {
  const said = <Value>(flag: string, value: Value | undefined): Value | undefined =>
    flags.has(flag) ? value : undefined;
  const ceilings = {
    usd: said("--budget", settings.budget),
    tokens: said("--max-tokens", settings.maxTokens),
    turns: said("--max-turns", settings.maxTurns),
    minutes: said("--max-minutes", settings.maxMinutes),
  };
  return Object.fromEntries(Object.entries(ceilings).filter(([, value]) => value !== undefined));
}
