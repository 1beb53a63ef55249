/** The tree of a commit: modes and object ids by path, and the bytes of some of them. */
import { runGit, tryGit } from "./run-git.ts";

export interface StoredEntry {
  /** As Git writes it: `100644`, `100755`, `120000` a link, `160000` a submodule. */
  mode: string;
  id: string;
}

export type StoredTree = ReadonlyMap<string, StoredEntry>;

/** `folder`: only what lies in it, by its path in it. */
export async function readStoredTree(repository: string, commit: string, folder = ""): Promise<StoredTree> {
  const listed = await runGit(repository, ["ls-tree", "-r", "-z", "--full-tree", `${commit}:${folder}`]);
  const entries = listed.split("\0").filter(Boolean).map(entryOf);
  return new Map(entries);
}

/** `100644 blob <id>\t<path>` */
function entryOf(line: string): [string, StoredEntry] {
  const tab = line.indexOf("\t");
  const [mode = "", , id = ""] = line.slice(0, tab).split(" ");
  return [line.slice(tab + 1), { mode, id }];
}

/** By id; what is missing in a partial clone is absent. */
export async function readBlobs(repository: string, ids: readonly string[]): Promise<Map<string, Uint8Array>> {
  const blobs = new Map<string, Uint8Array>();
  if (ids.length === 0) return blobs;
  const { stdout } = await tryGit(repository, ["cat-file", "--batch"], [`${[...new Set(ids)].join("\n")}\n`]);
  for (let at = 0; at < stdout.length; ) {
    const end = stdout.indexOf(10, at);
    if (end === -1) break;
    const [id = "", type, bytes] = stdout.subarray(at, end).toString("utf8").split(" ");
    at = end + 1;
    if (type === "missing" || bytes === undefined) continue;
    blobs.set(id, stdout.subarray(at, at + Number(bytes)));
    at += Number(bytes) + 1;
  }
  return blobs;
}
