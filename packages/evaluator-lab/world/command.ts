/** Runs a command of a project plainly, as its author would: installs with network, tests without. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

export interface Surroundings {
  cwd: string;
  env: Record<string, string>;
  timeoutMs: number;
  /** Without network, and as an ordinary user. */
  offline?: boolean;
}

export interface Ran {
  /** null: it was ended, because its time was over. */
  code: number | null;
  /** The end of what it printed. */
  tail: string;
  seconds: number;
}

const TAIL_CHARS = 20_000;
const LATE_MS = 2_000;

/** Ends with its process group, so that nothing of it is left. */
export async function runPlain(command: string, { cwd, env, timeoutMs, offline }: Surroundings): Promise<Ran> {
  const began = performance.now();
  const argv = offline && canSeal() ? [...SEALED, "--chdir", cwd, "sh", "-c", command] : ["sh", "-c", command];
  const child = spawn(argv[0] ?? "sh", argv.slice(1), { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  let tail = "";
  const keep = (bytes: Buffer): void => {
    tail = (tail + bytes.toString("utf8")).slice(-TAIL_CHARS);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    endGroup(child.pid);
  }, timeoutMs);
  const closed = once(child, "close").catch(() => undefined);
  const code = await new Promise<number | null>((resolve) => {
    child.on("error", () => resolve(127));
    child.on("exit", (exit, signal) => resolve(signal === null ? exit : 128));
  });
  clearTimeout(timer);
  endGroup(child.pid);
  // What it printed last may come after its end; a process outside of its group may hold the pipe open.
  await Promise.race([closed, delay(LATE_MS, undefined, { ref: false })]);
  return { code: late ? null : code, tail, seconds: (performance.now() - began) / 1000 };
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It is gone already.
  }
}

/** All of this computer, without its network, as a user who is not root: what an author has on a train. */
const SEALED = [
  ...["bwrap", "--dev-bind", "/", "/", "--proc", "/proc", "--tmpfs", "/dev/shm", "--die-with-parent"],
  ...["--unshare-net", "--unshare-pid", "--unshare-user", "--uid", "1000", "--gid", "1000"],
];

let sealable: boolean | undefined;

/** Otherwise the tests of the projects have the network, and the run says so. */
export function canSeal(): boolean {
  sealable ??= spawnSync(SEALED[0] ?? "", [...SEALED.slice(1), "true"]).status === 0;
  return sealable;
}

const OURS = /^(npm_|L2MAC|VITEST|NODE_(OPTIONS|ENV|PATH|V8_COVERAGE)$|(CI|NO_COLOR|FORCE_COLOR|VIRTUAL_ENV)$)/;

/** What of our own environment a project's commands see: nothing that npm sets for its scripts, and no coverage. */
export function plainEnvironment(added: Record<string, string>): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && !OURS.test(name)) env[name] = value;
  }
  const path = (env.PATH ?? "").split(":").filter((folder) => !folder.includes("/node_modules/"));
  return {
    ...env,
    LANG: "C.UTF-8",
    ...added,
    PATH: [dirname(process.execPath), ...(added.PATH ? [added.PATH] : []), ...path].join(":"),
  };
}

/** What the tests see: still less, and a home of their own. */
export function testEnvironment(home: string, added: Record<string, string>): Record<string, string> {
  const { PATH = "" } = plainEnvironment(added);
  return { ...added, PATH, HOME: home, LANG: "C.UTF-8", USER: "user", TMPDIR: join(home, "tmp") };
}
