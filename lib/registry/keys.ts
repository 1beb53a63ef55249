/** The keys of the registry's single table. */
import type { ItemKey } from "../core/ports.ts";

const digits = (value: number, width: number): string => String(value).padStart(width, "0");

export const runKey = (runId: string): string => `RUN#${runId}`;
export const metaKey = (runId: string): ItemKey => ({ pk: runKey(runId), sk: "META" });
export const requirementKey = (runId: string, id: string): ItemKey => ({ pk: runKey(runId), sk: `REQ#${id}` });
export const instructionKey = (runId: string, number: number): ItemKey => ({
  pk: runKey(runId),
  sk: `INSTR#${digits(number, 6)}`,
});
export const fileKey = (runId: string, foldedPath: string): ItemKey => ({
  pk: runKey(runId),
  sk: `FILE#${foldedPath}`,
});
export const turnsPrefix = (instruction: number): string => `TURN#${digits(instruction, 6)}#`;
export const turnKey = (runId: string, { instruction, turn }: { instruction: number; turn: number }): ItemKey => ({
  pk: runKey(runId),
  sk: `${turnsPrefix(instruction)}${digits(turn, 4)}`,
});
/** Turns of an instruction that a lane executes ahead of its turn. They stay here, whatever becomes of its work. */
export const aheadPrefix = (instruction: number): string => `AHEAD#${digits(instruction, 6)}#`;
export const aheadKey = (runId: string, { instruction, turn }: { instruction: number; turn: number }): ItemKey => ({
  pk: runKey(runId),
  sk: `${aheadPrefix(instruction)}${digits(turn, 4)}`,
});
export const laneKey = (runId: string, lane: number): ItemKey => ({ pk: runKey(runId), sk: `LANE#${digits(lane, 2)}` });
/** The accounts of a run with several lanes, which all of them change. */
export const poolKey = (runId: string): ItemKey => ({ pk: runKey(runId), sk: "POOL" });
export const baselineKey = (runId: string): ItemKey => ({ pk: runKey(runId), sk: "BASELINE" });
export const EVIDENCE_PREFIX = "EVID#";
export const evidenceKey = (runId: string, { requirement, n }: { requirement: string; n: number }): ItemKey => ({
  pk: runKey(runId),
  sk: `${EVIDENCE_PREFIX}${requirement}#${digits(n, 4)}`,
});
export const locksKey = (runId: string): ItemKey => ({ pk: runKey(runId), sk: "LOCKS" });
export const eventKey = (runId: string, seq: number): ItemKey => ({ pk: runKey(runId), sk: `EVENT#${digits(seq, 9)}` });
/** How far its spans were sent. */
export const spansKey = (runId: string): ItemKey => ({ pk: runKey(runId), sk: "SPANS" });
/** In the run that is forked: this run may still copy from it. */
export const forkKey = (runId: string, forkId: string): ItemKey => ({ pk: runKey(runId), sk: `FORK#${forkId}` });
export const idempotencyKey = (caller: string, key: string): ItemKey => ({ pk: `IDEM#${caller}#${key}`, sk: "META" });

export const notificationKey = (runId: string, id: string): ItemKey => ({ pk: runKey(runId), sk: `NOTIFY#${id}` });

/** Of all runs under a daily ceiling together, by UTC date. */
export const dayShardKey = (date: string, shard: number): ItemKey => ({ pk: `DAY#${date}#${shard}`, sk: "META" });
/** Before there were shards. */
export const dayKey = (date: string): ItemKey => ({ pk: `DAY#${date}`, sk: "META" });

/** Spreads runs over shards, the same run always to the same one (FNV-1a). */
export function shardOf(runId: string, shards: number): number {
  let hash = 0x811c9dc5;
  for (const character of runId) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash % shards;
}

/** Active runs are found under these partitions of the index `due`, each run under one; an earlier version used the first alone. */
export const ACTIVE_SHARDS: readonly string[] = Array.from({ length: 16 }, (_, shard) => String(shard));
export const activeShardOf = (runId: string): string => String(shardOf(runId, ACTIVE_SHARDS.length));
/** Runs that are being removed, and those that ended, are under others. */
export const DELETING_SHARD = "deleting";
/** Due since their end. */
export const ENDED_SHARD = "ended";
/** Of notifications, not of runs: due when they are to be sent. */
export const NOTIFY_SHARD = "notify";

type Exchange = Record<"instruction" | "turn" | "attempt", number>;
/** Where a run's bytes are in the file store. */
export const fileStoreKeys = (runId: string) => {
  const root = `runs/${runId}`;
  const at = ({ instruction, turn, attempt }: Exchange): string =>
    `${root}/journal/${digits(instruction, 6)}/${digits(turn, 4)}-${attempt}`;
  return {
    root: `${root}/`,
    task: `${root}/task.json`,
    blob: (sha256: string) => `${root}/blobs/${sha256}`,
    answer: (exchange: Exchange) => `${at(exchange)}.answer.json`,
    /** That a repair found, and the registry does not know. */
    unclaimedAnswer: ({ instruction, turn }: Omit<Exchange, "attempt">) =>
      `${root}/journal/${digits(instruction, 6)}/${digits(turn, 4)}.answer.json`,
    effects: (exchange: Exchange) => `${at(exchange)}.effects.json`,
    /** What the gate of a lane compares with. */
    laneFacts: (lane: number, base: number) => `${root}/lanes/${digits(lane, 2)}-${digits(base, 6)}.json`,
    ahead: (exchange: Exchange) => `${at(exchange)}.ahead.json`,
    step: (exchange: Exchange) => `${at(exchange)}.step.json`,
    tried: (instruction: number, attempt: number | string) =>
      `${root}/journal/${digits(instruction, 6)}/tried-${attempt}.json`,
    /** The steps of an earlier call that this one takes over. */
    /** Steps of another run that can be taken over, by what their instruction says. */
    inherited: (own: string) => `${root}/inherited/${own}.json`,
    inheritance: `${root}/inherited.json`,
    brokenAnswer: (exchange: Exchange, failure: number) => `${at(exchange)}.broken-${failure}.txt`,
    baseline: (attempt: number) => `${root}/journal/baseline-${attempt}.json`,
    pack: (instruction: number) => `${root}/packs/${digits(instruction, 6)}.zip`,
    /** What an instruction changed, as a pack. */
    changes: (instruction: number) => `${root}/packs/${digits(instruction, 6)}.changes.zip`,
    /** The tree of the commit that it started from, without contents; deflated. */
    outline: `${root}/start-outline`,
    view: (path: string) => `${root}/files/${path}`,
    output: (name: string) => `${root}/output/${name}`,
    program: (version: string) => `${root}/programs/${version}.json`,
    /** What a `for_each` goes through, if it comes from files. */
    items: (version: string) => `${root}/items/${version}.json`,
    report: `${root}/report.json`,
    /** A copy of its records. */
    records: `${root}/records.json`,
    /** What a run that was forked begins with. */
    fork: `${root}/fork.json`,
    manifest: `${root}/manifest.json`,
  };
};

/** Of a program that an owner keeps under a name. `id`: of this put alone, so that no other removes its bytes. */
export const namedProgramKey = (owner: { sha256: string }, program: { sha256: string; id: string }): string =>
  `programs/${owner.sha256.slice(0, OWNER_DIGITS)}/${program.sha256}-${program.id}.json`;

const OWNER_DIGITS = 32;
