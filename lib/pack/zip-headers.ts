/** The headers of a zip as we write it: they follow from the entry alone, with nothing optional. APPNOTE 6.3.10, 4.3. */

/** What the headers say of one file. */
export interface EntryHeader {
  /** Of the file itself. */
  size: number;
  crc: number;
  deflated: boolean;
  /** Of the bytes that stand for it in the zip. */
  rawSize: number;
  nameSize: number;
}

export const LOCAL_BYTES = 30;
export const CENTRAL_BYTES = 46;
export const END_BYTES = 22;
/** What the fields hold without the zip64 extension. */
export const ENTRIES_AT_MOST = 0xffff;
export const BYTES_AT_MOST = 0xffffffff;
export const NAME_BYTES_AT_MOST = 0xffff;

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const DEFLATE = 8;
const STORE = 0;
const VERSION = 20;
const MADE_ON_UNIX = (3 << 8) | VERSION;
const UTF8_NAMES = 0x0800;
const MIDNIGHT = 0;
const FIRST_OF_JANUARY_1980 = 0x0021;
/** A regular file, rw-r--r--, in the upper half. */
const PERMISSIONS = 0o100644 * 0x10000;

export function writeLocal(view: DataView, at: number, described: EntryHeader): void {
  view.setUint32(at, LOCAL, true);
  writeDescription(view, at + 4, described);
}

export function writeCentral(view: DataView, at: number, described: EntryHeader & { localAt: number }): void {
  view.setUint32(at, CENTRAL, true);
  view.setUint16(at + 4, MADE_ON_UNIX, true);
  writeDescription(view, at + 6, described);
  view.setUint32(at + 38, PERMISSIONS, true);
  view.setUint32(at + 42, described.localAt, true);
}

export function writeEnd(view: DataView, at: number, central: { entries: number; at: number; size: number }): void {
  view.setUint32(at, END, true);
  view.setUint16(at + 8, central.entries, true);
  view.setUint16(at + 10, central.entries, true);
  view.setUint32(at + 12, central.size, true);
  view.setUint32(at + 16, central.at, true);
}

export function readCentral(view: DataView, at: number): EntryHeader & { localAt: number } {
  if (view.getUint32(at, true) !== CENTRAL) throw new Error("an entry of its directory is not where it should be");
  return {
    deflated: view.getUint16(at + 10, true) === DEFLATE,
    crc: view.getUint32(at + 16, true),
    rawSize: view.getUint32(at + 20, true),
    size: view.getUint32(at + 24, true),
    nameSize: view.getUint16(at + 28, true),
    localAt: view.getUint32(at + 42, true),
  };
}

export function readEnd(view: DataView, at: number): { entries: number; at: number } {
  if (at < 0 || view.getUint32(at, true) !== END) throw new Error("its end is missing");
  return { entries: view.getUint16(at + 10, true), at: view.getUint32(at + 16, true) };
}

/** Both headers hold these fields, one after the other. */
function writeDescription(view: DataView, at: number, described: EntryHeader): void {
  view.setUint16(at, VERSION, true);
  view.setUint16(at + 2, UTF8_NAMES, true);
  view.setUint16(at + 4, described.deflated ? DEFLATE : STORE, true);
  view.setUint16(at + 6, MIDNIGHT, true);
  view.setUint16(at + 8, FIRST_OF_JANUARY_1980, true);
  view.setUint32(at + 10, described.crc, true);
  view.setUint32(at + 14, described.rawSize, true);
  view.setUint32(at + 18, described.size, true);
  view.setUint16(at + 22, described.nameSize, true);
}
