/** What changed in a tree since it was looked at last, and how far that reaches. */
import { createHash, hash } from "node:crypto";
import {
  closeSync,
  createReadStream,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  type Stats,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { forEachYielding } from "../process/yielding-loop.ts";
import type { Tree } from "../tree.ts";
import { createLinks, isManifest, type TreeChanges } from "./reach.ts";
import { TEXT_CHARS } from "./words.ts";

export interface FileDigest {
  /** A short text that another content does not have. */
  digest: string;
  /** Differs once the file is written again. A file that was just written has none: its clock is too coarse to show a second write. */
  state?: string;
}

/** By path. */
export type Digests = ReadonlyMap<string, FileDigest>;

/** Only what was written since `before` is read. */
export async function digestsOf({ folder, files }: Tree, now: number, before?: Digests): Promise<Digests> {
  const digests = new Map<string, FileDigest>();
  const large: [string, Stats][] = [];
  await forEachYielding(files, (path) => {
    const file = join(folder, path);
    const found = statSync(file);
    const known = before?.get(path);
    if (known?.state !== undefined && known.state === stateOf(found)) digests.set(path, known);
    else if (found.size > AT_ONCE_BYTES) large.push([path, found]);
    else digests.set(path, { digest: hash("sha256", readFileSync(file), "base64"), ...stateBefore(found, now) });
  });
  for (const [path, found] of large)
    digests.set(path, { digest: await digestOf(join(folder, path)), ...stateBefore(found, now) });
  return digests;
}

/** No program can set when a file was written or renamed last. */
const stateOf = ({ ino, size, ctimeMs }: Stats): string => `${ino} ${size} ${ctimeMs}`;

/** Two writes within the resolution of the file system's clock look the same. */
const RESOLUTION_MS = 2_000;

const stateBefore = (found: Stats, now: number): { state?: string } =>
  found.ctimeMs < now - RESOLUTION_MS ? { state: stateOf(found) } : {};

/** Of a larger file no copy is made in memory. */
const AT_ONCE_BYTES = 1024 * 1024;

async function digestOf(file: string): Promise<string> {
  const digest = createHash("sha256");
  await pipeline(createReadStream(file), digest);
  return digest.digest("base64");
}

/** Undefined where anything may be concerned. */
export async function reachedSince(tree: Tree, before: Digests, now: Digests): Promise<Set<string> | undefined> {
  const changes = changesBetween(before, now);
  if (changes.added.length + changes.modified.length + changes.deleted.length === 0) return new Set();
  const links = createLinks(tree.files);
  const { true: manifests = [], false: others = [] } = Object.groupBy(tree.files, (path) => `${isManifest(path)}`);
  await forEachYielding([...manifests, ...others], (path) => links.add(path, beginningOf(join(tree.folder, path))));
  return links.reachedFrom(changes);
}

function changesBetween(before: Digests, now: Digests): TreeChanges {
  return {
    added: [...now.keys()].filter((path) => !before.has(path)),
    modified: [...now].flatMap(([path, { digest }]) => {
      const was = before.get(path);
      return was && was.digest !== digest ? [path] : [];
    }),
    deleted: [...before.keys()].filter((path) => !now.has(path)),
    before: before.keys(),
  };
}

/** Enough to see that it is too long. */
function beginningOf(path: string): string {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(Math.min(fstatSync(file).size, TEXT_CHARS * 4 + 4));
    readSync(file, bytes, 0, bytes.length, 0);
    return bytes.toString("utf8");
  } finally {
    closeSync(file);
  }
}
