/** Which process it was: a pid is given out again, a pid with its start time is not. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

export interface ProcessIdentity {
  pid: number;
  /** Opaque; UNKNOWN where this system does not tell. */
  started: string;
}

export interface Processes {
  self(): ProcessIdentity;
  isAlive(identity: ProcessIdentity): boolean;
}

const UNKNOWN = "";

export const systemProcesses: Processes = {
  self: () => ({ pid: process.pid, started: startOf(process.pid) ?? UNKNOWN }),
  isAlive: ({ pid, started }) => {
    const now = startOf(pid);
    return now !== undefined && (now === started || now === UNKNOWN || started === UNKNOWN);
  },
};

/** When the process with this pid began; undefined: there is none. One that only waits to be reaped is none. */
function startOf(pid: number): string | undefined {
  // 0 and below are not processes: signals to them reach whole groups.
  if (pid <= 0) return undefined;
  if (existsSync("/proc/self/stat")) return startOnLinux(pid);
  return answersSignals(pid) ? startByPs(pid) : undefined;
}

/** Fields are counted after the name, which may hold spaces and parentheses: the state is 3, the start time 22. */
function startOnLinux(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return DEAD_STATES.has(fields[0] ?? "") ? undefined : fields[22 - 3];
  } catch {
    return undefined;
  }
}

const DEAD_STATES = new Set(["Z", "X", "x"]);

function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** The same words whatever the language and time zone of who asks. */
function startByPs(pid: number): string | undefined {
  const env = { PATH: process.env.PATH ?? "", LC_ALL: "C", TZ: "UTC" };
  const asked = spawnSync("ps", ["-o", "stat=", "-o", "lstart=", "-p", String(pid)], { env, encoding: "utf8" });
  if (asked.error) return UNKNOWN;
  const [state = "", ...start] = asked.stdout.trim().split(/\s+/);
  return state === "" || state.startsWith("Z") ? undefined : start.join(" ");
}
