/**
 * A disk as a power cut leaves it: of a file what was synced, of a folder the names that were in it when it was synced.
 * What was not synced may be there too, in part: `chance` draws how much.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Chance } from "../chance.ts";
import type { Operation } from "./trace-writes.ts";

type Change = Extract<Operation, { kind: "write" | "truncate" }>;

interface Node {
  isFolder: boolean;
  /** Of a folder: as programs see it, as it was synced, and what was done to it since, in order. */
  names: Map<string, Node>;
  syncedNames: Map<string, Node>;
  unsyncedNames: Map<string, Node | undefined>[];
  /** Of a file: as it was synced, and what was written since. */
  size: number;
  synced: Buffer;
  unsynced: Change[];
}

const newNode = (isFolder: boolean): Node => ({
  ...{ isFolder, names: new Map(), syncedNames: new Map(), unsyncedNames: [] },
  ...{ size: 0, synced: Buffer.alloc(0), unsynced: [] },
});

export interface LastingDisk {
  apply(operation: Operation): void;
  /** Lays what a cut leaves now into this folder; with a chance, some of what was not synced is there as well. */
  layOut(folder: string, chance?: Chance): void;
  /** Of the files that a cut leaves for sure. */
  paths(): string[];
}

/** `root`: is there already, and empty. */
export function createLastingDisk(root: string): LastingDisk {
  const top = newNode(true);
  const find = (path: string): Node | undefined => {
    if (path !== root && !path.startsWith(`${root}/`)) return undefined;
    const names = path.slice(root.length + 1).split("/");
    return names.reduce<Node | undefined>((node, name) => (name === "" ? node : node?.names.get(name)), top);
  };
  const rename = (changes: [path: string, node: Node | undefined][]): void => {
    for (const folder of new Set(changes.map(([path]) => dirname(path)))) {
      const node = find(folder);
      const inside = changes.filter(([path]) => dirname(path) === folder);
      if (!node) continue;
      for (const [path, child] of inside) put(node.names, basename(path), child);
      node.unsyncedNames.push(new Map(inside.map(([path, child]) => [basename(path), child])));
    }
  };
  return {
    apply(operation) {
      if (operation.kind === "mark") return;
      const node = find(operation.path);
      if (operation.kind === "make") {
        if (!node) rename([[operation.path, newNode(operation.isFolder)]]);
        else if (operation.isEmptied) change(node, { kind: "truncate", path: operation.path, length: 0 });
      } else if (operation.kind === "remove") rename([[operation.path, undefined]]);
      else if (operation.kind === "link") rename([[operation.to, node]]);
      else if (operation.kind === "rename") {
        rename([
          [operation.path, undefined],
          [operation.to, node],
        ]);
      } else if (node && operation.kind === "sync") sync(node);
      else if (node && (operation.kind === "write" || operation.kind === "truncate")) change(node, operation);
    },
    layOut: (folder, chance) => layOut(top, folder, chance),
    paths: () => pathsIn(top, ""),
  };
}

function put(names: Map<string, Node>, name: string, node: Node | undefined): void {
  if (node) names.set(name, node);
  else names.delete(name);
}

function change(node: Node, operation: Change): void {
  const at = operation.kind === "write" ? { ...operation, offset: operation.offset ?? node.size } : operation;
  node.unsynced.push(at);
  node.size = at.kind === "truncate" ? at.length : Math.max(node.size, (at.offset ?? 0) + at.bytes.length);
}

function sync(node: Node): void {
  node.synced = node.unsynced.reduce(written, node.synced);
  node.unsynced = [];
  node.syncedNames = new Map(node.names);
  node.unsyncedNames = [];
}

function written(before: Buffer, operation: Change): Buffer {
  if (operation.kind === "truncate") {
    const after = Buffer.alloc(operation.length);
    before.copy(after);
    return after;
  }
  const { offset = 0, bytes } = operation;
  const end = offset + bytes.length;
  const after = before.length >= end ? before : Buffer.concat([before, Buffer.alloc(end - before.length)]);
  bytes.copy(after, offset);
  return after;
}

function layOut(folder: Node, path: string, chance: Chance | undefined): void {
  mkdirSync(path, { recursive: true });
  const names = new Map(folder.syncedNames);
  // A journal of the file system keeps their order.
  const kept = chance ? chance.between(0, folder.unsyncedNames.length) : 0;
  for (const step of folder.unsyncedNames.slice(0, kept)) for (const [name, node] of step) put(names, name, node);
  for (const [name, node] of names) {
    if (node.isFolder) layOut(node, join(path, name), chance);
    else writeFileSync(join(path, name), contentOf(node, chance));
  }
}

/** Writes reach a disk in any order, and the last of a sector may not be there. */
function contentOf({ synced, unsynced }: Node, chance: Chance | undefined): Buffer {
  if (!chance) return synced;
  const there = unsynced.filter(() => chance.between(0, 1) === 1).map((each) => torn(each, chance));
  return there.reduce(written, Buffer.from(synced));
}

const SECTOR = 512;

function torn(operation: Change, chance: Chance): Change {
  if (operation.kind === "truncate" || chance.between(0, 3) > 0) return operation;
  const sectors = Math.floor(operation.bytes.length / SECTOR);
  return { ...operation, bytes: operation.bytes.subarray(0, chance.between(0, sectors) * SECTOR) };
}

const pathsIn = (folder: Node, path: string): string[] =>
  [...folder.syncedNames].flatMap(([name, node]) =>
    node.isFolder ? pathsIn(node, join(path, name)) : [join(path, name)],
  );
