/** Connects a command to the runs of a deployed stack, or of a server on this computer. */
import { rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { followRun } from "../../client/follow-run.ts";
import { type HttpClient, openHttpClient } from "../../client/http.ts";
import { UserError } from "../../core/errors.ts";
import { isAsleep, isEnded, type Run } from "../../core/run/run.ts";
import { readDeliveries, writeDeliveries } from "../../files/delivery-record.ts";
import { makeOwnHome } from "../../host/home-owner.ts";
import { checkAwsProfile } from "../deploy/check-aws-profile.ts";
import type { Shell } from "../display/shell.ts";
import { madeHome, ownHome } from "../settings/own-home.ts";
import { usage } from "../settings/parse.ts";
import type { Computer, Connection } from "./connection.ts";
import type { Destination } from "./destination.ts";
import { provenServer } from "./proven-server.ts";
import { readRememberedBranch, rememberBranch } from "./remembered-branch.ts";
import type { RemoteAddress } from "./remote-address.ts";
import { withRegion } from "./remote-region.ts";

export async function connectTo(address: RemoteAddress, shell: Shell): Promise<Connection> {
  return connectionOf(await openAnnounced(address, shell), {
    remoteFlag: address.remoteFlag,
    home: ownHome(shell),
    env: shell.env,
  });
}

export async function openRemoteComputer(
  address: RemoteAddress,
  shell: Shell,
  flags: ReadonlyMap<string, string>,
): Promise<Computer> {
  if (flags.has("--base-url")) throw serverIsChosenThere();
  const client = await openAnnounced(address, shell);
  const home = madeHome(shell);
  const connection = connectionOf(client, { remoteFlag: address.remoteFlag, home, env: shell.env });
  return {
    ...connection,
    async submit(body, trees, { folder, branch }) {
      const submitted = await client.submit(body, trees);
      await rememberPlace(recordOf(home, submitted), { folder, branch });
      return submitted;
    },
    async back(run, way, destination) {
      const begun = await withFlag(address.remoteFlag, client.back(run, way));
      await rememberPlace(recordOf(home, begun), destination);
      return begun;
    },
    async fork(run, fork, destination) {
      const begun = await withFlag(address.remoteFlag, client.fork(run, fork));
      await rememberPlace(recordOf(home, begun), destination);
      return begun;
    },
    async make(run, body, destination) {
      const begun = await withFlag(address.remoteFlag, client.make(run, body));
      await rememberPlace(recordOf(home, begun), destination);
      return begun;
    },
    places: () => [connection.where],
    compute: ({ id }, { after, show, signal }) => followRun(client, id, { after, show, signal }),
  };
}

const serverIsChosenThere = () =>
  usage(
    { name: "run" },
    "--base-url says nothing to --remote: which model server is asked was chosen where the API runs, with its key.",
  );

/** Shown before any request, so that the user knows where the runs are. */
export async function openAnnounced({ url, from }: RemoteAddress, shell: Shell): Promise<HttpClient> {
  checkAwsProfile(url, shell.env);
  const proven = await provenServer(url, shell);
  const client = await openHttpClient({ ...proven, env: await withRegion(url, shell.env) });
  shell.say(remoteLine(client, from));
  return client;
}

export const remoteLine = ({ url, as }: Pick<HttpClient, "url" | "as">, from?: string): string =>
  `Remote: ${url} as ${as}${from === undefined ? "" : ` (${from})`}`;

interface RemoteRuns {
  remoteFlag: readonly string[];
  /** Where this computer remembers what it fetched. */
  home: string;
  env: Shell["env"];
}

function connectionOf(client: HttpClient, { remoteFlag, home, env }: RemoteRuns): Connection {
  return {
    ...client,
    where: `at ${client.url}`,
    remoteFlag,
    elsewhere: true,
    isComputed: (run) => (run.status === "waiting" ? isAsleep(run) : !isEnded(run.status)),
    resume: (run, changes) => withFlag(remoteFlag, client.resume(run, changes)),
    approve: (run, program) => withFlag(remoteFlag, client.approve(run, program)),
    revise: (run, feedback) => withFlag(remoteFlag, client.revise(run, feedback)),
    answer: (run, given) => withFlag(remoteFlag, client.answer(run, given)),
    reject: (run) => withFlag(remoteFlag, client.reject(run)),
    planMake: (run, body) => withFlag(remoteFlag, client.planMake(run, body)),
    cancel: (run) => withFlag(remoteFlag, client.cancel(run)),
    async remove(run) {
      const removed = await withFlag(remoteFlag, client.remove(run));
      await rm(dirname(recordOf(home, run)), { recursive: true, force: true });
      return removed;
    },
    async replay(run, pack) {
      // The whole machine of this computer, which no other command about remote runs needs.
      const { replayJournal } = await import("../../client/in-process.ts");
      return replayJournal(client, run, pack);
    },
    async requests(run, wanted) {
      const { requestsInJournal } = await import("../../client/in-process.ts");
      return requestsInJournal(client, run, wanted);
    },
    folder: async (run) => Object.keys(await readDeliveries(recordOf(home, run))).at(-1),
    branch: async (run) => readRememberedBranch(recordOf(home, run)),
    record(run) {
      // What is written there makes the home, which is the user's own.
      makeOwnHome({ home, env });
      return recordOf(home, run);
    },
    close: () => {},
  };
}

/** Commands that the API names find the run from this computer only with `--remote`. */
async function withFlag<Value>(remoteFlag: readonly string[], work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof UserError) || typeof error.remedy !== "object") throw error;
    const remedy = { ...error.remedy, args: [...error.remedy.args, ...remoteFlag] };
    throw new UserError(error.message, { exitCode: error.exitCode, remedy, cause: error });
  }
}

const recordOf = (home: string, { id }: Pick<Run, "id">): string => join(home, "remote", id, "delivered.json");

async function rememberPlace(record: string, { folder, branch }: Destination): Promise<void> {
  if (branch) await rememberBranch(record, branch);
  if (folder !== undefined) await rememberFolder(record, folder);
}

/** Commands that fetch the files later find it. That it cannot be written harms nothing else. */
async function rememberFolder(record: string, folder: string): Promise<void> {
  await writeDeliveries(record, { [resolve(folder)]: {} }).catch(() => {});
}
