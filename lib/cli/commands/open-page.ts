/** `l2mac open`: shows a run in the browser, by the server that is running, or by one of its own until a signal. */
import { spawn } from "node:child_process";
import { sanitizeLine } from "../../core/text/sanitize.ts";
import { openGuardedServer } from "../../local/server/guarded-server.ts";
import { CODE_MINUTES, createOpeningCodes } from "../../local/server/opening-codes.ts";
import type { Command } from "../command.ts";
import type { Shell } from "../display/shell.ts";
import { exitCodeOfSignal, type StopSignal } from "../display/signals.ts";
import { connect } from "../runs/connection.ts";
import { findRun } from "../runs/find-run.ts";
import { makeOpeningFile } from "../runs/opening-file.ts";
import { type RemoteAddress, remoteAddress } from "../runs/remote-address.ts";
import { PORT, portIn, serveUntilStopped } from "./serve.ts";

export const openPage: Command = async (given, shell) => {
  const connection = await connect(given, shell);
  const { id } = await findRun(connection, given.words[0]);
  connection.close();
  const remote = await remoteAddress(given.flags, shell);
  if (remote) return showRemote(remote, shell, { id, port: portIn(given.flags.get("--port")) ?? 0 });
  const place = `/#run=${id}`;
  const show = (address: string): void => showInBrowser(address, shell.env);
  const asked = portIn(given.flags.get("--port"));
  const standing = await whoListens(asked ?? PORT, id);
  if (standing === "serves it") {
    const address = `http://127.0.0.1:${asked ?? PORT}${place}`;
    shell.out(`${address}\n`);
    show(address);
    return 0;
  }
  const port = asked ?? (standing === "free" ? PORT : 0);
  return serveUntilStopped(given.flags, shell, { port, place, onReady: show });
};

/** Requests are signed with the user's credentials: so the server answers only pages opened by an address from here. */
async function showRemote(
  remote: RemoteAddress,
  shell: Shell,
  { id, port }: { id: string; port: number },
): Promise<number> {
  const { openForward } = await import("../../client/open-forward.ts");
  const forward = await openForward(remote.url, shell.env);
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

const PATIENCE_MS = 2_000;

/** Another home's server knows nothing of the run. */
async function whoListens(port: number, id: string): Promise<"serves it" | "somebody" | "free"> {
  if (port === 0) return "free";
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/runs/${id}`, { signal: AbortSignal.timeout(PATIENCE_MS) });
    const { id: known } = (await answer.json()) as { id?: unknown };
    return answer.ok && known === id ? "serves it" : "somebody";
  } catch (error) {
    return error instanceof TypeError ? "free" : "somebody";
  }
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
