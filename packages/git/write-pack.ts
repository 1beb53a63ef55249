/** Writes a pack of whole objects. */
import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import type { GitObject, HashName, ObjectType } from "./objects.ts";

const KINDS: Record<ObjectType, number> = { commit: 1, tree: 2, blob: 3, tag: 4 };

const LEAST_CHUNK = 256;
const LARGEST_CHUNK = 1024 * 1024;

export function writePack(objects: readonly GitObject[], hash: HashName): Buffer {
  const head = Buffer.alloc(12);
  head.write("PACK", "latin1");
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(objects.length, 8);
  const parts = objects.flatMap((object) => [headOf(object), deflated(object)]);
  const body = Buffer.concat([head, ...parts]);
  return Buffer.concat([body, createHash(hash).update(body).digest()]);
}

/** A result keeps the chunk alive that it was written into: thousands of small ones would fill the memory. */
const deflated = ({ content }: GitObject): Buffer =>
  deflateSync(content, { chunkSize: Math.max(LEAST_CHUNK, Math.min(content.length, LARGEST_CHUNK)) });

/** Kind and size: four bits of it, then seven at a time. */
function headOf({ type, content }: GitObject): Buffer {
  const bytes: number[] = [];
  let byte = (KINDS[type] << 4) | (content.length & 15);
  for (let left = Math.floor(content.length / 16); left > 0; left = Math.floor(left / 128)) {
    bytes.push(byte | 128);
    byte = left & 127;
  }
  return Buffer.from([...bytes, byte]);
}
