/** Starts a server on a free port of this computer, waits until it answers, and ends it by its process id. */
import { spawn } from "node:child_process";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";

export interface Launch {
  command: string;
  args: (port: number) => string[];
  env?: Record<string, string>;
  /** The variable that takes the address, where no argument does. */
  portVariable?: string;
  /** Answers 200 once the server is ready. */
  health: string;
}

export interface Started {
  origin: string;
  stop(): Promise<void>;
}

const READY_MS = 180_000;
const LOG_CHARS = 2_000;
const running = new Set<() => void>();

/** For every way in which this process ends. */
process.on("exit", () => {
  for (const kill of running) kill();
});

export async function startServer({ command, args, env, health, portVariable }: Launch): Promise<Started> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const address = portVariable ? { [portVariable]: `127.0.0.1:${port}` } : {};
  const child = spawn(command, args(port), {
    env: { ...process.env, ...env, ...address },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (bytes: Buffer) => {
      log = (log + bytes.toString()).slice(-LOG_CHARS);
    });
  }
  const kill = (): void => void child.kill("SIGKILL");
  running.add(kill);
  const ended = new Promise<string>((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("exit", (code, signal) => resolve(`it ended with ${signal ?? code}`));
  });
  void ended.then(() => running.delete(kill));
  const why = await Promise.race([ready(`${origin}${health}`), ended]);
  if (why !== undefined) {
    kill();
    throw new Error(`${command} did not start: ${why}\n${log}`);
  }
  return {
    origin,
    async stop() {
      child.kill();
      const timer = setTimeout(kill, 5_000);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** Undefined once it answers, else why not. */
async function ready(url: string): Promise<string | undefined> {
  for (const began = performance.now(); performance.now() - began < READY_MS; ) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok) return undefined;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return `no answer within ${READY_MS / 1000} s`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
