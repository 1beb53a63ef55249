/** Packs that no honest server sends: sizes that are no numbers, and deltas in the worst order. */
import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { MiB } from "../../lib/core/limits.ts";
import { processorMs } from "../../test/doubles/enough-time.ts";
import { thorough } from "../../test/doubles/thorough.ts";
import { applyDelta } from "./delta.ts";
import { idOf } from "./objects.ts";
import { readPack } from "./read-pack.ts";

function packOf(entries: Buffer[]): Buffer {
  const head = Buffer.alloc(12);
  head.write("PACK", "latin1");
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(entries.length, 8);
  const body = Buffer.concat([head, ...entries]);
  return Buffer.concat([body, createHash("sha1").update(body).digest()]);
}

/** More continuation bytes than a number has room for. */
const NO_NUMBER = Buffer.concat([Buffer.alloc(160, 0x80), Buffer.of(0)]);

describe("a size that is no number", () => {
  it("is refused before anything is inflated", () => {
    const inflated = Buffer.alloc(4 * MiB);
    const bomb = packOf([Buffer.concat([Buffer.of(0xb0), NO_NUMBER, deflateSync(inflated)])]);
    expect(() => readPack(bomb, "sha1", MiB)).toThrow("has no possible size");
  });

  it("is refused in a delta before it is spent", () => {
    const spent: number[] = [];
    const delta = Buffer.concat([Buffer.of(1), NO_NUMBER]);
    expect(() => applyDelta(Buffer.of(7), delta, (bytes) => spent.push(bytes))).toThrow("a delta does not fit");
    expect(spent).toEqual([]);
  });
});

/** Each one made from the one before: its two bytes of a number are new, and nothing of its base is copied. */
function chain(length: number): Buffer[] {
  const contents = Array.from({ length }, (_, n) => Buffer.of(n >> 8, n & 255));
  return contents.map((content, n) => {
    const before = contents[n - 1];
    if (!before) return Buffer.concat([Buffer.of(0x30 | content.length), deflateSync(content)]);
    const delta = Buffer.concat([Buffer.of(before.length, content.length, content.length), content]);
    const base = Buffer.from(idOf({ type: "blob", content: before }, "sha1"), "hex");
    return Buffer.concat([Buffer.of(0x70 | delta.length), base, deflateSync(delta)]);
  });
}

describe("a chain of deltas", () => {
  it("takes as long from its end to its start as from its start to its end", () => {
    const length = thorough(4_000, 12_000);
    const entries = chain(length);
    const orders = [packOf(entries), packOf(entries.toReversed())];
    expect(orders.map((pack) => readPack(pack, "sha1").size)).toEqual([length, length]);
    const rounds = [1, 2, 3].map(() => orders.map((pack) => processorMs(() => void readPack(pack, "sha1"))));
    const [forwards = 0, backwards = 0] = orders.map((_, at) => Math.min(...rounds.map((took) => took[at] ?? 0)));
    expect(backwards).toBeLessThan(5 * forwards);
  });

  it("that lacks its first object is damaged", () => {
    expect(() => readPack(packOf(chain(3).slice(1)), "sha1")).toThrow("lacks what some of its objects are made from");
  });
});
