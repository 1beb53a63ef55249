/** `l2mac resume`: goes on with a run that stopped, perhaps with higher ceilings. */
import type { Budget } from "../core/run.ts";
import type { Command } from "./commands.ts";
import { goOn } from "./go-on.ts";
import type { Settings } from "./settings.ts";

export const resume: Command = (given, shell) =>
  goOn({
    given,
    shell,
    begin: (computer, run, settings) => computer.resume(run, ceilingsIn(given.flags, settings)),
  });

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
