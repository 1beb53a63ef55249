/** A deployed stack computes: a task is submitted through its API and followed from here, and its files are fetched. */

import { followRun } from "../../client/follow-run.ts";
import { projectVersion } from "../../files/project-files.ts";
import { hostOf, isRehearsal } from "../../model/open-model.ts";
import { announcement } from "../display/announce.ts";
import type { Shell } from "../display/shell.ts";
import { usage } from "../settings/parse.ts";
import { homeOf, type Settings } from "../settings/settings.ts";
import type { RemoteAddress } from "./remote-address.ts";
import { openAnnounced, pointing, rememberFolder, remoteRuns } from "./remote-runs.ts";
import { prepareRemote } from "./remote-submission.ts";
import type { Computer } from "./runs.ts";

interface Said {
  settings: Settings;
  flags: ReadonlyMap<string, string>;
}

export async function openRemoteComputer(
  address: RemoteAddress,
  shell: Shell,
  { settings, flags }: Said,
): Promise<Computer> {
  if (flags.has("--base-url")) throw serverIsTheirs();
  const api = await openAnnounced(address, shell);
  const home = homeOf(shell);
  const runs = remoteRuns(api, { remoteFlag: address.remoteFlag, home });
  return {
    ...runs,
    announcement: (run) => {
      const host = isRehearsal(run) ? "" : hostOf({ baseUrl: run.options.baseUrl, model: run.profile.model });
      return announcement({ run, host, version: projectVersion(), places: [runs.where] });
    },
    async submit(given) {
      const { body, folder, notices } = await prepareRemote({ given, shell, settings, api });
      for (const notice of notices) shell.say(notice);
      const id = await api.submit(body);
      const run = await api.run(id);
      if (!run) throw new Error(`The API submitted run ${id} and does not know it.`);
      await rememberFolder(home, run, folder);
      return { run, folder };
    },
    async resume(run, ceilings) {
      await pointing(address.remoteFlag, api.resume(run, ceilings));
      return (await api.run(run.id)) ?? run;
    },
    async approve(run, program) {
      await pointing(address.remoteFlag, api.approve(run, program));
      return (await api.run(run.id)) ?? run;
    },
    compute: (run, { after, show, signal }) => followRun(api, run.id, { after, show, signal }),
  };
}

const serverIsTheirs = () =>
  usage(
    { name: "run" },
    "--base-url says nothing to --remote: which model server is asked was chosen where the API runs, with its key.",
  );
