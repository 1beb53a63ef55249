/** What the processes of a sandbox hold though no folder has it: unlinked files, and memory that they share. */
import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";

export interface HeldFiles {
  /** Of unlinked files. */
  bytes: number;
  files: number;
  /** At most so much: what was mapped may have been written, and belongs to no process any more. */
  sharedBytes: number;
  /** Something is held that cannot be measured. */
  hides: boolean;
}

const DELETED = " (deleted)";
/** Of the kernel's own files in memory. */
const SHARED = /^\/(?:dev\/zero|memfd:|SYSV)/;
/** Looked at in all: more has no honest program. */
const DESCRIPTORS = 50_000;

export function heldBy(pids: number[]): HeldFiles {
  const unlinked = new Map<string, number>();
  const shared = new Map<string, number>();
  const mapped = new Set<string>();
  let hides = false;
  let left = DESCRIPTORS;
  for (const pid of pids) {
    const names = descriptorsOf(pid);
    hides ||= names === undefined;
    for (const name of names ?? []) {
      left -= 1;
      if (left < 0) return { bytes: 0, files: DESCRIPTORS, sharedBytes: 0, hides: true };
      const found = unlinkedFile(`/proc/${pid}/fd/${name}`);
      if (found) (found.isShared ? shared : unlinked).set(found.inode, found.bytes);
    }
    for (const { inode, bytes, path } of sharedMappings(pid)) {
      if (SHARED.test(path)) shared.set(inode, Math.max(bytes, shared.get(inode) ?? 0));
      else mapped.add(inode);
    }
  }
  hides ||= [...mapped].some((inode) => !unlinked.has(inode));
  return { bytes: sum(unlinked), files: unlinked.size, sharedBytes: sum(shared), hides };
}

const sum = (sizes: Map<string, number>): number => [...sizes.values()].reduce((total, bytes) => total + bytes, 0);

/** Undefined where it keeps them from being looked at. */
function descriptorsOf(pid: number): string[] | undefined {
  try {
    return readdirSync(`/proc/${pid}/fd`);
  } catch (problem) {
    const isGone = problem instanceof Error && "code" in problem && /^(?:ENOENT|ESRCH)$/.test(String(problem.code));
    return isGone ? [] : undefined;
  }
}

function unlinkedFile(path: string): { inode: string; bytes: number; isShared: boolean } | undefined {
  try {
    const link = readlinkSync(path);
    if (!link.endsWith(DELETED)) return undefined;
    const { ino, nlink, blocks } = statSync(path);
    return nlink === 0 ? { inode: String(ino), bytes: blocks * 512, isShared: SHARED.test(link) } : undefined;
  } catch {
    return undefined; // Closed meanwhile.
  }
}

const MAPPING = /^([0-9a-f]+)-([0-9a-f]+) \S+ \S+ \S+ (\d+) +(\/.*) \(deleted\)$/gm;

function sharedMappings(pid: number): { inode: string; bytes: number; path: string }[] {
  const found = [...textOf(`/proc/${pid}/maps`).matchAll(MAPPING)];
  return found.map(([, from = "", to = "", inode = "", path = ""]) => ({
    inode,
    path,
    bytes: Number.parseInt(to, 16) - Number.parseInt(from, 16),
  }));
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
