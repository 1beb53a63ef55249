/** This computer computes: the machine with its model server and its sandbox. */
import type { Run } from "../../core/run/run.ts";
import { projectVersion } from "../../files/project-files.ts";
import type { LocalMachine } from "../../local/open.ts";
import { hostOf, isRehearsal, refuseMissingKey, refusePricedServer } from "../../model/open-model.ts";
import { announcement } from "../display/announce.ts";
import type { Shell } from "../display/shell.ts";
import { dailyUsdOf, type Layers, type Settings } from "../settings/settings.ts";
import { unsealedBy } from "../settings/unsealed.ts";
import { localRuns, workShown } from "./local-runs.ts";
import { openHere } from "./open.ts";
import type { Computer, Showing } from "./runs.ts";
import { prepareRun, wishOf } from "./submission.ts";

export interface LocalComputer {
  computer: Computer;
  machine: LocalMachine;
  /** Does the work, with what is announced meanwhile among its progress. */
  shown(runId: string, showing: Showing, work: (signal: AbortSignal) => Promise<Run>): Promise<Run>;
}

export async function openLocalComputer(
  shell: Shell,
  settings: Settings,
  flags: Layers["flags"],
): Promise<LocalComputer> {
  // Until there is a progress to speak through, what is announced is said plainly.
  let say = shell.say;
  const { apiKey, baseUrl } = wishOf(settings, shell);
  const machine = await openHere(shell, {
    ...{ apiKey, baseUrl, dailyUsd: dailyUsdOf(shell) },
    announce: (line) => say(line),
    unsealed: unsealedBy({ ...shell, flags }, shell),
  });
  const shown: LocalComputer["shown"] = (runId, showing, work) => {
    say = showing.say;
    return workShown(machine, runId, { ...showing, work });
  };
  const goOn = async (run: Run, begin: () => Promise<Run>): Promise<Run> => {
    const moved = movedServer(run, { settings, shell });
    const begun = await begin();
    if (moved) shell.say(moved);
    return begun;
  };
  const computer: Computer = {
    ...localRuns(machine),
    announcement: (run) => announced(machine, run, settings),
    async submit(given) {
      const { submission, notices } = await prepareRun({ given, shell, settings, machine });
      for (const notice of notices) shell.say(notice);
      const run = await machine.submit(submission);
      return { run, folder: run.options.out };
    },
    resume: (run, ceilings) => goOn(run, () => machine.resume(run.id, ceilings)),
    approve: (run, program) => goOn(run, () => machine.approve(run.id, program)),
    compute: (run, showing) => shown(run.id, showing, (signal) => machine.compute(run.id, signal)),
  };
  return { computer, machine, shown };
}

export function announced(machine: LocalMachine, run: Run, { baseUrl = run.options.baseUrl }: Settings): string {
  const { sealed, how } = machine.sealed();
  const host = isRehearsal(run) ? "" : hostOf({ baseUrl, model: run.profile.model });
  const places = [sealed ? `sealed (${how})` : `unsealed (${how})`, `home ${machine.home}`];
  return announcement({ run, host, version: projectVersion(), places });
}

/** Refuses a server that the run cannot go on with; says where it goes on, if that is elsewhere. */
function movedServer(run: Run, { settings, shell }: { settings: Settings; shell: Shell }): string | undefined {
  if (isRehearsal(run)) return undefined;
  const began = run.options.baseUrl;
  const server = settings.baseUrl ?? began;
  refuseMissingKey({ ...wishOf(settings, shell), model: run.profile.model, baseUrl: server });
  refusePricedServer(run, server);
  if (server === began) return undefined;
  return `This run began at ${hostOf({ baseUrl: began })} and goes on at ${hostOf({ baseUrl: server })}.`;
}
