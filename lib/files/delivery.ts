/** Delivers a tree into a folder of the user's: nothing that was not delivered before is overwritten or followed. */
import { createHash } from "node:crypto";
import { lstat, mkdir, readdir, realpath, symlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { checkPath, parentsOf } from "../core/text/file-path.ts";
import { LINKS_FILE, linksIn, type TreeLink } from "../core/text/tree-links.ts";
import { removeLeftovers, removeWhole, writeWhole } from "../host/atomic-file.ts";
import { makeFolder } from "../host/make-folder.ts";
import { readRegular } from "../host/regular-file.ts";
import { codeOf, explainFile } from "../host/storage-errors.ts";
import {
  begun,
  type Deliveries,
  type DeliveryRecord,
  ended,
  isWhole,
  readDeliveries,
  writeDeliveries,
} from "./delivery-record.ts";

type Tree = ReadonlyMap<string, Uint8Array>;

export interface DeliveryResult {
  folder: string;
  files: number;
  /** Paths that were left as somebody else made them, each with why. */
  kept: string[];
  /** Why it could not be noted. The files are there all the same, but a later delivery takes them for somebody else's. */
  unremembered: string | undefined;
}

export interface Delivery {
  tree: Tree;
  folder: string;
  /** The file that remembers what was delivered where. */
  record: string;
  /** Which end of the run it is. */
  end: string;
}

export async function deliverTree(asked: Delivery): Promise<DeliveryResult> {
  try {
    return await deliver(asked);
  } catch (error) {
    throw explainFile(error, asked.folder);
  }
}

async function deliver({ tree: packed, folder, record, end }: Delivery): Promise<DeliveryResult> {
  const links = linksIn(textOf(packed.get(LINKS_FILE)), packed.keys());
  const tree = new Map([...packed].filter(([path]) => path !== LINKS_FILE));
  makeFolder(folder);
  const root = await realpath(folder);
  const deliveries = await readDeliveries(record);
  const before = deliveries[root] ?? {};
  const after = withHashes(before, tree);
  // Written first: a file is known as ours before it is there.
  const unremembered = await remember(record, { ...deliveries, [root]: begun(after) });
  await sweep(root, Object.keys(after));
  const place: DeliveryTarget = { root, before };
  const kept: string[] = [];
  for (const [path, content] of tree) {
    const why = await put(place, path, content);
    if (why) kept.push(`${path} (${why})`);
  }
  for (const path of Object.keys(before)) if (!tree.has(path)) await removeOurs(place, path);
  for (const link of links) await putLink(root, link);
  const unended = unremembered ?? (await remember(record, { ...deliveries, [root]: ended(after, end) }));
  return { folder, files: tree.size - kept.length, kept, unremembered: unended };
}

/** Answers why it could not: the files are worth more than the note of them. */
async function remember(record: string, deliveries: Deliveries): Promise<string | undefined> {
  try {
    await writeDeliveries(record, deliveries);
    return undefined;
  } catch (error) {
    return `${record} could not be written (${codeOf(error) || String(error)})`;
  }
}

interface DeliveryTarget {
  root: string;
  before: DeliveryRecord;
}

function withHashes(before: DeliveryRecord, tree: Tree): DeliveryRecord {
  const hashes: DeliveryRecord = { ...before };
  for (const [path, content] of tree) hashes[path] = [...new Set([...(before[path] ?? []), hashOf(content)])];
  return hashes;
}

const hashOf = (content: Uint8Array): string => createHash("sha256").update(content).digest("hex");

/** Half-written files are beside those that were to be written. */
async function sweep(root: string, paths: string[]): Promise<void> {
  const good = paths.filter(isPath);
  await removeLeftovers(root, root);
  for (const folder of new Set(good.flatMap(parentsOf))) {
    if (await isOwnFolder(root, folder)) await removeLeftovers(join(root, folder), root);
  }
}

/** No link on the way to it either. */
async function isOwnFolder(root: string, folder: string): Promise<boolean> {
  for (const part of [...parentsOf(folder), folder]) if ((await look(join(root, part))) !== "folder") return false;
  return true;
}

function isPath(path: string): boolean {
  const checked = checkPath(path);
  return "path" in checked && checked.path === path;
}

/** Answers why the path was left alone, or undefined when it holds the content now. */
async function put({ root, before }: DeliveryTarget, path: string, content: Uint8Array): Promise<string | undefined> {
  if (!isPath(path)) return "it is no path of a run";
  const obstacle = await obstacleAbove(root, path);
  if (obstacle) return obstacle;
  const there = await look(join(root, path));
  if (there === "folder") return "a folder is there";
  if (there === "other") return "a link or device is there";
  if (there === "file") {
    const hash = hashOf(await readRegular(join(root, path)));
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

const textOf = (content: Uint8Array | undefined): string => (content ? new TextDecoder().decode(content) : "");

/** Where nothing is yet: what is there stays. */
async function putLink(root: string, { path, target }: TreeLink): Promise<void> {
  if ((await obstacleAbove(root, path)) === undefined && (await look(join(root, path))) === "nothing")
    await symlink(target, join(root, path));
}

async function removeOurs({ root, before }: DeliveryTarget, path: string): Promise<void> {
  if (!isPath(path)) return;
  for (const parent of parentsOf(path)) if ((await look(join(root, parent))) !== "folder") return;
  if ((await look(join(root, path))) !== "file") return;
  if (before[path]?.includes(hashOf(await readRegular(join(root, path))))) await removeWhole(join(root, path), root);
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

/** Whether a delivery of that end into the folder came to its own end. What became of the files then is not asked. */
export async function wasDelivered({ folder, record, end }: Omit<Delivery, "tree">): Promise<boolean> {
  return isWhole((await readDeliveries(record))[await rootOf(folder)], end);
}

/** Also where the folder is not there any more. */
async function rootOf(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch {
    return dirname(folder) === folder ? folder : join(await rootOf(dirname(folder)), basename(folder));
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
