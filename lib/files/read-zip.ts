/** Reads a zip file of this computer. */
import { stat } from "node:fs/promises";
import { MiB, ZIP_BYTES } from "../core/limits.ts";
import { readRegular } from "../host/regular-file.ts";
import { type FoundFiles, refusedStart } from "../pack/found-files.ts";
import { findInZip } from "../pack/read-zip.ts";

/** `from`: its name for the user. */
export async function readZip(path: string, from: string): Promise<FoundFiles> {
  const { size } = await stat(path);
  if (size > ZIP_BYTES) throw refusedStart(`${from}: a zip of ${Math.ceil(size / MiB)} MiB is too large.`);
  return findInZip(from, await readRegular(path));
}
