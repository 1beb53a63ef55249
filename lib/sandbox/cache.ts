/**
 * The cache of installed environments, downloads of installers, and work trees: all of it can be created again.
 * Bounded by size and age; entries that a live process uses are kept. Cleaning removes the record of an environment
 * first and checks for claims then; using one claims it first and checks for its record then.
 */
import { rmSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { type Processes, systemProcesses } from "../host/process-identity.ts";
import { type Claims, createClaims } from "./cache-claims.ts";
import { changedAt, jsonIn, namesIn, writeAt } from "./cache-files.ts";

export interface CacheParts {
  home: string;
  now: () => number;
  bytesOf: (folder: string) => Promise<number>;
  limits?: CacheLimits;
  processes?: Processes;
}

export interface CacheLimits {
  /** All environments together. */
  bytes: number;
  ageMs: number;
  /** The downloads of one installer. */
  fetchedBytes: number;
}

export interface Cache {
  /** Records that this process uses the environment. */
  claim(name: string): void;
  /** Cleans, at most once an hour. `isNeeded`: whether a run's tree may still be used. */
  tidy(isNeeded: (runId: string) => boolean | Promise<boolean>): Promise<void>;
}

const GiB = 1024 ** 3;
const DAY_MS = 24 * 3_600_000;
export const CACHE_LIMITS: CacheLimits = { bytes: 10 * GiB, ageMs: 30 * DAY_MS, fetchedBytes: 2 * GiB };
const TIDY_EVERY_MS = 3_600_000;
/** The downloads of one installer. */
const FETCHED = /^[a-z]+-cache$/;

export const cacheFolder = (home: string): string => join(home, "cache");

export function createCache(parts: CacheParts): Cache {
  const { now, processes = systemProcesses } = parts;
  const folder = cacheFolder(parts.home);
  const environments = join(folder, "environments");
  const claims = createClaims(join(environments, "claims"), { now, processes });
  return {
    claim: claims.make,
    async tidy(isNeeded) {
      const stamp = join(folder, "tidied");
      if (namesIn(folder).length === 0 || Math.abs(now() - changedAt(stamp)) < TIDY_EVERY_MS) return;
      for (const runId of namesIn(join(folder, "trees")))
        if (!(await isNeeded(runId))) await remove(join(folder, "trees", runId));
      await tidyEnvironments(environments, claims, { ...CACHE_LIMITS, ...parts.limits, now: now() });
      await tidyFetched(environments, claims, parts);
      writeAt(stamp, "", now());
    },
  };
}

/** Of a record only what cleaning must know. */
const Kept = z.object({ folder: z.string().regex(/^[\w-]+$/), bytes: z.number() });

async function tidyEnvironments(folder: string, claims: Claims, limits: CacheLimits & { now: number }): Promise<void> {
  const names = namesIn(folder);
  const records = names
    .filter((name) => name.endsWith(".json"))
    .map((name) => ({
      name,
      usedAt: changedAt(join(folder, name)),
      kept: Kept.safeParse(jsonIn(join(folder, name))).data,
    }))
    .toSorted((one, other) => other.usedAt - one.usedAt);
  const staying = new Set<string>();
  const live = claims.live();
  let bytes = 0;
  for (const { name, usedAt, kept } of records) {
    bytes += kept?.bytes ?? 0;
    const isOver = bytes > limits.bytes || limits.now - usedAt > limits.ageMs;
    if (kept && (live.has(kept.folder) || !isOver)) staying.add(kept.folder);
    else rmSync(join(folder, name), { force: true });
  }
  const used = claims.live();
  for (const name of names.filter((one) => MADE.test(one)))
    if (!staying.has(name) && !used.has(name)) await remove(join(folder, name));
}

/** Environments, whole or half made, and records that were never finished. */
const MADE = /^[0-9a-f]{32}-[\w-]+(?:\.draft)?$|\.removed$/;

/** While anybody installs, or might, it stays: installers do not look for each other. */
async function tidyFetched(folder: string, claims: Claims, { now, bytesOf, limits }: CacheParts): Promise<void> {
  const { fetchedBytes, ageMs } = { ...CACHE_LIMITS, ...limits };
  for (const name of namesIn(folder).filter((one) => FETCHED.test(one))) {
    const path = join(folder, name);
    if (claims.live().size > 0) continue;
    if (now() - changedAt(path) > ageMs || (await bytesOf(path)) > fetchedBytes) await remove(path);
  }
}

/** Out of the way first: half a folder under its old name could be taken for a whole one. */
async function remove(path: string): Promise<void> {
  const away = `${path}.removed`;
  await rename(path, away).catch(() => {});
  // A process that was killed while it removed leaves it under the other name.
  for (const gone of [away, path]) await rm(gone, { recursive: true, force: true });
}
