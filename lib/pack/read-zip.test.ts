/** Zips that programs make are read; those that people make to do harm are refused in words. */
import { strToU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { findInZip } from "./read-zip.ts";

const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);
const CENTRAL = Buffer.from([0x50, 0x4b, 1, 2]);
const END = Buffer.from([0x50, 0x4b, 5, 6]);

/** A zip whose directory says something else of its first entry. */
function lying(files: Record<string, Uint8Array>, change: (view: DataView, at: number) => void): Uint8Array {
  const zip = zipSync(files);
  change(new DataView(zip.buffer), Buffer.from(zip).indexOf(CENTRAL));
  return zip;
}

/** The same zip with its sizes and places in the zip64 extension. */
function extended(zip: Uint8Array): Uint8Array {
  const bytes = Buffer.from(zip);
  const [central, end] = [bytes.indexOf(CENTRAL), bytes.indexOf(END)];
  const header = Buffer.from(bytes.subarray(central, end));
  const extra = Buffer.alloc(28);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(24, 2);
  for (const [at, from] of [
    [4, 24],
    [12, 20],
    [20, 42],
  ] as const) {
    extra.writeBigUInt64LE(BigInt(header.readUInt32LE(from)), at);
    header.writeUInt32LE(0xffffffff, from);
  }
  header.writeUInt16LE(extra.length, 30);
  const end64 = Buffer.alloc(56);
  end64.writeUInt32LE(0x06064b50, 0);
  end64.writeBigUInt64LE(1n, 32);
  end64.writeBigUInt64LE(BigInt(central), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(central + header.length + extra.length), 8);
  return Buffer.concat([bytes.subarray(0, central), header, extra, end64, locator, bytes.subarray(end)]);
}

describe("a zip", () => {
  it("is read with a comment behind it, stored or deflated, and whatever its files are called", async () => {
    const zip = Buffer.from(
      zipSync({ "a.txt": strToU8("a".repeat(1_000)), "b.txt": [strToU8("b"), { level: 0 }], "ä/ß": strToU8("c") }),
    );
    const comment = Buffer.from("made by hand");
    zip.writeUInt16LE(comment.length, zip.length - 2);
    const found = findInZip("it", Buffer.concat([zip, comment]));
    expect(found.files.map(({ name }) => name)).toEqual(["a.txt", "b.txt", "ä/ß"]);
    expect([...(await found.read()).values()].map(text)).toEqual(["a".repeat(1_000), "b", "c"]);
  });

  it("is read with the zip64 extension", async () => {
    const read = await findInZip("it", extended(zipSync({ "a.txt": strToU8("a".repeat(1_000)) }))).read();
    expect(text(read.get("a.txt"))).toBe("a".repeat(1_000));
  });

  it("may hold a file that is called as a property of every object", async () => {
    const zip = Buffer.from(zipSync({ a__proto_: strToU8("x") }));
    for (const from of [0, 60]) zip.write("__proto__", zip.indexOf("a__proto_", from), "latin1");
    expect([...(await findInZip("it", zip).read()).keys()]).toEqual(["__proto__"]);
  });
});

describe("a zip that lies is refused", () => {
  const tenMegabytes = { "a.txt": new Uint8Array(10_000_000) };

  it.each<[string, RegExp, (view: DataView, at: number) => void]>([
    ["a size below the true one", /not what its header says/, (view, at) => view.setUint32(at + 24, 10, true)],
    [
      "a size below the true one, with the checksum of so many bytes",
      /not what its header says/,
      (view, at) => [10, 0xe38a6876].forEach((value, index) => void view.setUint32(at + 24 - 8 * index, value, true)),
    ],
    ["a size above it", /not what its header says/, (view, at) => view.setUint32(at + 24, 10_000_001, true)],
    ["another checksum", /not what its header says/, (view, at) => view.setUint32(at + 16, 1, true)],
    ["encryption", /a\.txt is encrypted/, (view, at) => view.setUint16(at + 8, 1, true)],
    ["another method", /packed in a way/, (view, at) => view.setUint16(at + 10, 12, true)],
    ["a place that is none", /is not where it should be/, (view, at) => view.setUint32(at + 42, 1, true)],
    ["a place behind its end", /no zip file/, (view, at) => view.setUint32(at + 42, 0x7fffffff, true)],
    ["more bytes than it has", /is cut off/, (view, at) => view.setUint32(at + 20, 0x7fffffff, true)],
  ])("for %s", async (_, message, change) => {
    const read = async () => findInZip("it", lying(tenMegabytes, change)).read();
    await expect(read()).rejects.toThrow(message);
  });

  it("for entries beyond any project, before they are looked at", () => {
    const zip = extended(zipSync({ "a.txt": strToU8("a") }));
    const end64 = Buffer.from(zip).indexOf(Buffer.from([0x50, 0x4b, 6, 6]));
    new DataView(zip.buffer, zip.byteOffset).setBigUint64(end64 + 32, 0xffffffffn, true);
    expect(() => findInZip("it", zip)).toThrow(/it has 4294967295 entries/);
  });
});
