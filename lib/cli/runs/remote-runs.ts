/** The runs of a deployed stack, or of a server on this computer, through its API. */
import { rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { type Api, openApi } from "../../client/api.ts";
import { draftIn } from "../../control/program/stored-program.ts";
import { UserError } from "../../core/errors.ts";
import { isAsleep, isEnded, type Run } from "../../core/run/run.ts";
import { amendmentsIn } from "../../core/verdict/amendment.ts";
import { readDeliveries, writeDeliveries } from "../../files/delivery-record.ts";
import { refuseUnknownProfile } from "../deploy/known-profile.ts";
import type { Shell } from "../display/shell.ts";
import { homeOf } from "../settings/settings.ts";
import type { RemoteAddress } from "./remote-address.ts";
import { withRegion } from "./remote-region.ts";
import type { Runs } from "./runs.ts";

export async function openRemoteRuns(address: RemoteAddress, shell: Shell): Promise<Runs> {
  return remoteRuns(await openAnnounced(address, shell), { remoteFlag: address.remoteFlag, home: homeOf(shell) });
}

/** Said before anything is asked, so that nobody wonders where a run is. */
export async function openAnnounced({ url, from }: RemoteAddress, shell: Shell): Promise<Api> {
  refuseUnknownProfile(url, shell.env);
  const api = await openApi({ url, env: await withRegion(url, shell.env) });
  shell.say(remoteLine(api, from));
  return api;
}

export const remoteLine = ({ url, as }: Pick<Api, "url" | "as">, from?: string): string =>
  `Remote: ${url} as ${as}${from === undefined ? "" : ` (${from})`}`;

export interface RemotePlace {
  remoteFlag: readonly string[];
  /** Where this computer remembers what it fetched. */
  home: string;
}

export function remoteRuns(api: Api, { remoteFlag, home }: RemotePlace): Runs {
  return {
    where: `at ${api.url}`,
    remoteFlag,
    elsewhere: true,
    list: api.runs,
    run: api.run,
    isComputed: isUnderWay,
    day: ({ id }) => api.day(id),
    events: api.events,
    turns: ({ id }) => api.turns(id),
    files: ({ id }, at) => api.files(id, at),
    file: ({ id }, path, at) => api.file(id, { path, at }),
    async output(run, at) {
      if (run.packed < 0) return new Map();
      return api.output(run.id, at ?? (isEnded(run.status) ? undefined : run.packed));
    },
    program: async ({ id }) => draftIn(await api.program(id)),
    instructions: async ({ id }) => (await api.program(id)).instructions,
    amendments: async ({ id, amended }) => (amended ? amendmentsIn((await api.program(id)).instructions) : []),
    async reject(run) {
      await pointing(remoteFlag, api.reject(run));
      return (await api.run(run.id)) ?? run;
    },
    async cancel(run) {
      await pointing(remoteFlag, api.cancel(run));
      return (await api.run(run.id)) ?? run;
    },
    async remove(run) {
      const removed = await pointing(remoteFlag, api.remove(run));
      await rm(dirname(recordOf(home, run)), { recursive: true, force: true });
      return removed;
    },
    async replay(run, pack) {
      // The whole machine of this computer, which no other command about remote runs needs.
      const { replayFetched } = await import("../../local/open-replay.ts");
      return replayFetched(await api.journal(run), pack);
    },
    folder: async (run) => Object.keys(await readDeliveries(recordOf(home, run))).at(-1),
    record: (run) => recordOf(home, run),
    close: () => {},
  };
}

/** Commands that the API names find the run on this computer only with `--remote`. */
export async function pointing<Value>(remoteFlag: readonly string[], work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof UserError) || typeof error.remedy !== "object") throw error;
    const remedy = { ...error.remedy, args: [...error.remedy.args, ...remoteFlag] };
    throw new UserError(error.message, { exitCode: error.exitCode, remedy, cause: error });
  }
}

/** In computation, or asleep in it until a server takes calls again. */
const isUnderWay = (run: Run): boolean => (run.status === "waiting" ? isAsleep(run) : !isEnded(run.status));

const recordOf = (home: string, { id }: Run): string => join(home, "remote", id, "delivered.json");

/** Whoever fetches the files later need not say where to. That it cannot be written harms nothing else. */
export async function rememberFolder(home: string, run: Run, folder: string): Promise<void> {
  await writeDeliveries(recordOf(home, run), { [resolve(folder)]: {} }).catch(() => {});
}
