/** Reads the files that a run starts from, for the map that its planner sees. */
import { MAP_TOKENS, MiB } from "../../core/limits.ts";
import { repositoryMap } from "../../core/repository-map/repository-map.ts";
import { isSource } from "../../core/repository-map/source-outline.ts";
import type { FileEntry } from "../../core/turn/turn.ts";
import { readSome } from "../../pack/pack.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { readTree } from "../files/packs.ts";
import { readVerified } from "../files/verified-read.ts";
import type { World } from "../world.ts";

/** A longer file was written by a program. */
const FILE_BYTES = MiB / 4;
const ALL_BYTES = 16 * MiB;
const FILES = 3_000;
/** Of the model's window. */
const SHARE = 1 / 8;

interface Repository {
  runId: string;
  entries: FileEntry[];
  contextWindow: number;
}

/** Empty where the run starts from nothing. */
export async function readRepository({ files }: World, { runId, entries, contextWindow }: Repository): Promise<string> {
  if (entries.length === 0) return "";
  const tree = await readTree(files, runId, 0);
  const contents = readVerified(fileStoreKeys(runId).pack(0), () => readSome(tree, sourcesAmong(entries)));
  const paths = entries.map(({ path }) => path).sort();
  return repositoryMap({ paths, contents, tokens: Math.min(MAP_TOKENS, Math.floor(contextWindow * SHARE)) });
}

/** Those nearest to the top first, as many as can be read soon. */
function sourcesAmong(entries: FileEntry[]): string[] {
  const depthOf = ({ path }: FileEntry): number => path.split("/").length;
  const sources = entries.filter(({ path, bytes }) => bytes <= FILE_BYTES && (isSource(path) || path === "go.mod"));
  sources.sort((a, b) => depthOf(a) - depthOf(b) || (a.path < b.path ? -1 : 1));
  let bytes = 0;
  const within = sources.slice(0, FILES).filter((entry) => {
    bytes += entry.bytes;
    return bytes <= ALL_BYTES;
  });
  return within.map(({ path }) => path);
}
