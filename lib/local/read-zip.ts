/** Finds the files of a zip. Its names are foreign: who stores them checks them as paths. */
import { readFile, stat } from "node:fs/promises";
import { type UnzipFileInfo, unzipSync } from "fflate";
import { UserError } from "../core/errors.ts";
import { MiB } from "../core/limits.ts";
import { type FoundFile, type FoundFiles, LEFT_OUT, refusedStart } from "./found-files.ts";

const ZIP_BYTES = 64 * MiB;
/** No deflated byte stands for more than this. */
const DEFLATE_RATIO = 1032;

export async function readZip(path: string): Promise<FoundFiles> {
  const { size } = await stat(path);
  if (size > ZIP_BYTES) throw refusedStart(`--from ${path}: a zip of ${Math.ceil(size / MiB)} MiB is too large.`);
  const zip = await readFile(path);
  const files: FoundFile[] = [];
  unzip(path, zip, (entry) => {
    if (!isWanted(entry)) return false;
    if (entry.originalSize > entry.size * DEFLATE_RATIO + 1) throw damaged(path, `${entry.name} cannot have its size`);
    if (files.some(({ name }) => name === entry.name)) throw damaged(path, `${entry.name} is in it twice`);
    files.push({ name: entry.name, bytes: entry.originalSize });
    return false;
  });
  return { files, notices: [], read: async () => new Map(Object.entries(unzip(path, zip, isWanted))) };
}

const isWanted = ({ name }: UnzipFileInfo): boolean =>
  !name.endsWith("/") && !name.split("/").some((segment) => LEFT_OUT.has(segment));

function unzip(path: string, zip: Uint8Array, filter: (entry: UnzipFileInfo) => boolean): Record<string, Uint8Array> {
  try {
    return unzipSync(zip, { filter });
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw damaged(path, error instanceof Error ? error.message : String(error));
  }
}

const damaged = (path: string, why: string): UserError =>
  refusedStart(`--from ${path}: it is no zip file that can be read (${why}).`);
