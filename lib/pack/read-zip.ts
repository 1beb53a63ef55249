/** Finds the files of a zip. Its names are foreign: who stores them checks them as paths. */
import { type UnzipFileInfo, unzipSync } from "fflate";
import { UserError } from "../core/errors.ts";
import { type FoundFile, type FoundFiles, LEFT_OUT, refusedStart } from "./found-files.ts";

/** No deflated byte stands for more than this. */
const DEFLATE_RATIO = 1032;

export function findInZip(from: string, zip: Uint8Array): FoundFiles {
  const files = new Map<string, FoundFile>();
  unzip(from, zip, (entry) => {
    if (!isWanted(entry)) return false;
    if (entry.originalSize > entry.size * DEFLATE_RATIO + 1) throw damaged(from, `${entry.name} cannot have its size`);
    if (files.has(entry.name)) throw damaged(from, `${entry.name} is in it twice`);
    files.set(entry.name, { name: entry.name, bytes: entry.originalSize });
    return false;
  });
  return {
    files: [...files.values()],
    notices: [],
    read: async () => new Map(Object.entries(unzip(from, zip, isWanted))),
  };
}

const isWanted = ({ name }: UnzipFileInfo): boolean =>
  !name.endsWith("/") && !name.split("/").some((segment) => LEFT_OUT.has(segment));

function unzip(from: string, zip: Uint8Array, filter: (entry: UnzipFileInfo) => boolean): Record<string, Uint8Array> {
  try {
    return unzipSync(zip, { filter });
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw damaged(from, error instanceof Error ? error.message : String(error));
  }
}

const damaged = (from: string, why: string): UserError =>
  refusedStart(`${from}: it is no zip file that can be read (${why}).`);
