/** `l2mac serve`: the API on this computer, until a signal stops it. */
import { realpathSync } from "node:fs";
import { openSwept } from "../../client/in-process.ts";
import { toBody } from "../../core/run/option-forms.ts";
import { pluralize } from "../../core/text/format.ts";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import { createFolderPrograms } from "../../files/program/folder-programs.ts";
import { recordServer } from "../../host/server-records.ts";
import { createConsent } from "../../host/user-trust.ts";
import { type Served, serve as serveApi } from "../../local/server/serve.ts";
import { reasonOf } from "../../model/default-model.ts";
import type { Arguments, Command } from "../command.ts";
import type { Shell } from "../display/shell.ts";
import { exitCodeOfSignal, type StopSignal } from "../display/signals.ts";
import { fullDiskLine } from "../runs/local-connection.ts";
import { modelServerIn } from "../settings/model-server.ts";
import { madeHome } from "../settings/own-home.ts";
import { usage } from "../settings/parse.ts";
import { foldersOf } from "../settings/program-folders.ts";
import { wholeNumber } from "../settings/read-value.ts";
import { dailyUsdOf, homeOf, type Settings, settingsOfNewRun } from "../settings/settings.ts";
import { telemetryIn } from "../settings/telemetry.ts";
import { webhookIn } from "../settings/webhook.ts";

export const PORT = 4600;

export const serve: Command = ({ flags }, shell) =>
  serveUntilStopped(flags, shell, { port: portIn(flags.get("--port")) ?? PORT });

export interface ServeParts {
  /** 0 takes a free one. */
  port: number;
  /** Takes a free one where the port is taken. */
  orFree?: boolean;
  /** The address that is shown. Absent: the server's own. */
  place?: (served: Served) => string;
  onReady?: (served: Served) => void;
}

export async function serveUntilStopped(
  flags: Arguments["flags"],
  shell: Shell,
  { port, orFree, place = ({ url }) => url, onReady = () => {} }: ServeParts,
): Promise<number> {
  const settings = settingsOfNewRun({ ...shell, flags });
  const model = modelServerIn(settings, shell.env);
  const say = (line: string): void => shell.say(sanitizeLine(line));
  // A server has no terminal to ask at when a run comes in.
  const unsealed = {
    permitted: () => settings.unsealed === true,
    kept: createConsent({ home: homeOf(shell), env: shell.env }),
  };
  const machine = await openSwept({
    home: madeHome(shell),
    env: shell.env,
    server: model,
    dailyUsd: dailyUsdOf(shell),
    webhook: webhookIn(shell),
    telemetry: await telemetryIn(shell.env, settings.otel),
    announce: say,
    onFullDisk: fullDiskLine(shell),
    unsealed,
  });
  const { install = true } = settings;
  const served = await serveApi({
    machine,
    port,
    orFree,
    model,
    install,
    programs: createFolderPrograms(foldersOf(shell)),
    typed: shell.launcher,
    defaults: toBody(settings),
    say,
  });
  const chosen = reasonOf(model);
  if (chosen !== undefined) say(`Model: ${chosen}`);
  const { sealed, how } = await machine.sealed();
  if (!sealed) say(unsealedLine(how, settings, shell));
  const forget = recorded(served, machine.home, shell);
  shell.out(`${place(served)}\n`);
  say(`Serving ${machine.home}. Page: ${served.url} · API: ${served.url}/openapi.json · Ctrl-C stops.`);
  onReady(served);
  const signal = await new Promise<StopSignal>((resolve) => shell.signals.onStop(resolve));
  say("Stopping; everything up to the last turn is kept.");
  forget();
  const kept = await served.stop();
  machine.close();
  say(
    kept === 0 ? "No run was interrupted." : `${pluralize(kept, "run")} interrupted. Next: ${shell.command("resume")}`,
  );
  return exitCodeOfSignal(signal);
}

/** Commands of this user find it by what is recorded, and know it by its key. */
function recorded({ url, key }: Served, home: string, { env, say }: Shell): () => void {
  try {
    return recordServer(env, { port: Number(new URL(url).port), home: realpathSync(home), key });
  } catch (error) {
    say(`Other commands cannot know this server: ${error instanceof Error ? error.message : String(error)}`);
    return () => {};
  }
}

const unsealedLine = (how: string, { unsealed = false }: Settings, { command }: Shell): string =>
  unsealed
    ? `Generated code is not sealed off here (${how}): it may do what you may.`
    : `Generated code is not sealed off here (${how}): runs that would run any are refused. Next: apt-get install bubblewrap, or ${command("serve", "--unsealed")}`;

export function portIn(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const read = wholeNumber(0, 65_535)(given);
  if ("value" in read) return read.value;
  throw usage({ name: "serve" }, `--port takes a number up to 65535; "${given}" is none.`);
}
