/** Copies what a run stored for one instruction under the keys of another run: turns, bodies, files and pack. */
import type { FileStore } from "../../core/ports.ts";
import type { Frames } from "../../core/program/language/frames.ts";
import { foldPath } from "../../core/text/file-path.ts";
import { linesOf } from "../../core/text/file-text.ts";
import type { FileEntry, Turn } from "../../core/turn/turn.ts";
import { type PackEntries, readEntry } from "../../pack/pack.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { sha256 } from "../files/digest.ts";
import { damaged, readBlob, readRequired } from "../files/verified-read.ts";
import { listsAt } from "../program/read-items.ts";

export interface Copying {
  files: FileStore;
  from: string;
  to: string;
}

/** So many bodies or files are in memory at once. */
const AT_ONCE = 16;

/** The turns as the other run has them. */
export async function copyTurns(copying: Copying, turns: Turn[]): Promise<Turn[]> {
  const copied: Turn[] = [];
  for (let start = 0; start < turns.length; start += AT_ONCE)
    copied.push(...(await Promise.all(turns.slice(start, start + AT_ONCE).map((turn) => copyTurn(copying, turn)))));
  return copied;
}

async function copyTurn(copying: Copying, turn: Turn): Promise<Turn> {
  const { answerKey, answerSha256, effectsKey, effectsSha256 } = turn;
  const [answer, effects] = await Promise.all([
    answerKey === undefined ? undefined : copyBody(copying, answerKey, answerSha256),
    effectsKey === undefined ? undefined : copyBody(copying, effectsKey, effectsSha256),
  ]);
  return {
    ...turn,
    ...(answer === undefined ? {} : { answerKey: answer }),
    ...(effects === undefined ? {} : { effectsKey: effects }),
  };
}

/** Answers its new key. */
export async function copyBody({ files, from, to }: Copying, key: string, hash: string | undefined): Promise<string> {
  const { root } = fileStoreKeys(from);
  if (!key.startsWith(root)) throw damaged(key, `it is not among the files of run ${from}`);
  const bytes = await readRequired(files, key);
  if (hash !== undefined && sha256(bytes) !== hash) throw damaged(key, "it is not what was stored");
  const copy = keyInCopy({ from, to }, key);
  await files.putOnce(copy, bytes);
  return copy;
}

export const keyInCopy = ({ from, to }: Pick<Copying, "from" | "to">, key: string): string =>
  `${fileStoreKeys(to).root}${key.slice(fileStoreKeys(from).root.length)}`;

/** What the turns did to the directory, by folded path. All bytes that they name are copied, those of older versions too. */
export async function copyFiles(copying: Copying, turns: Turn[]): Promise<Map<string, FileEntry | null>> {
  const changes = turns.flatMap((turn) => turn.changes.map((change) => ({ ...change, turn })));
  const hashes = [...new Set(changes.flatMap(({ sha256: sha, was }) => [sha, was]).filter((sha) => sha !== null))];
  const sizes = new Map<string, Pick<FileEntry, "bytes" | "lines">>();
  for (let start = 0; start < hashes.length; start += AT_ONCE) {
    await Promise.all(
      hashes.slice(start, start + AT_ONCE).map(async (sha) => sizes.set(sha, await copyBlob(copying, sha))),
    );
  }
  const entries = new Map<string, FileEntry | null>();
  for (const { path, sha256: sha, turn } of changes) {
    const { instruction, turn: number } = turn;
    const size = sha === null ? undefined : sizes.get(sha);
    entries.set(foldPath(path), sha && size ? { path, sha256: sha, ...size, instruction, turn: number } : null);
  }
  return entries;
}

/** Bytes that no turn names. */
export async function copyBlobs(copying: Copying, hashes: string[]): Promise<void> {
  for (let start = 0; start < hashes.length; start += AT_ONCE)
    await Promise.all(hashes.slice(start, start + AT_ONCE).map((sha) => copyBlob(copying, sha)));
}

async function copyBlob({ files, from, to }: Copying, sha: string): Promise<Pick<FileEntry, "bytes" | "lines">> {
  const content = await readBlob(files, from, sha);
  await files.putOnce(fileStoreKeys(to).blob(sha), content);
  return { bytes: content.length, lines: linesOf(content) };
}

/** The stored lists of the loops around a step. */
export async function copyLists({ files, from, to }: Copying, frames: Frames = []): Promise<void> {
  for (const [list, bytes] of await listsAt(files, from, frames))
    await files.putOnce(fileStoreKeys(to).items(list), bytes);
}

/** What the instruction changed, and the whole tree where that is stored. Pruning may replace one by the other meanwhile. */
export async function copyPack({ files, from, to }: Copying, number: number): Promise<void> {
  const [source, target] = [fileStoreKeys(from), fileStoreKeys(to)];
  const whole = await files.get(source.pack(number));
  const changes = await files.get(source.changes(number));
  if (!whole && !changes) throw damaged(source.pack(number), "it is missing");
  if (whole) await files.putOnce(target.pack(number), whole);
  if (changes) await files.putOnce(target.changes(number), changes);
}

/** For people: the accepted files, but for those that the run started from and never changed. */
export async function writeView(
  { files, to }: Pick<Copying, "files" | "to">,
  tree: PackEntries,
  entries: FileEntry[],
): Promise<void> {
  const keys = fileStoreKeys(to);
  const started = new Set(entries.filter(({ instruction }) => instruction === 0).map(({ path }) => path));
  const written = [...tree.values()].filter(({ path }) => !started.has(path));
  for (let start = 0; start < written.length; start += AT_ONCE)
    await Promise.all(
      written.slice(start, start + AT_ONCE).map((entry) => files.put(keys.view(entry.path), readEntry(entry))),
    );
}
