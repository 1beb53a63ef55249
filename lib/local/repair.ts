/** Makes the registry of a home again, from what can be read of it and from what its runs have beside their files. */
import { existsSync, linkSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../core/errors.ts";
import type { FileStore, Item, Write } from "../core/ports.ts";
import { laneOfAttempt } from "../core/turn/turn-address.ts";
import { createDiskFiles } from "../host/disk-files.ts";
import { runFolders } from "../host/home.ts";
import { createRunLock } from "../host/run-lock.ts";
import { placeOf, salvageTable } from "../host/salvage-table.ts";
import { openSqliteTable } from "../host/sqlite-table.ts";
import { syncFolder } from "../host/sync-folder.ts";
import { putInBatches } from "../registry/create.ts";
import { aheadKey, fileStoreKeys, metaKey, runKey, turnKey } from "../registry/keys.ts";
import { readKeptRecords } from "./kept-records.ts";

/** `earlier`: as its last computation began, and the answers since are not paid again. `torn`: some records are missing. */
export type RepairedState = "whole" | "earlier" | "torn" | "gone";

export interface Repair {
  /** Where the file is now that was damaged. Absent: nothing was. */
  aside?: string;
  runs: { id: string; state: RepairedState }[];
}

export async function repairHome(home: string, now: number): Promise<Repair> {
  const path = join(home, REGISTRY);
  const files = createDiskFiles(home);
  const ids = runFolders(home);
  refuseComputed(home, ids);
  const { items, isWhole, torn } = salvageTable(path, ids.map(runKey));
  const isKnown = (id: string): boolean => items.has(placeOf(metaKey(id))) && !torn.has(runKey(id));
  if (isWhole && ids.every(isKnown)) return { runs: [] };
  const runs: Repair["runs"] = [];
  for (const id of ids) runs.push({ id, state: isKnown(id) ? "whole" : await mend(id, items, { home, files }) });
  const aside = join(home, `damaged-${new Date(now).toISOString().replace(/[:.]/g, "-")}`);
  mkdirSync(aside);
  await writeTable(join(aside, "new.sqlite"), [...items.values()]);
  replaceRegistry(home, aside);
  return { aside, runs };
}

const REGISTRY = "registry.sqlite";

function refuseComputed(home: string, ids: string[]): void {
  const lock = createRunLock(join(home, "locks"));
  const busy = ids.find((id) => lock.holder(id));
  if (busy === undefined) return;
  throw new UserError(`Run ${busy} is being computed by another process. Nothing was changed.`, {
    exitCode: 2,
    remedy: "End that process, and try again.",
  });
}

interface Home {
  home: string;
  files: FileStore;
}

/** What is missing of a run is in its copy, or was there when the copy was made. */
async function mend(id: string, items: Map<string, Item>, place: Home): Promise<RepairedState> {
  const kept = await readKeptRecords(place.files, id);
  const meta = items.get(placeOf(metaKey(id)));
  const copy = kept.find((item) => placeOf(item) === placeOf(metaKey(id)));
  if (!copy) return meta ? "torn" : "gone";
  // Whatever a run does changes one of them.
  const isLatest =
    meta !== undefined && (["events", "epoch", "attempt"] as const).every((name) => meta[name] === copy[name]);
  if (!isLatest) for (const [at, { pk }] of items) if (pk === copy.pk) items.delete(at);
  for (const item of kept) if (!items.has(placeOf(item))) items.set(placeOf(item), item);
  const later = isLatest ? undefined : await layAnswers(id, items, place);
  if (later !== undefined) {
    const attempt = Math.max(Number(copy.attempt), later);
    items.set(placeOf(copy), { ...copy, attempt, writtenOff: { microUsd: 0, tokens: 0 } });
  }
  return later === undefined ? "whole" : "earlier";
}

const ANSWER = /^(\d{4})-(\d+)\.answer\.json$/;

/** Answers of turns that the records lack: the run takes each when it comes there. Answers the last of its attempts, if any. */
async function layAnswers(id: string, items: Map<string, Item>, { home, files }: Home): Promise<number | undefined> {
  const keys = fileStoreKeys(id);
  let last: number | undefined;
  const journal = join(home, "runs", id, "journal");
  for (const folder of existsSync(journal) ? readdirSync(journal).filter((name) => /^\d{6}$/.test(name)) : []) {
    for (const name of readdirSync(join(journal, folder)).toSorted()) {
      const [, turn, attempt] = (ANSWER.exec(name) ?? []).map(Number);
      if (turn === undefined || attempt === undefined) continue;
      const at = { instruction: Number(folder), turn, attempt };
      const isOfLane = laneOfAttempt(attempt) !== undefined;
      if (items.has(placeOf((isOfLane ? aheadKey : turnKey)(id, at)))) continue;
      const bytes = await files.get(keys.answer(at));
      if (bytes) await files.put(keys.unclaimedAnswer(at), bytes);
      last = Math.max(last ?? 0, isOfLane ? 0 : attempt);
    }
  }
  return last;
}

async function writeTable(path: string, items: Item[]): Promise<void> {
  const table = openSqliteTable(path);
  try {
    const nothing: Write = { check: { pk: "REPAIR", sk: "META" }, when: [{ item: "absent" }] };
    await putInBatches(table, items, nothing);
  } finally {
    table.close();
  }
}

/** The log goes first: it would be taken for that of the new file. */
function replaceRegistry(home: string, aside: string): void {
  for (const name of readdirSync(home).filter((each) => each.startsWith(`${REGISTRY}-`)))
    renameSync(join(home, name), join(aside, name));
  const path = join(home, REGISTRY);
  if (existsSync(path)) linkSync(path, join(aside, REGISTRY));
  syncFolder(aside);
  renameSync(join(aside, "new.sqlite"), path);
  syncFolder(home);
}
