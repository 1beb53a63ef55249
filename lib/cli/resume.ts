/** `l2mac resume`: goes on with a run that stopped, in the same folder, perhaps with higher ceilings. */
import type { Budget, Run } from "../core/run.ts";
import { hostOf, isRehearsal, refuseMissingKey, refusePricedServer } from "../local/open-model.ts";
import type { Command } from "./commands.ts";
import { computeInFront } from "./compute.ts";
import { JSON_OUTPUT } from "./flags.ts";
import { findRun } from "./open.ts";
import { announce, openToCompute } from "./run.ts";
import { type Settings, settingsSaid } from "./settings.ts";
import { wishOf } from "./submission.ts";

export const resume: Command = async ({ words, flags }, shell) => {
  const settings = settingsSaid({ ...shell, flags });
  const { machine, listen } = await openToCompute(shell, settings);
  const found = await findRun(machine, words[0]);
  const server = settings.baseUrl ?? found.options.baseUrl;
  if (!isRehearsal(found)) {
    refuseMissingKey({ ...wishOf(settings, shell), model: found.profile.model, baseUrl: server });
    refusePricedServer(found, server);
  }
  const moved = serverNotice(found, server);
  const resumed = await machine.resume(found.id, ceilingsIn(flags, settings));
  if (moved) shell.say(moved);
  announce(shell, machine, { run: resumed, baseUrl: server });
  return computeInFront({
    shell,
    machine,
    listen,
    run: resumed,
    json: flags.has(JSON_OUTPUT.name),
    after: found.events,
    work: (signal) => machine.compute(found.id, signal),
  });
};

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

const serverNotice = (run: Run, server: string | undefined): string | undefined =>
  isRehearsal(run) || server === run.options.baseUrl
    ? undefined
    : `This run began at ${hostOf({ baseUrl: run.options.baseUrl })} and goes on at ${hostOf({ baseUrl: server })}.`;
