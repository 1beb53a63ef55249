/**
 * Locks runs across the processes of one computer: a lock file per run names the process that computes it.
 *
 * A killed process leaves its lock behind. A stale lock is never deleted or overwritten directly: another process may
 * have taken it over since it was read. Instead a process that wants the lock creates a claim, a file named after the
 * stale lock's token, which only one process can create, and renames the claim to the lock. Tokens are never reused, so
 * a claim that comes too late has no effect. A process killed in between leaves a stale claim, which is succeeded in the
 * same way.
 */
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import * as z from "zod";
import { writeOnce } from "./atomic-file.ts";
import { type Processes, systemProcesses } from "./process-identity.ts";
import { readRegularSync } from "./regular-file.ts";
import { codeOf, explainFile } from "./storage-errors.ts";

export interface RunLock {
  /** Undefined: a live process, perhaps this one, already holds it. */
  take(runId: string): Promise<Lease | undefined>;
  holder(runId: string): { pid: number } | undefined;
}
export interface Lease {
  release(): void;
}

export function createRunLock(folder: string, processes: Processes = systemProcesses): RunLock {
  return {
    take: async (runId) => {
      const path = lockPath(folder, runId);
      const mine: Mark = { ...processes.self(), token: randomUUID() };
      try {
        const taken = await take({ path, mine, processes });
        return taken ? { release: () => release(path, mine) } : undefined;
      } catch (error) {
        throw explainFile(error, path);
      }
    },
    holder: (runId) => {
      const mark = readMark(lockPath(folder, runId));
      return mark && processes.isAlive(mark) ? { pid: mark.pid } : undefined;
    },
  };
}

/** For the only process that has the registry open: it needs no lock file, for which the full disk may have no room. */
export const lockAlone = ({ holder }: RunLock): RunLock => ({
  take: async (runId) => (holder(runId) ? undefined : { release: () => {} }),
  holder,
});

const Mark = z.object({ pid: z.int().positive(), started: z.string(), token: z.string().regex(/^[\w-]+$/) });
type Mark = z.infer<typeof Mark>;

interface Attempt {
  path: string;
  mine: Mark;
  processes: Processes;
}

/** Each try fails only because another process got further; after so many the run is considered taken. */
const TRIES = 20;

async function take(attempt: Attempt): Promise<boolean> {
  const { path, mine, processes } = attempt;
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (await writeOnce(path, JSON.stringify(mine))) return true;
    const chain = readChain(path);
    if (chain.some((mark) => processes.isAlive(mark))) return false;
    if (chain.length > 0 && (await succeed(attempt, chain))) return true;
  }
  return false;
}

/** Takes over from a chain of dead processes: the lock's, then those that died while they claimed it. */
async function succeed({ path, mine }: Attempt, chain: Mark[]): Promise<boolean> {
  const paths = [path, ...chain.map((mark) => claimPath(path, mark))];
  const claim = paths.at(-1) ?? path;
  if (!(await writeOnce(claim, JSON.stringify(mine)))) return false;
  if (tokensOf(readChain(path)) !== tokensOf([...chain, mine])) {
    await rm(claim, { force: true });
    return false;
  }
  await rename(claim, path);
  for (const spent of paths.slice(1, -1)) await rm(spent, { force: true });
  return true;
}

function release(path: string, mine: Mark): void {
  if (readMark(path)?.token === mine.token) rmSync(path, { force: true });
}

function lockPath(folder: string, runId: string): string {
  if (!/^[\w-]+$/.test(runId)) throw new Error(`${JSON.stringify(runId)} is not the id of a run.`);
  return join(folder, `${runId}.lock`);
}

const claimPath = (path: string, predecessor: Mark): string => `${path}.${predecessor.token}`;

const tokensOf = (chain: Mark[]): string => chain.map((mark) => mark.token).join(" ");

function readChain(path: string): Mark[] {
  const chain: Mark[] = [];
  for (let mark = readMark(path); mark; mark = readMark(claimPath(path, mark))) chain.push(mark);
  return chain;
}

function readMark(path: string): Mark | undefined {
  const text = readIfThere(path);
  if (text === undefined) return undefined;
  try {
    return Mark.parse(JSON.parse(text));
  } catch {
    // A power cut can leave it empty: it names no process, so no process holds it.
    return { pid: 0, started: "", token: `unreadable-${basename(path)}` };
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readRegularSync(path).toString("utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
