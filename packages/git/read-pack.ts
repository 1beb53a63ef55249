/** Reads a pack: every object of it by its id, held to a size before anything is inflated. */
import { createHash } from "node:crypto";
import { inflateSync } from "node:zlib";
import { GitError } from "../../lib/core/git/servers.ts";
import { MiB, TREE_BYTES } from "../../lib/core/limits.ts";
import { applyDelta } from "./delta.ts";
import { type GitObject, type HashName, idBytes, idOf, type ObjectType } from "./objects.ts";

/** What the objects of a commit may take together, inflated: as much as a tree. */
export const OBJECT_BYTES = TREE_BYTES;

const TYPES: Record<number, ObjectType> = { 1: "commit", 2: "tree", 3: "blob", 4: "tag" };
const OFFSET_DELTA = 6;
const ID_DELTA = 7;

interface Entry {
  kind: number;
  at: number;
  /** As the pack says, of what is inflated. */
  size: number;
  /** Where the base of a delta is: its place, or its id. */
  base?: number | string;
  data: Uint8Array;
  next: number;
}

export type Objects = ReadonlyMap<string, GitObject>;

export function readPack(pack: Buffer, hash: HashName, objectBytes = OBJECT_BYTES): Objects {
  const end = pack.length - idBytes(hash);
  if (end < 12 || pack.toString("latin1", 0, 4) !== "PACK") throw damaged("it does not begin as one");
  if (createHash(hash).update(pack.subarray(0, end)).digest().compare(pack.subarray(end)) !== 0)
    throw damaged("its hash differs");
  const reader = createReader(pack.subarray(0, end), { hash, objectBytes });
  for (let left = pack.readUInt32BE(8), at = 12; left > 0; left -= 1) at = reader.take(at);
  return reader.objects();
}

function createReader(pack: Buffer, { hash, objectBytes }: { hash: HashName; objectBytes: number }) {
  const byPlace = new Map<number, GitObject>();
  const byId = new Map<string, GitObject>();
  /** By the place or the id of their base, which can come after them. */
  const waiting = new Map<number | string, Entry[]>();
  let room = objectBytes;
  const spend = (bytes: number): void => {
    room -= bytes;
    // Not `room < 0`: of what is no number, nothing is spent.
    if (!(room >= 0))
      throw new GitError(`its files take more than ${objectBytes / MiB} MiB; that is too much for a run`, "refused");
  };
  const made = ({ type, content }: GitObject, { data }: Entry): GitObject => ({
    type,
    content: applyDelta(content, data, spend),
  });
  /** With all that waits for it. */
  const keep = (at: number, object: GitObject): void => {
    const kept = [{ at, object }];
    for (let next = kept.pop(); next; next = kept.pop()) {
      const base = next.object;
      const id = idOf(base, hash);
      byPlace.set(next.at, base);
      byId.set(id, base);
      for (const key of [next.at, id]) {
        for (const entry of waiting.get(key) ?? []) kept.push({ at: entry.at, object: made(base, entry) });
        waiting.delete(key);
      }
    }
  };
  const resolve = (entry: Entry): void => {
    const { at, base = "" } = entry;
    const found = typeof base === "number" ? byPlace.get(base) : byId.get(base);
    const others = waiting.get(base);
    if (found) keep(at, made(found, entry));
    else if (others) others.push(entry);
    else waiting.set(base, [entry]);
  };
  return {
    take(at: number): number {
      const entry = readEntry(pack, at, { hash, spend });
      const type = TYPES[entry.kind];
      if (type) keep(at, { type, content: entry.data });
      else resolve(entry);
      return entry.next;
    },
    objects(): Objects {
      if (waiting.size > 0) throw damaged("it lacks what some of its objects are made from");
      return byId;
    },
  };
}

function readEntry(
  pack: Buffer,
  start: number,
  { hash, spend }: { hash: HashName; spend: (bytes: number) => void },
): Entry {
  let at = start;
  const next = (): number => {
    const byte = pack[at];
    if (byte === undefined) throw damaged("it ends too early");
    at += 1;
    return byte;
  };
  let byte = next();
  const kind = (byte >> 4) & 7;
  let size = byte & 15;
  for (let shift = 4; byte & 128; shift += 7) {
    byte = next();
    // Not with bits: a size can be larger than 31 of them.
    size += (byte & 127) * 2 ** shift;
  }
  // Any number of bytes can go on.
  if (!Number.isSafeInteger(size)) throw damaged("one of its objects has no possible size");
  let base: number | string | undefined;
  if (kind === OFFSET_DELTA) {
    byte = next();
    let back = byte & 127;
    while (byte & 128) {
      byte = next();
      back = (back + 1) * 128 + (byte & 127);
    }
    base = start - back;
  } else if (kind === ID_DELTA) {
    base = pack.toString("hex", at, at + idBytes(hash));
    at += idBytes(hash);
  } else if (!TYPES[kind]) throw damaged("it has an object of an unknown kind");
  spend(size);
  const { data, used } = inflate(pack.subarray(at), size);
  return { kind, at: start, size, ...(base === undefined ? {} : { base }), data, next: at + used };
}

const [LEAST_CHUNK, LARGEST_CHUNK] = [64, MiB];

/** Of bytes that go on after it. What is larger than the pack says is not inflated. */
function inflate(packed: Uint8Array, size: number): { data: Uint8Array; used: number } {
  try {
    const chunkSize = Math.min(Math.max(size, LEAST_CHUNK), LARGEST_CHUNK);
    const options = { info: true, maxOutputLength: Math.max(size, 1), chunkSize };
    const { buffer, engine } = inflateSync(packed, options) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    if (buffer.length === size) return { data: buffer, used: engine.bytesWritten };
  } catch (error) {
    throw damaged("one of its objects cannot be inflated", error);
  }
  throw damaged("one of its objects has another size");
}

const damaged = (how: string, cause?: unknown): GitError =>
  new GitError(`the pack that it sent is damaged: ${how}`, "temporary", cause);
