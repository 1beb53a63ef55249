/** Writes a pack of whole objects. */
import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import type { GitObject, HashName, ObjectType } from "./objects.ts";

const KINDS: Record<ObjectType, number> = { commit: 1, tree: 2, blob: 3, tag: 4 };

export function writePack(objects: readonly GitObject[], hash: HashName): Buffer {
  const head = Buffer.alloc(12);
  head.write("PACK", "latin1");
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(objects.length, 8);
  const parts = objects.flatMap((object) => [headOf(object), deflateSync(object.content)]);
  const body = Buffer.concat([head, ...parts]);
  return Buffer.concat([body, createHash(hash).update(body).digest()]);
}

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
