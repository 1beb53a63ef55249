/** Continues a run that stopped, in the same folder and in the foreground. */
import type { Run } from "../../core/run/run.ts";
import { hostOf, isRehearsal } from "../../model/open-model.ts";
import type { Arguments } from "../command.ts";
import type { Shell } from "../display/shell.ts";
import { sayWrapped } from "../display/wrap.ts";
import { JSON_OUTPUT, QUIET } from "../settings/flags.ts";
import { type Settings, settingsSaid } from "../settings/settings.ts";
import { announced } from "./announced.ts";
import { chooseNameAndFolder } from "./choose-name.ts";
import { computeInForeground, deliverAndReport } from "./compute.ts";
import { type Computer, openComputer } from "./connection.ts";
import { findRun } from "./find-run.ts";
import { pickRun, type RunChoice } from "./pick-run.ts";

export interface Continuation {
  given: Arguments;
  shell: Shell;
  /** Begins the next epoch. */
  begin: (computer: Computer, run: Run, settings: Settings) => Promise<Run>;
  /** How a run is picked where none is named; absent: the latest. */
  choice?: RunChoice;
  /** Whether only the delivery is left: then nothing begins. */
  isOver?: (computer: Computer, run: Run) => Promise<boolean>;
}

/** Answers the exit code. */
export async function continueRun({ given, shell, begin, choice, isOver }: Continuation): Promise<number> {
  const { words, flags } = given;
  const settings = settingsSaid({ ...shell, flags });
  const computer = await openComputer(given, shell, settings);
  const found = await (choice ? pickRun(computer, words[0], choice) : findRun(computer, words[0]));
  const branch = await computer.branch(found);
  const folder = branch ? undefined : await folderFor(computer, found, shell);
  const json = flags.has(JSON_OUTPUT.name);
  if (await isOver?.(computer, found)) return deliverAndReport({ shell, computer, folder, branch, json }, found);
  const moved = movedServerLine(computer, found, settings);
  const run = await begin(computer, found, settings);
  if (moved) shell.say(moved);
  const quiet = flags.has(QUIET.name);
  if (!quiet) sayWrapped(shell, await announced(computer, run, { settings }));
  return computeInForeground({ shell, computer, run, folder, branch, json, quiet, after: found.events });
}

/** A run elsewhere perhaps began from another computer: then it gets a free folder on this one. */
async function folderFor(computer: Computer, run: Run, { cwd }: Shell): Promise<string | undefined> {
  const known = await computer.folder(run);
  if (known !== undefined || !computer.elsewhere) return known;
  const options = {
    title: run.name,
    name: undefined,
    out: undefined,
    workspace: undefined,
    cwd,
    taken: new Set<string>(),
  };
  return (await chooseNameAndFolder(options)).out;
}

function movedServerLine({ elsewhere }: Computer, run: Run, { baseUrl }: Settings): string | undefined {
  const began = run.options.baseUrl;
  if (elsewhere || isRehearsal(run) || baseUrl === undefined || baseUrl === began) return undefined;
  return `This run began at ${hostOf({ baseUrl: began })} and goes on at ${hostOf({ baseUrl })}.`;
}
