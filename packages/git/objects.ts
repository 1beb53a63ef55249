/** Git's objects: how they are named, and how trees and commits are written. Pure. */
import { createHash } from "node:crypto";
import { GitError } from "../../lib/core/git/servers.ts";

export type ObjectType = "commit" | "tree" | "blob" | "tag";
/** Which a repository has is seen from the length of its ids. */
export type HashName = "sha1" | "sha256";

export interface GitObject {
  type: ObjectType;
  content: Uint8Array;
}

export interface TreeItem {
  /** As Git stores it: `100644`, `100755`, `120000` a link, `160000` a submodule, `40000` a folder. */
  mode: string;
  id: string;
}

export const FOLDER = "40000";
export const SUBMODULE = "160000";
export const LINK = "120000";

export const hashOfId = (id: string): HashName => (id.length === 64 ? "sha256" : "sha1");
export const idBytes = (hash: HashName): number => (hash === "sha256" ? 32 : 20);
export const noId = (hash: HashName): string => "0".repeat(idBytes(hash) * 2);

export const idOf = ({ type, content }: GitObject, hash: HashName): string =>
  createHash(hash).update(`${type} ${content.length}\0`).update(content).digest("hex");

/** Names must be UTF-8: paths of a run are text. */
export function itemsOfTree(content: Uint8Array, hash: HashName): Map<string, TreeItem> {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const items = new Map<string, TreeItem>();
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(32, at);
    const end = bytes.indexOf(0, space);
    const next = end + 1 + idBytes(hash);
    if (space === -1 || end === -1 || next > bytes.length) throw new GitError("one of its trees is damaged", "refused");
    const name = utf8(bytes.subarray(space + 1, end));
    items.set(name, { mode: bytes.toString("latin1", at, space), id: bytes.toString("hex", end + 1, next) });
    at = next;
  }
  return items;
}

function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new GitError("one of its files has a name that is not UTF-8", "refused", error);
  }
}

export function treeOf(items: ReadonlyMap<string, TreeItem>): GitObject {
  // Git sorts by bytes, folders as if a slash were at their end.
  const keyed = [...items].map(([name, item]) => ({
    key: Buffer.from(item.mode === FOLDER ? `${name}/` : name),
    parts: [Buffer.from(`${item.mode} ${name}\0`), Buffer.from(item.id, "hex")],
  }));
  keyed.sort((one, other) => Buffer.compare(one.key, other.key));
  return { type: "tree", content: Buffer.concat(keyed.flatMap(({ parts }) => parts)) };
}

/** Of the tree that a commit names. */
export function treeIdIn({ type, content }: GitObject): string {
  const [, tree] = /^tree ([0-9a-f]{40}(?:[0-9a-f]{24})?)\n/.exec(Buffer.from(content).toString("utf8")) ?? [];
  if (type !== "commit" || tree === undefined) throw new GitError("what it sent is no commit", "refused");
  return tree;
}

export interface CommitParts {
  tree: string;
  parent: string | undefined;
  /** Name, address, seconds and zone. */
  stamp: string;
  message: string;
}

export function commitOf({ tree, parent, stamp, message }: CommitParts): GitObject {
  const head = [`tree ${tree}`, ...(parent === undefined ? [] : [`parent ${parent}`])];
  const text = [...head, `author ${stamp}`, `committer ${stamp}`, "", message].join("\n");
  return { type: "commit", content: Buffer.from(text) };
}
