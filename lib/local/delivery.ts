/** Delivers a tree into a folder of the user's: nothing that was not delivered before is overwritten or followed. */
import { createHash } from "node:crypto";
import { lstat, mkdir, readdir, readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { checkPath, parentsOf } from "../core/file-path.ts";
import { removeWhole, writeWhole } from "./atomic-file.ts";
import { type DeliveryRecord, readDeliveries, writeDeliveries } from "./delivery-record.ts";
import { codeOf, explainFile } from "./storage-errors.ts";

type Tree = ReadonlyMap<string, Uint8Array>;

export interface Delivered {
  folder: string;
  files: number;
  /** Paths that were left as somebody else made them, each with why. */
  kept: string[];
}

/** `record` remembers what was delivered where. */
export async function deliverTree(asked: { tree: Tree; folder: string; record: string }): Promise<Delivered> {
  try {
    return await deliver(asked);
  } catch (error) {
    throw explainFile(error, asked.folder);
  }
}

async function deliver({ tree, folder, record }: { tree: Tree; folder: string; record: string }) {
  await mkdir(folder, { recursive: true });
  const root = await realpath(folder);
  const deliveries = await readDeliveries(record);
  const before = deliveries[root] ?? {};
  // Written first: a file is known as ours before it is there.
  await writeDeliveries(record, { ...deliveries, [root]: withHashes(before, tree) });
  const place: Place = { root, before };
  const kept: string[] = [];
  for (const [path, content] of tree) {
    const why = await put(place, path, content);
    if (why) kept.push(`${path} (${why})`);
  }
  for (const path of Object.keys(before)) if (!tree.has(path)) await removeOurs(place, path);
  return { folder, files: tree.size - kept.length, kept };
}

interface Place {
  root: string;
  before: DeliveryRecord;
}

function withHashes(before: DeliveryRecord, tree: Tree): DeliveryRecord {
  const hashes: DeliveryRecord = { ...before };
  for (const [path, content] of tree) hashes[path] = [...new Set([...(before[path] ?? []), hashOf(content)])];
  return hashes;
}

const hashOf = (content: Uint8Array): string => createHash("sha256").update(content).digest("hex");

/** Answers why the path was left alone, or undefined when it holds the content now. */
async function put({ root, before }: Place, path: string, content: Uint8Array): Promise<string | undefined> {
  const checked = checkPath(path);
  if (!("path" in checked) || checked.path !== path) return "it is no path of a run";
  const obstacle = await obstacleAbove(root, path);
  if (obstacle) return obstacle;
  const there = await look(join(root, path));
  if (there === "folder") return "a folder is there";
  if (there === "other") return "a link or device is there";
  if (there === "file") {
    const hash = hashOf(await readFile(join(root, path)));
    if (hash === hashOf(content)) return undefined;
    if (!before[path]?.includes(hash)) return "it was changed there";
  }
  await writeWhole(join(root, path), content);
  return undefined;
}

/** Folders are made; whatever else stands in their place stays, links above all. */
async function obstacleAbove(root: string, path: string): Promise<string | undefined> {
  for (const parent of parentsOf(path)) {
    const there = await look(join(root, parent));
    if (there === "file") return `${parent} is a file there`;
    if (there === "other") return `${parent} is a link there`;
    if (there === "nothing") await mkdir(join(root, parent));
  }
  return undefined;
}

async function removeOurs({ root, before }: Place, path: string): Promise<void> {
  const checked = checkPath(path);
  if (!("path" in checked) || checked.path !== path) return;
  for (const parent of parentsOf(path)) if ((await look(join(root, parent))) !== "folder") return;
  if ((await look(join(root, path))) !== "file") return;
  if (before[path]?.includes(hashOf(await readFile(join(root, path))))) await removeWhole(join(root, path), root);
}

async function look(path: string): Promise<"nothing" | "file" | "folder" | "other"> {
  try {
    const found = await lstat(path);
    if (found.isFile()) return "file";
    return found.isDirectory() ? "folder" : "other";
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return "nothing";
    throw error;
  }
}

export type Ground = "free" | "occupied" | "no folder";

/** Whether files can be put there: `no folder` where something that is none stands there, or on the way. */
export async function groundAt(folder: string): Promise<Ground> {
  try {
    return (await readdir(folder)).length > 0 ? "occupied" : "free";
  } catch (error) {
    if (codeOf(error) === "ENOENT") return "free";
    if (codeOf(error) === "ENOTDIR") return "no folder";
    throw explainFile(error, folder);
  }
}

/** Whether something is there that is not ours to touch. */
export const isOccupied = async (folder: string): Promise<boolean> => (await groundAt(folder)) !== "free";
