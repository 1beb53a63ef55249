/** Says when a sandbox takes more processes, memory or disk than it may, all its processes together. */
import { lstatSync, readdirSync, readFileSync, statfsSync } from "node:fs";
import { join } from "node:path";
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
  const looked = folder === undefined ? undefined : createLooks(folder, bounds);
  return (first) => {
    const pids = processesBelow(first, bounds.processes);
    if (pids.length > bounds.processes) return `it has more than ${bounds.processes} processes`;
    if (memoryOf(pids) > bounds.memoryBytes) return `it takes more than ${shown(bounds.memoryBytes)} of memory`;
    const { bytes, files } = looked?.() ?? { bytes: 0, files: 0 };
    if (bytes > bounds.diskBytes) return `its files take more than ${shown(bounds.diskBytes)}`;
    return files > bounds.files ? `it made more than ${bounds.files} files and folders` : undefined;
  };
}

const shown = (bytes: number): string => `${Math.round((bytes / 1024 ** 3) * 10) / 10} GB`;

/** Only what belongs to one process alone: programs and libraries are shared. */
function memoryOf(pids: number[]): number {
  let kilobytes = 0;
  for (const pid of pids) {
    const status = textOf(`/proc/${pid}/status`);
    for (const [, found] of status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)) kilobytes += Number(found);
  }
  return kilobytes * 1024;
}

/** Asking the disk costs nothing. Looking at every file is for when it became fuller by much, and now and then. */
function createLooks(folder: string, bounds: Bounds): () => Content | undefined {
  const { diskBytes, files } = bounds;
  const before = statfsSync(folder);
  let nextShare = 0.5;
  let nextTime = performance.now() + LOOK_MS;
  return () => {
    const now = statfsSync(folder);
    const share = Math.max(((before.bfree - now.bfree) * now.bsize) / diskBytes, (before.ffree - now.ffree) / files);
    const began = performance.now();
    if (share < nextShare && began < nextTime) return undefined;
    const found = contentOf(folder, bounds);
    const took = performance.now() - began;
    nextTime = performance.now() + Math.min(LATEST_MS, Math.max(LOOK_MS, 20 * took));
    // Somebody else may be filling the disk: then it is not looked at again at once.
    if (share >= nextShare) nextShare = Math.max(0.9, share) * 1.1;
    return found;
  };
}

const LOOK_MS = 2_000;
/** Somebody else may be emptying the disk: then only time brings the next look. */
const LATEST_MS = 6_000;

interface Content {
  bytes: number;
  files: number;
}

function contentOf(folder: string, { diskBytes, files }: Bounds): Content {
  const content = { bytes: 0, files: 0 };
  const left = [folder];
  for (const workspace of left) {
    for (const name of namesIn(workspace)) {
      const path = join(workspace, name);
      const found = statOf(path);
      content.files += 1;
      content.bytes += (found?.blocks ?? 0) * 512;
      if (found?.isDirectory()) left.push(path);
      if (content.files > files || content.bytes > diskBytes) return content;
    }
  }
  return content;
}

function statOf(path: string) {
  try {
    return lstatSync(path);
  } catch {
    return undefined; // Gone meanwhile, or deeper than a path may be long.
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
