/** `l2mac resume`: goes on with a run that stopped, perhaps with higher ceilings. */
import type { Budget } from "../../core/run/option-forms.ts";
import type { Run } from "../../core/run/run.ts";
import type { Command } from "../command.ts";
import { continueRun } from "../runs/continue-run.ts";
import { isUndelivered } from "../runs/pending-delivery.ts";
import type { Settings } from "../settings/settings.ts";

export const resume: Command = (given, shell) =>
  continueRun({
    given,
    shell,
    begin: (computer, run, settings) => computer.resume(run, ceilingsIn(given.flags, settings)),
    isOver: async (computer, run) => standsAtItsEnd(run, given.flags) && (await isUndelivered(computer, run)),
  });

/** What failed or was cancelled goes on, as does what is given more: that is delivered at its next end. */
const standsAtItsEnd = ({ status }: Run, flags: ReadonlyMap<string, string>): boolean =>
  status === "completed" || (status === "partial" && !CEILINGS.some((flag) => flags.has(flag)));

const CEILINGS = ["--budget", "--max-tokens", "--max-turns", "--max-minutes"];

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
