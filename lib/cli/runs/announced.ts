/** The line with which a run begins, for this connection. */
import type { Run } from "../../core/run/run.ts";
import { projectVersion } from "../../files/project-files.ts";
import { hostOf, isRehearsal } from "../../model/open-model.ts";
import { announcement } from "../display/announce.ts";
import type { Settings } from "../settings/settings.ts";
import type { Computer } from "./connection.ts";

export function announced(computer: Computer, run: Run, settings: Settings): string {
  const own = computer.elsewhere ? undefined : settings.baseUrl;
  const baseUrl = own ?? run.options.baseUrl;
  const { model, api } = run.profile;
  const host = isRehearsal(run) ? "" : hostOf({ ...(api ? {} : { baseUrl }), model });
  return announcement({ run, host, version: projectVersion(), places: computer.places() });
}
