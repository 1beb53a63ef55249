/** The entries of a zip that anybody may have made: with comments, extra fields, the zip64 extension. APPNOTE 6.3.10, 4.3. */
import { strFromU8 } from "fflate";
import { CENTRAL_BYTES, END_BYTES, LOCAL_BYTES } from "./zip-headers.ts";

export interface ZipEntry {
  name: string;
  size: number;
  crc: number;
  method: number;
  isEncrypted: boolean;
  /** Of the bytes that stand for it. */
  rawSize: number;
  localAt: number;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const LOCATOR_64 = 0x07064b50;
const END_64 = 0x06064b50;
const LOCATOR_BYTES = 20;
const COMMENT_BYTES = 0xffff;
/** The value of a field that the zip64 extension holds instead. */
const ELSEWHERE = 0xffffffff;
const ZIP_64 = 1;
const ENCRYPTED = 1;
const UTF8_NAMES = 0x0800;
/** More are not looked at, also where most of them are left out. */
const ENTRIES_AT_MOST = 100_000;

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const large = (view: DataView, at: number): number => Number(view.getBigUint64(at, true));

/** A mark at the beginning is part of a name. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Throws where the bytes are no zip. */
export function* entriesInZip(zip: Uint8Array): Generator<ZipEntry> {
  const view = viewOf(zip);
  const { entries, at } = directoryIn(view);
  if (entries > ENTRIES_AT_MOST) throw new Error(`it has ${entries} entries, more than ${ENTRIES_AT_MOST}`);
  for (let index = 0, next = at; index < entries; index += 1) {
    if (view.getUint32(next, true) !== CENTRAL) throw new Error("an entry of its directory is not where it should be");
    const nameAt = next + CENTRAL_BYTES;
    const extraAt = nameAt + view.getUint16(next + 28, true);
    const commentAt = extraAt + view.getUint16(next + 30, true);
    const flags = view.getUint16(next + 8, true);
    const named = zip.subarray(nameAt, extraAt);
    const name = (flags & UTF8_NAMES) === 0 ? strFromU8(named, true) : decoder.decode(named);
    const [size = 0, rawSize = 0, localAt = 0] = sizesOf(view, next, { from: extraAt, to: commentAt });
    const [method, crc] = [view.getUint16(next + 10, true), view.getUint32(next + 16, true)];
    yield { name, size, crc, method, isEncrypted: (flags & ENCRYPTED) !== 0, rawSize, localAt };
    next = commentAt + view.getUint16(next + 32, true);
  }
}

function directoryIn(view: DataView): { entries: number; at: number } {
  const last = view.byteLength - END_BYTES;
  let end = last;
  while (end >= 0 && end >= last - COMMENT_BYTES && view.getUint32(end, true) !== END) end -= 1;
  if (end < 0 || end < last - COMMENT_BYTES) throw new Error("its end is missing");
  const locator = end - LOCATOR_BYTES;
  if (locator >= 0 && view.getUint32(locator, true) === LOCATOR_64) {
    const end64 = large(view, locator + 8);
    if (view.getUint32(end64, true) === END_64)
      return { entries: large(view, end64 + 32), at: large(view, end64 + 48) };
  }
  return { entries: view.getUint16(end + 10, true), at: view.getUint32(end + 16, true) };
}

/** The size, the size of what stands for it, and where that is: in the entry, or in its zip64 field, in this order. */
function sizesOf(view: DataView, at: number, extra: { from: number; to: number }): number[] {
  const sizes = [view.getUint32(at + 24, true), view.getUint32(at + 20, true), view.getUint32(at + 42, true)];
  let field = extra.from;
  while (field + 4 <= extra.to && view.getUint16(field, true) !== ZIP_64) field += 4 + view.getUint16(field + 2, true);
  let value = field + 4;
  return sizes.map((size) => {
    if (size !== ELSEWHERE || value + 8 > extra.to) return size;
    value += 8;
    return large(view, value - 8);
  });
}

/** The bytes that stand for an entry: a view into the zip. */
export function rawOf(zip: Uint8Array, { name, rawSize, localAt }: ZipEntry): Uint8Array {
  const view = viewOf(zip);
  if (view.getUint32(localAt, true) !== LOCAL) throw new Error(`${name} is not where it should be`);
  const from = localAt + LOCAL_BYTES + view.getUint16(localAt + 26, true) + view.getUint16(localAt + 28, true);
  const raw = zip.subarray(from, from + rawSize);
  if (raw.length !== rawSize) throw new Error(`${name} is cut off`);
  return raw;
}
