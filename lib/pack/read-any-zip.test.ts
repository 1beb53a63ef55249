import { strToU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { readAnyZip } from "./read-any-zip.ts";

const CENTRAL = Buffer.from([0x50, 0x4b, 1, 2]);

describe("a zip that any program may have written", () => {
  it("is read up to a limit of bytes", () => {
    const zip = zipSync({ "a.txt": strToU8("aaaa"), "b.txt": strToU8("bbbb") });
    expect([...readAnyZip(zip, 8).files.keys()]).toEqual(["a.txt", "b.txt"]);
    expect(() => readAnyZip(zip, 7)).toThrow("unpacked it would have 8 bytes");
  });

  it("is refused where a stored file says that it unpacks to nothing, and takes what it holds", () => {
    const zip = Buffer.from(zipSync({ "a.bin": new Uint8Array(5_000) }, { level: 0 }));
    zip.writeUInt32LE(0, zip.indexOf(CENTRAL) + 24);
    expect(() => readAnyZip(zip, 4_000)).toThrow("unpacked it would have 5000 bytes");
  });

  it("is refused in little time where it has more entries than any delivery", () => {
    const one = zipSync({ a: new Uint8Array() });
    const from = Buffer.from(one).indexOf(CENTRAL);
    const [local, header] = [Buffer.from(one.subarray(0, from)), Buffer.from(one.subarray(from, one.length - 22))];
    const count = 100_001;
    const end = Buffer.alloc(22 + 76);
    end.writeUInt32LE(0x06064b50, 0);
    end.writeBigUInt64LE(44n, 4);
    end.writeBigUInt64LE(BigInt(count), 24);
    end.writeBigUInt64LE(BigInt(count), 32);
    end.writeBigUInt64LE(BigInt(header.length * count), 40);
    end.writeBigUInt64LE(BigInt(local.length), 48);
    end.writeUInt32LE(0x07064b50, 56);
    end.writeBigUInt64LE(BigInt(local.length + header.length * count), 64);
    end.writeUInt32LE(1, 72);
    end.writeUInt32LE(0x06054b50, 76);
    for (const [at, value] of [
      [84, 0xffff],
      [86, 0xffff],
    ] as const)
      end.writeUInt16LE(value, at);
    for (const at of [88, 92]) end.writeUInt32LE(0xffffffff, at);
    const zip = Buffer.concat([local, ...Array.from({ length: count }, () => header), end]);
    const before = process.threadCpuUsage().user;
    expect(() => readAnyZip(zip, 1_000_000)).toThrow("it has 100001 entries, more than 100000");
    expect(process.threadCpuUsage().user - before).toBeLessThan(3_000_000);
  });
});
