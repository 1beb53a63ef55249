/** Walks the files that a glob lets through, page by page, within bounds on files, bytes, work and hits. */
import type { RE2JS } from "re2js";
import { decodeText, splitLines } from "../core/text/file-text.ts";
import type { Glob } from "../core/text/glob.ts";
import type { ListedFile, WorkFiles } from "../core/turn/workbench.ts";
import { type Hit, searchLines } from "./line-search.ts";

export interface TreeHits {
  hits: Hit[];
  filesSearched: number;
  /** Files too large to be searched. */
  passedOver: string[];
  /** Where and why the search ended early. */
  stopped?: string;
}

/** Each is one read of the file store. */
const FILES_READ = 1_000;
const READ_AT_ONCE = 16;
const FILES_PER_PAGE = 500;
const BYTES_SEARCHED = 8_000_000;
/** Size of the compiled pattern times bytes: some seconds with the worst patterns. */
const WORK = 200_000_000;
export const HITS = 200;

export async function searchTree(asked: { regex: RE2JS; where: Glob; files: WorkFiles }): Promise<TreeHits> {
  const { regex, where, files } = asked;
  const mostBytes = Math.min(BYTES_SEARCHED, Math.floor(WORK / regex.programSize()));
  const found: TreeHits = { hits: [], filesSearched: 0, passedOver: [] };
  let bytesLeft = mostBytes;
  for await (const batch of batchesOf(files, where)) {
    found.passedOver.push(...batch.filter(({ bytes }) => bytes > mostBytes).map(({ path }) => path));
    const searchable = batch.filter(({ bytes }) => bytes <= mostBytes);
    const taken = fitting(searchable, bytesLeft).slice(0, FILES_READ - found.filesSearched);
    found.hits.push(...(await searchFiles(taken, { regex, files, most: HITS - found.hits.length })));
    found.filesSearched += taken.length;
    bytesLeft -= taken.reduce((sum, { bytes }) => sum + bytes, 0);
    const next = searchable[taken.length];
    if (found.hits.length >= HITS) return { ...found, stopped: `after ${HITS} lines` };
    if (next) return { ...found, stopped: `before ${next.path}, after ${found.filesSearched} files` };
  }
  return found;
}

async function* batchesOf(files: WorkFiles, where: Glob): AsyncGenerator<ListedFile[]> {
  let after: string | undefined;
  do {
    const page = await files.list({
      prefix: where.prefix,
      ...(after !== undefined && { after }),
      limit: FILES_PER_PAGE,
    });
    const matching = page.filter(({ path }) => where.matches(path));
    for (let at = 0; at < matching.length; at += READ_AT_ONCE) yield matching.slice(at, at + READ_AT_ONCE);
    after = page.length === FILES_PER_PAGE ? page.at(-1)?.path : undefined;
  } while (after !== undefined);
}

/** The files from the first on whose bytes fit together. */
function fitting(batch: ListedFile[], bytesLeft: number): ListedFile[] {
  let left = bytesLeft;
  const tooMany = batch.findIndex(({ bytes }) => {
    left -= bytes;
    return left < 0;
  });
  return tooMany === -1 ? batch : batch.slice(0, tooMany);
}

async function searchFiles(
  batch: ListedFile[],
  asked: { regex: RE2JS; files: WorkFiles; most: number },
): Promise<Hit[]> {
  const { regex, files, most } = asked;
  const contents = await Promise.all(batch.map(({ path }) => files.read(path)));
  const hits: Hit[] = [];
  for (const [index, { path }] of batch.entries()) {
    const bytes = contents[index];
    const text = bytes && decodeText(bytes);
    if (text !== undefined)
      hits.push(...searchLines({ path, lines: splitLines(text), regex, most: most - hits.length }));
  }
  return hits;
}
