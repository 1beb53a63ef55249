/** `l2mac open`: shows a run in the browser, by the server that is running, or by one of its own until a signal. */
import { spawn } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import { isProven, type ServerRecord, serversOf } from "../../host/server-records.ts";
import { TOKEN_HEADER } from "../../local/server/guard.ts";
import { openGuardedServer } from "../../local/server/guarded-server.ts";
import { CODE_MINUTES, createOpeningCodes } from "../../local/server/opening-codes.ts";
import type { Served } from "../../local/server/serve.ts";
import type { Command } from "../command.ts";
import type { Shell } from "../display/shell.ts";
import { exitCodeOfSignal, type StopSignal } from "../display/signals.ts";
import { connect } from "../runs/connection.ts";
import { findRun } from "../runs/find-run.ts";
import { makeOpeningFile } from "../runs/opening-file.ts";
import { provenServer } from "../runs/proven-server.ts";
import { type RemoteAddress, remoteAddress } from "../runs/remote-address.ts";
import { ownHome } from "../settings/own-home.ts";
import { PORT, portIn, serveUntilStopped } from "./serve.ts";

export const openPage: Command = async (given, shell) => {
  const connection = await connect(given, shell);
  const { id } = await findRun(connection, given.words[0]);
  connection.close();
  const remote = await remoteAddress(given.flags, shell);
  if (remote) return showRemote(remote, shell, { id, port: portIn(given.flags.get("--port")) ?? 0 });
  const asked = portIn(given.flags.get("--port"));
  const running = await runningServer(ownHome(shell), asked, shell);
  if (running) {
    shell.out(`${await pageAddress(running, id)}\n`);
    show(await pageAddress(running, id), shell);
    return 0;
  }
  return serveUntilStopped(given.flags, shell, {
    port: asked ?? PORT,
    orFree: asked === undefined,
    place: (served) => addressOf(served, id),
    onReady: (served) => show(addressOf(served, id), shell),
  });
};

/** A page needs a code where the server cannot see whose it is. */
const SEES_ITS_USER = process.platform === "linux";

const addressOf = ({ url, openingCode }: Pick<Served, "url" | "openingCode">, id: string): string =>
  SEES_ITS_USER ? `${url}/#run=${id}` : `${url}/#run=${id}&code=${openingCode()}`;

/** A code is not shown in the list of processes. The file outlives this command, its code only some minutes. */
const show = (address: string, { env }: Shell): void =>
  showInBrowser(SEES_ITS_USER ? address : makeOpeningFile(address).url, env);

/** A server of this home that shows that it is the one which this user started. */
async function runningServer(
  home: string,
  asked: number | undefined,
  { env }: Pick<Shell, "env">,
): Promise<ServerRecord | undefined> {
  const records = existsSync(home) ? serversOf(env, realpathSync(home)) : [];
  for (const record of records) {
    if ((asked === undefined || asked === record.port) && (await isProven(record))) return record;
  }
  return undefined;
}

async function pageAddress({ port, key }: ServerRecord, id: string): Promise<string> {
  const url = `http://127.0.0.1:${port}`;
  if (SEES_ITS_USER) return `${url}/#run=${id}`;
  const headers = { [TOKEN_HEADER]: key };
  const answer = await fetch(`${url}/code`, { method: "POST", headers, signal: AbortSignal.timeout(PATIENCE_MS) });
  const { code } = (await answer.json()) as { code: string };
  return addressOf({ url, openingCode: () => code }, id);
}

const PATIENCE_MS = 5_000;

/** Requests are signed with the user's credentials: so the server answers only pages opened by an address from here. */
async function showRemote(
  remote: RemoteAddress,
  shell: Shell,
  { id, port }: { id: string; port: number },
): Promise<number> {
  const { openForward } = await import("../../client/open-forward.ts");
  const { url } = await provenServer(remote.url, shell);
  const forward = await openForward(url, shell.env);
  const say = (line: string): void => shell.say(sanitizeLine(line));
  const codes = createOpeningCodes(Date.now);
  const server = await openGuardedServer({
    port,
    codes,
    typed: shell.launcher,
    say,
    answer: async (request, { authorised }) => authorised() ?? forward(request),
  });
  const newAddress = (): string => `${server.url}/#run=${id}&code=${codes.make()}`;
  shell.out(`${newAddress()}\n`);
  say(
    `The page of ${remote.url}, which acts there as you. This address opens it once, within ${CODE_MINUTES} minutes;`,
  );
  say(`for another tab or browser, run ${shell.command("open")} again. Ctrl-C stops.`);
  const file = makeOpeningFile(newAddress());
  showInBrowser(file.url, shell.env);
  const signal = await new Promise<StopSignal>((resolve) => shell.signals.onStop(resolve));
  file.remove();
  server.close();
  server.cutOff();
  return exitCodeOfSignal(signal);
}

/** Where there is no browser, the address is printed all the same. */
function showInBrowser(address: string, env: Readonly<Record<string, string | undefined>>): void {
  const [program = "", ...args] = browserCommand(env);
  const child = spawn(program, [...args, address], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}

function browserCommand({ BROWSER }: Readonly<Record<string, string | undefined>>): string[] {
  if (BROWSER) return [BROWSER];
  if (process.platform === "darwin") return ["open"];
  return process.platform === "win32" ? ["cmd", "/c", "start", ""] : ["xdg-open"];
}
