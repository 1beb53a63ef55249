/** Runs a server as a child that cannot outlive this process, however this process ends. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, createServer } from "node:net";

export interface Running {
  endpoint: string;
  stop(): Promise<void>;
}

export interface Server {
  argv: (port: number) => string[];
  env?: Record<string, string>;
}

/** Between asking for a free port and listening on it somebody else may take it. */
const TRIES = 3;

export async function startServer(server: Server): Promise<Running> {
  for (let tries = 1; ; tries += 1) {
    const port = await freePort();
    const child = onLeash(server.argv(port), server.env ?? {});
    const said = lastWords(child);
    // Not "exit": what it said last may still be on its way.
    const closed = once(child, "close");
    const stop = async (): Promise<void> => {
      child.stdin?.end();
      await closed;
    };
    if (await listens(child, port)) return { endpoint: `http://127.0.0.1:${port}`, stop };
    await stop();
    if (tries === TRIES) throw new Error(`${server.argv(port)[0]} does not listen. It said: ${said()}`);
  }
}

/** The kernel closes the pipe when this process ends, even by SIGKILL; then `cat` ends, and the server with it. */
const LEASH = `
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
(cat <&3 >/dev/null 2>&1; kill -9 "$server" 2>/dev/null) &
exec 3<&-
wait "$server"`;

const onLeash = (argv: string[], env: Record<string, string>): ChildProcess =>
  spawn("sh", ["-c", LEASH, "leash", ...argv], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
  });

const LAST_CHARS = 2_000;

/** Reads all it says, so that it never blocks, and keeps the end. */
function lastWords({ stdout, stderr }: ChildProcess): () => string {
  let said = "";
  for (const stream of [stdout, stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-LAST_CHARS);
    });
  }
  return () => said;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

const PAUSE_MS = 50;
const PATIENCE_MS = 60_000;

async function listens(child: ChildProcess, port: number): Promise<boolean> {
  const end = Date.now() + PATIENCE_MS;
  while (child.exitCode === null && Date.now() < end) {
    if (await answers(port)) return true;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return false;
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const end = (connected: boolean): void => {
      socket.destroy();
      resolve(connected);
    };
    socket.once("connect", () => end(true)).once("error", () => end(false));
  });
