/** `l2mac run`: submits a task and computes it to the end. */

import type { Run } from "../core/run.ts";
import type { LocalMachine } from "../local/open.ts";
import { hostOf } from "../local/open-model.ts";
import { projectVersion } from "../local/project-files.ts";
import { announcement } from "./announce.ts";
import type { Command } from "./commands.ts";
import { computeInFront } from "./compute.ts";
import { JSON_OUTPUT } from "./flags.ts";
import { openHere } from "./open.ts";
import { readSettings, type Settings } from "./settings.ts";
import type { Shell } from "./shell.ts";
import { prepareRun, wishOf } from "./submission.ts";

export const run: Command = async (given, shell) => {
  const settings = readSettings({ ...shell, flags: given.flags });
  const { machine, listen } = await openToCompute(shell, settings);
  const { submission, notices } = await prepareRun({ given, shell, settings, machine, delivers: true });
  for (const notice of notices) shell.say(notice);
  const submitted = await machine.submit(submission);
  announce(shell, machine, { run: submitted, baseUrl: submitted.options.baseUrl });
  return computeInFront({
    shell,
    machine,
    listen,
    run: submitted,
    json: given.flags.has(JSON_OUTPUT.name),
    after: 0,
    work: (signal) => machine.compute(submitted.id, signal),
  });
};

export interface OpenToCompute {
  machine: LocalMachine;
  listen: (say: (line: string) => void) => void;
}

/** Until there is a progress to speak through, what is announced is said plainly. */
export async function openToCompute(shell: Shell, settings: Settings): Promise<OpenToCompute> {
  let say = shell.say;
  const { apiKey, baseUrl } = wishOf(settings, shell);
  const machine = await openHere(shell, { apiKey, baseUrl, announce: (line) => say(line) });
  return {
    machine,
    listen: (listener) => {
      say = listener;
    },
  };
}

export function announce(
  shell: Shell,
  machine: LocalMachine,
  { run, baseUrl }: { run: Run; baseUrl?: string | undefined },
): void {
  const host = hostOf({ baseUrl, model: run.profile.model });
  shell.say(announcement({ run, host, version: projectVersion(), home: machine.home, sealed: machine.sealed() }));
}
