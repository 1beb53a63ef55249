/** Connects a command to the runs of this computer. */
import { type LocalClient, openExistingRuns, openLocalClient } from "../../client/in-process.ts";
import type { Shell } from "../display/shell.ts";
import { modelServerIn } from "../settings/model-server.ts";
import { madeHome, ownHome } from "../settings/own-home.ts";
import {
  dailyUsdOf,
  type Layers,
  readableSettings,
  readSettings,
  refuseUntrusted,
  type Settings,
} from "../settings/settings.ts";
import { telemetryIn } from "../settings/telemetry.ts";
import { unsealedBy } from "../settings/unsealed.ts";
import { readableWebhookIn, webhookIn } from "../settings/webhook.ts";
import type { Computer, Connection } from "./connection.ts";

/** Works though the configuration is wrong. */
export async function readHome(shell: Shell): Promise<Connection> {
  const { env } = shell;
  const webhook = readableWebhookIn(shell);
  const { dailyUsd } = readableSettings(shell);
  return connectionOf(
    await openExistingRuns({ home: ownHome(shell), env, webhook, dailyUsd, onFullDisk: fullDiskLine(shell) }),
  );
}

export async function openLocalComputer(shell: Shell, settings: Settings, flags: Layers["flags"]): Promise<Computer> {
  const { env } = shell;
  // Without them, no notification and no span would be sent.
  refuseUntrusted({ ...shell, flags }, ["webhook", "otel"]);
  // Until there is a progress to speak through, what is announced is said plainly.
  let say = shell.say;
  const client = await openLocalClient({
    home: madeHome(shell),
    env,
    server: modelServerIn(settings, env),
    dailyUsd: dailyUsdOf(shell),
    webhook: webhookIn(shell),
    telemetry: await telemetryIn(env, readSettings({ ...shell, flags }).otel),
    announce: (line) => say(line),
    onFullDisk: fullDiskLine(shell),
    unsealed: unsealedBy({ ...shell, flags }, shell),
  });
  return {
    ...connectionOf(client),
    submit: (body, trees, { folder, branch }) => client.submit(body, trees, { out: folder, branch }),
    back: (run, way, { folder, branch }) => client.back(run, way, { out: folder, branch }),
    fork: (run, fork, { folder, branch }) => client.fork(run, fork, { out: folder, branch }),
    make: (run, body, { folder, branch }) => client.make(run, body, { out: folder, branch }),
    async places() {
      const { sealed, how } = await client.sealed();
      return [sealed ? `sealed (${how})` : `unsealed (${how})`, `home ${client.home}`];
    },
    compute(run, following) {
      say = following.say;
      return client.compute(run.id, following);
    },
  };
}

export const fullDiskLine =
  (shell: Shell) =>
  (home: string): void => {
    const removal = shell.command("delete", "<run>", "--yes");
    shell.say(`The disk of ${home} is full: runs that died could not be marked. Make room: ${removal}`);
  };

const connectionOf = (client: LocalClient): Connection => ({
  ...client,
  where: `in ${client.home}`,
  remoteFlag: [],
  elsewhere: false,
  isComputed: ({ id }) => client.isComputed(id),
  replay: ({ id }, pack) => client.replay(id, pack),
  requests: ({ id }, wanted) => client.requests(id, wanted),
  folder: async ({ options }) => options.out,
  branch: async ({ options }) => options.branch,
  record: ({ id }) => client.deliveryRecord(id),
});
