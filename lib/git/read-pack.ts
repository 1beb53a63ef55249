/** Reads a pack: every object of it by its id, held to a size before anything is inflated. */
import { createHash } from "node:crypto";
import { inflateSync } from "node:zlib";
import { GitError } from "../core/git/servers.ts";
import { MiB, TREE_BYTES } from "../core/limits.ts";
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
  let waiting: Entry[] = [];
  let room = objectBytes;
  const spend = (bytes: number): void => {
    room -= bytes;
    if (room < 0)
      throw new GitError(`its files take more than ${objectBytes / MiB} MiB; that is too much for a run`, "refused");
  };
  const keep = (at: number, object: GitObject): void => {
    byPlace.set(at, object);
    byId.set(idOf(object, hash), object);
  };
  /** Answers whether its base is known. */
  const resolve = ({ at, base, data }: Entry): boolean => {
    const found = typeof base === "number" ? byPlace.get(base) : byId.get(base ?? "");
    if (found) keep(at, { type: found.type, content: applyDelta(found.content, data, spend) });
    return found !== undefined;
  };
  return {
    take(at: number): number {
      const entry = readEntry(pack, at, { hash, spend });
      const type = TYPES[entry.kind];
      if (type) keep(at, { type, content: entry.data });
      else if (!resolve(entry)) waiting.push(entry);
      return entry.next;
    },
    objects(): Objects {
      // A base can come after what is made from it.
      for (let before = -1; waiting.length > 0 && waiting.length !== before; ) {
        before = waiting.length;
        waiting = waiting.filter((entry) => !resolve(entry));
      }
      if (waiting.length > 0) throw damaged("it lacks what some of its objects are made from");
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
