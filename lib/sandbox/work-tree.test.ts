import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { Change } from "../core/ports.ts";
import { packTree } from "../pack/pack.ts";
import { createWorkTree, type WorkTree } from "./work-tree.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const change = (path: string, text: string | null): Change => ({
  path,
  content: text === null ? null : new TextEncoder().encode(text),
});
const changesOf = (files: Record<string, string | null>): Change[] =>
  Object.entries(files).map(([path, text]) => change(path, text));

/** A base that counts how often it is loaded. */
function baseOf(key: string, files: Record<string, string>) {
  const pack = packTree(undefined, changesOf(files));
  const base = {
    key,
    loads: 0,
    load: async () => {
      base.loads += 1;
      return pack;
    },
  };
  return base;
}

function contentsOf(tree: string): Record<string, string> {
  const entries = readdirSync(tree, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(files.map((file) => [file.slice(tree.length + 1), readFileSync(file, "utf8")]));
}

describe("a work tree", () => {
  let folder: string;
  let work: WorkTree;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "work-tree-"));
    folders.push(folder);
    work = createWorkTree(folder);
  });
  const base = () => baseOf("one", { "a.txt": "a", "sub/b.txt": "b" });

  it("is the pack with the changes, the last one of each path", async () => {
    const changes = [...changesOf({ "a.txt": "first", "new/c.txt": "c", "sub/b.txt": null }), change("a.txt", "last")];
    const tree = await work.lay(base(), changes);
    expect(contentsOf(tree)).toEqual({ "a.txt": "last", "new/c.txt": "c" });
    expect(readdirSync(tree).toSorted()).toEqual(["a.txt", "new"]);
  });

  it("loads its pack once, and writes only what differs from last time", async () => {
    const pack = base();
    const tree = await work.lay(pack, changesOf({ "a.txt": "1", "c.txt": "c" }));
    writeFileSync(join(tree, "a.txt"), "untouched");
    await work.lay(pack, changesOf({ "a.txt": "1", "c.txt": "2" }));
    expect(contentsOf(tree)).toEqual({ "a.txt": "untouched", "sub/b.txt": "b", "c.txt": "2" });
    expect(pack.loads).toBe(1);
  });

  it("puts back what the pack has where a change is gone", async () => {
    const pack = base();
    await work.lay(pack, changesOf({ "a.txt": null, "sub/b.txt": "changed", "sub/deep/new.txt": "new" }));
    expect(contentsOf(await work.lay(pack, []))).toEqual({ "a.txt": "a", "sub/b.txt": "b" });
  });

  it("follows when the pack changes", async () => {
    await work.lay(base(), changesOf({ "a.txt": "changed" }));
    expect(contentsOf(await work.lay(baseOf("two", { "z.txt": "z" }), []))).toEqual({ "z.txt": "z" });
  });

  it("writes nothing again for a pack whose files were already laid out as changes", async () => {
    const tree = await work.lay(base(), changesOf({ "a.txt": "changed", "c.txt": "c", "sub/b.txt": null }));
    writeFileSync(join(tree, "a.txt"), "untouched");
    const next = baseOf("two", { "a.txt": "changed", "c.txt": "c" });
    expect(contentsOf(await work.lay(next, changesOf({ "d.txt": "d" })))).toEqual({
      "a.txt": "untouched",
      "c.txt": "c",
      "d.txt": "d",
    });
  });

  it("takes back what was laid where the next pack does not hold it", async () => {
    await work.lay(base(), changesOf({ "a.txt": "tried", "new.txt": "tried" }));
    expect(contentsOf(await work.lay(baseOf("two", { "a.txt": "a", "z.txt": "z" }), []))).toEqual({
      "a.txt": "a",
      "z.txt": "z",
    });
  });

  it("lets a file become a folder, and a folder a file", async () => {
    const pack = base();
    const swapped = changesOf({ "a.txt": null, "a.txt/in": "in", "sub/b.txt": null, sub: "file" });
    expect(contentsOf(await work.lay(pack, swapped))).toEqual({ "a.txt/in": "in", sub: "file" });
    expect(contentsOf(await work.lay(pack, []))).toEqual({ "a.txt": "a", "sub/b.txt": "b" });
  });

  it("is laid out again after it was removed", async () => {
    const pack = base();
    const tree = await work.lay(pack, []);
    rmSync(tree, { recursive: true });
    expect(contentsOf(await work.lay(pack, changesOf({ c: "c" })))).toEqual({ "a.txt": "a", "sub/b.txt": "b", c: "c" });
  });

  it("is laid out again if something else is in its place", async () => {
    const pack = base();
    const tree = await work.lay(pack, []);
    mkdirSync(join(tree, "c.txt"));
    expect(contentsOf(await work.lay(pack, changesOf({ "c.txt": "c" })))).toMatchObject({ "c.txt": "c" });
    expect(pack.loads).toBe(2);
  });

  it("does not trust what another process left", async () => {
    const tree = await work.lay(base(), []);
    writeFileSync(join(tree, "stale.txt"), "");
    expect(contentsOf(await createWorkTree(folder).lay(base(), []))).toEqual({ "a.txt": "a", "sub/b.txt": "b" });
  });

  it.each(["../out.txt", "/tmp/out.txt", "a/../../out.txt", "nul\0"])(
    "never writes outside itself: %j",
    async (path) => {
      await expect(work.lay(base(), [change(path, "x")])).rejects.toThrow("leaves the tree");
      expect(readdirSync(folder)).toEqual(["tree"]);
    },
  );

  it("is whole again after a pack that could not be loaded", async () => {
    const pack = base();
    await work.lay(pack, []);
    const broken = { key: "two", load: () => Promise.reject(new Error("gone")) };
    await expect(work.lay(broken, [])).rejects.toThrow("gone");
    expect(contentsOf(await work.lay(pack, []))).toEqual({ "a.txt": "a", "sub/b.txt": "b" });
  });
});
