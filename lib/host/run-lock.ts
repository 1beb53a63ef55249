/**
 * Tells whether a run is being computed by a live process: a lock file per run names the process.
 *
 * A killed process leaves its lock behind. Nobody deletes or overwrites such a lock on sight: between the look and the
 * deed another may have taken it over. Instead whoever wants it claims the succession, a file named after the stale
 * lock's token, which only one can create, and then moves the claim onto the lock. Tokens never come again, so a claim
 * that was made too late is seen to be void. A claimant killed on the way leaves a stale claim: its successor is found
 * in the same manner.
 */
import { randomUUID } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import * as z from "zod";
import { writeOnce } from "./atomic-file.ts";
import { type Processes, systemProcesses } from "./process-identity.ts";
import { codeOf, explainFile } from "./storage-errors.ts";

export interface RunLock {
  /** Undefined: a live process, perhaps this one, computes the run already. */
  take(runId: string): Promise<Grip | undefined>;
  holder(runId: string): { pid: number } | undefined;
}
export interface Grip {
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

/** Of the one process that has the registry open: it needs no file to say so, for which there may be no room. */
export const lockAlone = ({ holder }: RunLock): RunLock => ({
  take: async (runId) => (holder(runId) ? undefined : { release: () => {} }),
  holder,
});

const Mark = z.object({ pid: z.number().int().positive(), started: z.string(), token: z.string().regex(/^[\w-]+$/) });
type Mark = z.infer<typeof Mark>;

interface Attempt {
  path: string;
  mine: Mark;
  processes: Processes;
}

/** Each try fails only because somebody else got further; so many in a row are somebody else's run. */
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
    // A power cut can leave it empty. It names no process, so nobody lives behind it.
    return { pid: 0, started: "", token: `unreadable-${basename(path)}` };
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
