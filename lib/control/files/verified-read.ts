/** Reads what a run has stored, and reports what is missing or differs from what was stored. */
import { Damaged, type Remedy, Unreadable } from "../../core/errors.ts";
import type { FileStore, ItemKey } from "../../core/ports.ts";
import type { Run } from "../../core/run/run.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { sha256 } from "./digest.ts";

export async function readRequired(files: FileStore, key: string): Promise<Uint8Array> {
  const bytes = await files.get(key);
  if (!bytes) throw damaged(key, "it is missing");
  return bytes;
}

export async function readBlob(files: FileStore, runId: string, sha: string): Promise<Uint8Array> {
  const key = fileStoreKeys(runId).blob(sha);
  const bytes = await readRequired(files, key);
  if (sha256(bytes) !== sha) throw damaged(key, "it is not what was stored");
  return bytes;
}

/** Names the stored object in the damage that `read` reports. */
export function readVerified<T>(key: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const how = error instanceof Error ? error.message : String(error);
    if (error instanceof Unreadable) throw newer(key, how);
    throw damaged(key, how.replace(/^This pack is damaged: /, ""), error);
  }
}

/** What a newer version stored is left as it is. */
export function newer(key: string, how: string): Unreadable {
  const { runId, rest } = placeOf(key);
  return new Unreadable(
    `A newer version of l2mac wrote ${inSentence(nameOf(rest))} of run ${runId}: ${how} (${key}). It is left as it is.`,
    { remedy: { command: "list", args: [], note: "shows the other runs; use the version that wrote this one" } },
  );
}

const inSentence = (name: string): string => `${name.charAt(0).toLowerCase()}${name.slice(1)}`;

function placeOf(key: string): { runId: string; rest: string } {
  const [, runId = "", rest = ""] = /^runs\/([^/]+)\/(.*)$/.exec(key) ?? [];
  return { runId, rest };
}

export function damaged(key: string, how: string, cause?: unknown): Damaged {
  const { runId, rest } = placeOf(key);
  const message = `${nameOf(rest)} of run ${runId} is damaged: ${how.replace(/\.$/, "")} (${key}).`;
  return new Damaged(message, { remedy: remedyFor(runId, rest), cause });
}

/** A run ends also where what it would report cannot be read any more. */
export async function unlessDamaged<T>(reading: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Damaged || error instanceof Unreadable) return otherwise;
    throw error;
  }
}

export function damagedItem({ pk, sk }: ItemKey, how = "it is missing"): Damaged {
  const runId = pk.replace("RUN#", "");
  const message = `The item ${sk} of run ${runId} in the registry is damaged: ${how}.`;
  return new Damaged(message, { remedy: { command: "get", args: [runId] } });
}

function nameOf(place: string): string {
  const [, instruction, turn, body] = /^journal\/(\d+)\/(\d+)-\d+\.(\w+)\.json$/.exec(place) ?? [];
  if (body) return `Entry ${Number(instruction)}.${Number(turn)} of the journal (its ${body})`;
  if (place.startsWith("packs/")) return `The pack of instruction ${packIn(place)}`;
  if (place.startsWith("blobs/")) return "A stored file";
  if (place.startsWith("output/")) return "The output";
  return place === "task.json" ? "The stored task" : "The stored program";
}

const packIn = (place: string): number => Number(/\d+/.exec(place)?.[0] ?? 0);

/** The packs do not depend on the journal, nor on those after them. */
function remedyFor(runId: string, place: string): Remedy {
  const isPack = place.startsWith("packs/");
  if (isPack && packIn(place) === 0) return `Submit the task again; nothing of run ${runId} can be unpacked.`;
  const at = isPack ? ["--at", String(packIn(place) - 1)] : [];
  return { command: "get", args: [runId, ...at] };
}

/** What is kept of a run that ends because of damage. */
export const keptOf = ({ packed }: Pick<Run, "packed">): string =>
  packed < 1
    ? "No instruction was accepted before."
    : `What was accepted up to instruction ${packed} is kept in its pack.`;
