/** Seals generated code off: no network, nothing of this computer but the system's programs and its own folder. */
import { spawnSync } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withFilter } from "../evaluator/process/run-command.ts";
import { ETC_FILES, HOSTNAME, NOTHING } from "./seal-etc.ts";
import { BOUNDS, limited } from "./seal-limits.ts";
import { viewArguments } from "./seal-view.ts";
import { findSeatbelt } from "./seatbelt.ts";
import { seccompFilter } from "./seccomp-filter.ts";
import { findProgram } from "./toolchain.ts";

export interface SealedCommand {
  argv: string[];
  cwd: string;
  writable: string[];
  readable: string[];
  /** For the seal of installers. */
  hasNetwork?: boolean;
}

export interface SealedStart {
  argv: string[];
  env?: Record<string, string>;
  /** It says on descriptor 3 what its first process is. */
  saysFirst?: true;
  /** The file that it reads from descriptor 4. */
  filter?: string;
}

export interface Seal {
  seal(command: SealedCommand): SealedStart;
  /** The user that sealed commands run as, who must own what they may write. Absent: the current user. */
  owner?: { uid: number; gid: number };
  /** Limits for all processes of a command together. */
  bounds?: { memoryBytes: number; processes: number; diskBytes: number; files: number };
  /** Its commands reach no network unless they are to. */
  isOffline?: true;
  describe(): { sealed: boolean; how: string };
}

export interface SealParts {
  /** A folder for the few generated files that sealed commands see. */
  folder: string;
  /** Where bubblewrap and similar programs are searched. */
  path: string[];
  /** The program that the probe runs, and what such programs must be able to read. */
  node: string;
  readable: string[];
  uid: number;
  /** Absent: that of this computer. */
  platform?: string;
}

/** The strongest seal that works here, found by probing. */
export function findSeal(parts: SealParts): Seal {
  if ((parts.platform ?? process.platform) === "darwin")
    return findSeatbelt(parts) ?? unsealed("sandbox-exec is not there, or does not close generated code off");
  const bwrap = findProgram("bwrap", parts.path);
  if (!bwrap) return unsealed("bubblewrap (bwrap) is not installed");
  const etc = join(parts.folder, "etc");
  mkdirSync(etc, { recursive: true });
  for (const [name, text] of Object.entries({ ...ETC_FILES, [NOTHING]: "" }))
    writeFileSync(join(etc, name), text, { mode: 0o644 });
  const plain = { ...parts, bwrap, etc };
  const filter = writeFilter(parts.folder);
  const candidates = [...(filter ? [{ ...plain, filter }] : []), plain].flatMap((given) => [
    ...(parts.uid === 0 ? [asNobody(given)] : []),
    inOwnNamespace(given),
    withoutLimits(given),
  ]);
  return candidates.find((sealing) => works(sealing, parts)) ?? unsealed("bubblewrap (bwrap) does not work here");
}

export const unsealed = (why: string): Seal => ({
  seal: ({ argv }) => ({ argv }),
  describe: () => ({ sealed: false, how: why }),
});

type BubblewrapParts = SealParts & { bwrap: string; etc: string; filter?: string };

/** The innermost layer has it: those around it make namespaces and mounts, which it refuses. */
export const filtered = (filter: string | undefined): string[] => (filter === undefined ? [] : ["--seccomp", "4"]);

/** Undefined where no filter of system calls is known for this processor. Others may be reading the one that is there. */
export function writeFilter(folder: string): string | undefined {
  const bytes = seccompFilter(process.arch);
  if (!bytes) return undefined;
  const path = join(folder, "seccomp.bpf");
  const written = join(folder, `seccomp-${process.pid}.bpf`);
  writeFileSync(written, bytes, { mode: 0o600 });
  renameSync(written, path);
  return path;
}

