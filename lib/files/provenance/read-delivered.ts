/** The hashes of what was delivered: of a zip, or of a folder with all that is in it now. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { MiB } from "../../core/limits.ts";
import { LINKS_FILE, type TreeLink, textOfLinks } from "../../core/text/tree-links.ts";
import { pathsOf } from "../../pack/checked-tree.ts";
import { readAnyZip } from "../../pack/read-any-zip.ts";

export interface FoundDelivery {
  /** By path. Empty text: it is there, and its contents cannot be read. */
  files: Map<string, string>;
  /** Of the zip. Absent: it is a folder. */
  zip?: string;
  /** The list of its links, of a folder that has some. */
  links?: string;
  /** The zip is laid out as deliveries are: every program reads the same files from it. */
  isPack?: boolean;
  /** Why nothing of the zip is looked at. */
  unreadable?: string;
}

const UNPACKED_BYTES = 1_024 * MiB;

export const hashOf = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");

export function readZip(zip: Uint8Array): FoundDelivery {
  const found: FoundDelivery = { zip: hashOf(zip), files: new Map() };
  try {
    const { files, broken, isPack } = readAnyZip(zip, UNPACKED_BYTES);
    const [problem] = pathsOf([...files.keys(), ...broken]).problems;
    if (problem !== undefined) throw new Error(problem);
    found.isPack = isPack;
    for (const [path, content] of files) found.files.set(path, hashOf(content));
    for (const path of broken) found.files.set(path, "");
    return found;
  } catch (error) {
    return { ...found, unreadable: error instanceof Error ? error.message : String(error) };
  }
}

/** Links are not followed: those of the tree are compared as the file that packs have for them. */
export async function readFolder(folder: string): Promise<FoundDelivery> {
  const files = new Map<string, string>();
  const links: TreeLink[] = [];
  const walk = async (below: string): Promise<void> => {
    for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) await walk(path);
      else if (entry.isSymbolicLink()) links.push({ path, target: await readlink(join(folder, path)) });
      else files.set(path, entry.isFile() ? await hashOfFile(join(folder, path)) : "");
    }
  };
  await walk("");
  if (links.length === 0) return { files };
  const list = textOfLinks(links);
  files.set(LINKS_FILE, hashOf(list));
  return { files, links: list };
}

/** Its files with their bytes. */
export const readZipTree = (zip: Uint8Array): Map<string, Uint8Array> => readAnyZip(zip, UNPACKED_BYTES).files;

/** Those that were found there, with their bytes. */
export async function readFolderTree(
  folder: string,
  { files, links }: FoundDelivery,
): Promise<Map<string, Uint8Array>> {
  const tree = new Map<string, Uint8Array>();
  for (const path of files.keys()) {
    const isList = path === LINKS_FILE && links !== undefined;
    tree.set(path, isList ? new TextEncoder().encode(links) : await readFile(join(folder, path)));
  }
  return tree;
}

async function hashOfFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  try {
    await pipeline(createReadStream(path), hash);
    return hash.digest("hex");
  } catch {
    return "";
  }
}
