/** Trees that are few objects and many paths. */
import { describe, expect, it } from "vitest";
import { commitOf, FOLDER, type GitObject, idOf, type TreeItem, treeOf } from "./objects.ts";
import { decodeOutline, encodeOutline, outlineOf } from "./outline.ts";

const BLOB: TreeItem = { mode: "100644", id: "a".repeat(40) };

function repository() {
  const objects = new Map<string, GitObject>();
  const add = (object: GitObject): string => {
    const id = idOf(object, "sha1");
    objects.set(id, object);
    return id;
  };
  const tree = (items: [string, TreeItem][]): string => add(treeOf(new Map(items)));
  const commit = (root: string): string =>
    add(commitOf({ tree: root, parent: undefined, stamp: "Ann <ann@example.com> 0 +0000", message: "Begin\n" }));
  return { objects, tree, commit };
}

const names = (count: number, length = 3): string[] =>
  Array.from({ length: count }, (_, n) => String(n).padStart(length, "x"));

describe("the paths of a commit", () => {
  it("are refused where each tree names the same one ten times, with no file in any", () => {
    const { objects, tree, commit } = repository();
    let id = tree([]);
    for (let level = 0; level < 8; level += 1) id = tree(names(10).map((name) => [name, { mode: FOLDER, id }]));
    expect(() => outlineOf(objects, commit(id))).toThrow("more than 500000 entries");
  });

  it("are refused where they are longer than a push can read them again", () => {
    const { objects, tree, commit } = repository();
    let id = tree(names(17_000, 5).map((name) => [name, BLOB]));
    for (let level = 0; level < 20; level += 1) id = tree([["f".repeat(200), { mode: FOLDER, id }]]);
    expect(() => outlineOf(objects, commit(id))).toThrow("its paths take more than 64 MiB");
    id = tree([["f".repeat(200), { mode: FOLDER, id }]]);
    expect(() => outlineOf(objects, commit(id))).toThrow("has more than 4096 bytes");
  });

  it("are the same after they were stored", () => {
    const { objects, tree, commit } = repository();
    const below = tree([["ö b.txt", BLOB]]);
    const id = tree([
      ["a.txt", BLOB],
      ["folder", { mode: FOLDER, id: below }],
    ]);
    const outline = outlineOf(objects, commit(id));
    expect([...outline.items.keys()]).toEqual(["a.txt", "folder/ö b.txt"]);
    expect(decodeOutline(encodeOutline(outline))).toEqual(outline);
  });
});