const NOBODY = { uid: 65_534, gid: 65_534 };
const ALONE = ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"];
const TIED = ["--die-with-parent", "--new-session", "--hostname", HOSTNAME, "--info-fd", "3"];
const CLOSED = ["--unshare-user", "--disable-userns", "--cap-drop", "ALL"];

/**
 * Process limits do not apply to root, and root can read every file: so root's sealed commands run as the user
 * `nobody`. The outer layer creates the view, the inner one prevents creating others.
 */
function asNobody(given: BubblewrapParts): Seal {
  const toNobody = ["CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"].flatMap((name) => ["--cap-add", name]);
  const changed = ["--reuid", String(NOBODY.uid), "--regid", String(NOBODY.gid), "--clear-groups"];
  const setpriv = ["/usr/bin/setpriv", ...changed, "--inh-caps=-all", "--bounding-set=-all", "--"];
  const inner = [given.bwrap, ...CLOSED, "--dev-bind", "/", "/", "--die-with-parent", ...filtered(given.filter)];
  const become = ["--chdir", "/", "--cap-drop", "ALL", ...toNobody, "--", ...setpriv, ...inner];
  const sealing = sealedBy(given, "bubblewrap, as nobody, with limits", (command) => [
    ...become,
    ...startingIn(command),
    ...limited(),
  ]);
  return { ...sealing, owner: NOBODY };
}

function inOwnNamespace(given: BubblewrapParts): Seal {
  const ids = ["--uid", String(NOBODY.uid), "--gid", String(NOBODY.gid)];
  const closed = [...CLOSED, ...ids, ...filtered(given.filter)];
  return sealedBy(given, "bubblewrap, with limits", (command) => [...closed, ...startingIn(command), ...limited()]);
}

/** For older versions, and where limits cannot be set. */
function withoutLimits(given: BubblewrapParts): Seal {
  const closed = ["--unshare-user", "--cap-drop", "ALL", ...filtered(given.filter)];
  return sealedBy(given, "bubblewrap, without limits on its processes", (command) => [
    ...closed,
    ...startingIn(command),
  ]);
}

const sealedBy = (
  { bwrap, etc, readable, filter }: BubblewrapParts,
  how: string,
  closing: (command: SealedCommand) => string[],
): Seal => ({
  seal(command) {
    const view = viewArguments({ ...command, etc, readable: [...readable, ...command.readable] });
    const argv = [bwrap, ...ALONE, ...TIED, ...view, ...closing(command), ...command.argv];
    return { argv, saysFirst: true, ...(filter ? { filter } : {}) };
  },
  bounds: BOUNDS,
  describe: () => ({ sealed: true, how: filter ? how : `${how}, ${UNFILTERED}` }),
});

const UNFILTERED = "without a filter of system calls";

const startingIn = ({ cwd }: SealedCommand): string[] => ["--chdir", cwd, "--"];

const TRIAL_MS = 10_000;
/** Reads what every check reads, writes where every check writes. */
const TRIAL = `const fs = require("fs"); fs.writeFileSync("trial", ""); process.argv.slice(1).forEach((path) => fs.statSync(path).isDirectory() && fs.readdirSync(path))`;

const QUIET = ["ignore" as const, "ignore" as const, "ignore" as const];

function works(sealing: Seal, { folder, node, readable }: SealParts): boolean {
  const cwd = mkdtempSync(join(folder, "trial-"));
  try {
    if (sealing.owner) chownSync(cwd, sealing.owner.uid, sealing.owner.gid);
    const sealed = sealing.seal({ argv: [node, "-e", TRIAL, ...readable], cwd, writable: [cwd], readable: [] });
    const [program = "", ...args] = sealed.argv;
    const started = withFilter(sealed, (more) =>
      spawnSync(program, args, { cwd, env: {}, timeout: TRIAL_MS, stdio: [...QUIET, ...more] }),
    );
    return started.status === 0;
  } catch {
    // Root of a namespace may have no other user to give a folder to.
    return false;
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
