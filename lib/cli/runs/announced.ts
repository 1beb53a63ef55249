/** The line with which a run begins, for this connection. */
import type { Run } from "../../core/run/run.ts";
import { projectVersion } from "../../files/project-files.ts";
import { hostOf, isRehearsal } from "../../model/open-model.ts";
import { announcement } from "../display/announce.ts";
import type { Shell } from "../display/shell.ts";
import { modelServerIn } from "../settings/model-server.ts";
import type { Settings } from "../settings/settings.ts";
import type { Computer } from "./connection.ts";

interface Announcing {
  settings: Settings;
  /** Of a new run: it may have chosen the model. */
  env?: Shell["env"];
}

export async function announced(computer: Computer, run: Run, { settings, env }: Announcing): Promise<string> {
  const own = computer.elsewhere ? undefined : settings.baseUrl;
  const baseUrl = own ?? run.options.baseUrl;
  const { model, api } = run.profile;
  const host = isRehearsal(run) ? "" : hostOf({ ...(api ? {} : { baseUrl }), model });
  const chosen = env && !computer.elsewhere ? modelServerIn(settings, env) : {};
  const because = chosen.model === model ? chosen.because : undefined;
  return announcement({ run, host, because, version: projectVersion(), places: await computer.places() });
}
