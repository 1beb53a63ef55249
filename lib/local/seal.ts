/** Seals generated code off: no network, nothing of this computer but the system's programs and its own folder. */
import { spawnSync } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { totalmem } from "node:os";
import { join } from "node:path";
import { ETC_FILES, viewArguments } from "./seal-view.ts";
import { findProgram } from "./toolchain.ts";

export interface SealedCommand {
  argv: string[];
  cwd: string;
  writable: string[];
  readable: string[];
}

export interface Sealing {
  seal(command: SealedCommand): { argv: string[]; env?: Record<string, string> };
  /** Whom sealed commands run as: what they may write must be theirs. Absent: as we do. */
  owner?: { uid: number; gid: number };
  describe(): { sealed: boolean; how: string };
}

export interface SealParts {
  /** A folder of ours, for the few made-up files that sealed commands see. */
  folder: string;
  /** Where bubblewrap and its like are looked for. */
  path: string[];
  /** The program of the trial, and what it and its like must be able to read. */
  node: string;
  readable: string[];
  uid: number;
}

/** The strongest seal that works here, found by trying it. */
export function findSeal(parts: SealParts): Sealing {
  const bwrap = findProgram("bwrap", parts.path);
  if (!bwrap) return unsealed("bubblewrap (bwrap) is not installed");
  const etc = join(parts.folder, "etc");
  mkdirSync(etc, { recursive: true });
  for (const [name, text] of Object.entries(ETC_FILES)) writeFileSync(join(etc, name), text, { mode: 0o644 });
  const given = { ...parts, bwrap, etc };
  const candidates = [...(parts.uid === 0 ? [asNobody(given)] : []), inOwnNamespace(given), withoutLimits(given)];
  return candidates.find((sealing) => works(sealing, parts)) ?? unsealed("bubblewrap (bwrap) does not work here");
}

export const unsealed = (why: string): Sealing => ({
  seal: ({ argv }) => ({ argv }),
  describe: () => ({ sealed: false, how: why }),
});

type Given = SealParts & { bwrap: string; etc: string };

const NOBODY = { uid: 65_534, gid: 65_534 };
const ALONE = ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"];
const TIED = ["--die-with-parent", "--new-session", "--hostname", "sandbox"];
const CLOSED = ["--unshare-user", "--disable-userns", "--cap-drop", "ALL"];

/**
 * Root's limits on processes do not count, and files that only root may read could be read: so what root seals runs as
 * nobody. The outer layer makes the view, the inner one forbids to make others.
 */
function asNobody({ bwrap, etc, readable }: Given): Sealing {
  const toNobody = ["CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"].flatMap((name) => ["--cap-add", name]);
  const changed = ["--reuid", String(NOBODY.uid), "--regid", String(NOBODY.gid), "--clear-groups"];
  const setpriv = ["/usr/bin/setpriv", ...changed, "--inh-caps=-all", "--bounding-set=-all", "--"];
  const inner = [bwrap, ...CLOSED, "--dev-bind", "/", "/", "--die-with-parent"];
  return {
    owner: NOBODY,
    seal: (command) => {
      const view = viewArguments({ ...command, etc, readable: [...readable, ...command.readable] });
      const outer = [bwrap, ...ALONE, ...TIED, ...view, "--chdir", "/", "--cap-drop", "ALL", ...toNobody, "--"];
      return { argv: [...outer, ...setpriv, ...inner, ...startingIn(command), ...limits(), ...command.argv] };
    },
    describe: () => ({ sealed: true, how: "bubblewrap, as nobody, with limits" }),
  };
}

function inOwnNamespace({ bwrap, etc, readable }: Given): Sealing {
  const ids = ["--uid", String(NOBODY.uid), "--gid", String(NOBODY.gid)];
  return {
    seal: (command) => {
      const view = viewArguments({ ...command, etc, readable: [...readable, ...command.readable] });
      return {
        argv: [
          bwrap,
          ...ALONE,
          ...TIED,
          ...CLOSED,
          ...ids,
          ...view,
          ...startingIn(command),
          ...limits(),
          ...command.argv,
        ],
      };
    },
    describe: () => ({ sealed: true, how: "bubblewrap, with limits" }),
  };
}

/** For older versions, and where limits cannot be set. */
function withoutLimits({ bwrap, etc, readable }: Given): Sealing {
  return {
    seal: (command) => {
      const view = viewArguments({ ...command, etc, readable: [...readable, ...command.readable] });
      return {
        argv: [bwrap, ...ALONE, ...TIED, "--unshare-user", "--cap-drop", "ALL", ...view, "--", ...command.argv],
      };
    },
    describe: () => ({ sealed: true, how: "bubblewrap" }),
  };
}

const startingIn = ({ cwd }: SealedCommand): string[] => ["--chdir", cwd, "--"];

const GiB = 1024 ** 3;
/** Of one file. */
const FILE_BYTES = GiB / 2;
const OPEN_FILES = 1024;
/** Threads count too, and Node alone has a dozen. */
const PROCESSES = 512;

/** Of address space only what is written counts: V8 reserves much more than it uses, and dies of a limit on that. */
const limits = (): string[] => [
  "/usr/bin/prlimit",
  "--core=0",
  `--fsize=${FILE_BYTES}`,
  `--nofile=${OPEN_FILES}`,
  `--nproc=${PROCESSES}`,
  `--data=${Math.max(2 * GiB, Math.floor(totalmem() / 2))}`,
  "--",
];

const TRIAL_MS = 10_000;
/** Reads what every check reads, writes where every check writes. */
const TRIAL = `const fs = require("fs"); fs.writeFileSync("trial", ""); process.argv.slice(1).forEach((path) => fs.statSync(path).isDirectory() && fs.readdirSync(path))`;

function works(sealing: Sealing, { folder, node, readable }: SealParts): boolean {
  const cwd = mkdtempSync(join(folder, "trial-"));
  try {
    if (sealing.owner) chownSync(cwd, sealing.owner.uid, sealing.owner.gid);
    const argv = [node, "-e", TRIAL, ...readable];
    const [program = "", ...args] = sealing.seal({ argv, cwd, writable: [cwd], readable: [] }).argv;
    return spawnSync(program, args, { cwd, env: {}, timeout: TRIAL_MS, stdio: "ignore" }).status === 0;
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
