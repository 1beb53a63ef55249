/** Says when a sandbox takes more processes, memory or disk than it may, all its processes together. */
import { readFileSync, statfsSync } from "node:fs";
import { contentOf } from "./folder-content.ts";
import { heldBy } from "./held-files.ts";
import { processesBelow } from "./processes-below.ts";

export interface Bounds {
  /** Of all processes together. */
  memoryBytes: number;
  /** Without their threads. */
  processes: number;
  /** Of all files that they left in their folders, and how many those may be. */
  diskBytes: number;
  files: number;
}

/** Answers why the sandbox with this first process must be ended, where it must. */
export type Exceeds = (first: number) => string | undefined;

/** `folder`: where it can leave files. Absent: nowhere. */
export function createExceeds(folder: string | undefined, bounds: Bounds): Exceeds {
  const looked = createLooks(folder, bounds);
  return (first) => {
    const pids = processesBelow(first, bounds.processes);
    if (pids.length > bounds.processes) return `it has more than ${bounds.processes} processes`;
    const own = memoryOf(pids);
    const { bytes, files, sharedBytes } = looked(pids);
    if (own.alone + Math.max(own.shared, sharedBytes) > bounds.memoryBytes)
      return `it takes more than ${shown(bounds.memoryBytes)} of memory`;
    if (bytes > bounds.diskBytes) return `its files take more than ${shown(bounds.diskBytes)}`;
    return files > bounds.files ? `it made more than ${bounds.files} files and folders` : undefined;
  };
}

const shown = (bytes: number): string => `${Math.round((bytes / 1024 ** 3) * 10) / 10} GB`;

/** Only what belongs to one process alone, and what it shares: programs and libraries are everybody's. */
function memoryOf(pids: number[]): { alone: number; shared: number } {
  const taken = { Anon: 0, Shmem: 0 };
  for (const pid of pids)
    for (const [, kind, kilobytes] of textOf(`/proc/${pid}/status`).matchAll(/^Rss(Anon|Shmem):\s+(\d+) kB$/gm))
      taken[kind as keyof typeof taken] += Number(kilobytes) * 1024;
  return { alone: taken.Anon, shared: taken.Shmem };
}

interface Look {
  bytes: number;
  files: number;
  sharedBytes: number;
}
const NOTHING: Look = { bytes: 0, files: 0, sharedBytes: 0 };

/**
 * Asking the disk and the kernel how much is taken costs nothing. Looking at every file is for when that became more by
 * much, and now and then.
 */
function createLooks(folder: string | undefined, bounds: Bounds): (pids: number[]) => Look {
  const { diskBytes, files, memoryBytes } = bounds;
  const before = takenNow(folder);
  let nextShare = 0.5;
  let nextTime = performance.now() + LOOK_MS;
  return (pids) => {
    const now = takenNow(folder);
    const grown = now.bytes - before.bytes;
    const share = Math.max(
      ...[grown / diskBytes, (now.files - before.files) / files, (now.shared - before.shared) / memoryBytes],
    );
    const began = performance.now();
    if (share < nextShare && began < nextTime) return NOTHING;
    const held = heldBy(pids);
    const found = folder === undefined ? { ...NOTHING, hides: false } : contentOf(folder, { bytes: diskBytes, files });
    const took = performance.now() - began;
    nextTime = performance.now() + Math.min(LATEST_MS, Math.max(LOOK_MS, 20 * took));
    // Somebody else may be filling the disk: then it is not looked at again at once.
    if (share >= nextShare) nextShare = Math.max(0.9, share) * 1.1;
    const bytes = found.bytes + held.bytes;
    const isHidden = found.hides || held.hides;
    return {
      // What the disk lacks is taken for its own only where it hides something.
      bytes: isHidden ? Math.max(bytes, grown) : bytes,
      files: found.files + held.files,
      sharedBytes: held.sharedBytes,
    };
  };
}

const LOOK_MS = 2_000;
/** Somebody else may be emptying the disk: then only time brings the next look. */
const LATEST_MS = 6_000;

/** By all of this computer: of the folder's disk, and of memory that is shared. */
function takenNow(folder: string | undefined): { bytes: number; files: number; shared: number } {
  const [, kilobytes = "0"] = /^Shmem:\s+(\d+) kB$/m.exec(textOf("/proc/meminfo")) ?? [];
  const shared = Number(kilobytes) * 1024;
  if (folder === undefined) return { bytes: 0, files: 0, shared };
  try {
    const { bfree, ffree, bsize } = statfsSync(folder);
    return { bytes: -bfree * bsize, files: -ffree, shared };
  } catch {
    // The folder is gone, and nothing can be left in it: as little as there can be.
    return { bytes: -Number.MAX_VALUE, files: -Number.MAX_VALUE, shared };
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
