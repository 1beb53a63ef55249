import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fakeClock } from "../../../test/doubles/fake-clock.ts";
import { aRun } from "../../../test/doubles/runs.ts";
import { PATHS_PER_TURN, TREE_FILES } from "../../core/limits.ts";
import type { FileStore } from "../../core/ports.ts";
import type { Run } from "../../core/run/run.ts";
import { type Turn, turnWithoutAnswer } from "../../core/turn/turn.ts";
import { createMemoryFiles } from "../../host/memory-files.ts";
import { openSqliteTable } from "../../host/sqlite-table.ts";
import { fileStoreKeys } from "../../registry/keys.ts";
import { createRegistry, type Registry } from "../../registry/registry.ts";
import { maskedFiles } from "./masked-files.ts";
import { createTree, type Tree } from "./tree.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

let table: ReturnType<typeof openSqliteTable>;
let registry: Registry;
let files: FileStore;
let run: Run;
let turns: Turn[];

beforeEach(async () => {
  table = openSqliteTable(":memory:");
  registry = createRegistry({ table, clock: fakeClock() });
  files = createMemoryFiles();
  turns = [];
  const created = await registry.create(aRun());
  if ("conflict" in created) throw new Error("conflict");
  run = await registry.claim(created.run.id, 0);
});
afterEach(() => table.close());

/** As a handler has it that was there from the start, or as one that recovers it. */
const treeOf = (over: Partial<Run> = {}): Tree =>
  createTree({ registry, files, run: { ...run, ...over }, instruction: 1, turns });

/** What commits a turn: blobs, directory and journal. */
async function commit(tree: Tree): Promise<void> {
  const turn = turns.length + 1;
  const changed = tree.turnChanges(turn);
  for (const { entry, content } of changed) {
    if (content && entry.entry) await files.putOnce(fileStoreKeys(run.id).blob(entry.entry.sha256), content);
  }
  run = await registry.commit(run, { entries: changed.map(({ entry }) => entry) });
  tree.settle();
  turns.push({ ...aTurn, turn, changes: changed.flatMap(({ changes }) => changes) });
}

const aTurn: Turn = { ...turnWithoutAnswer({ epoch: 1, attempt: 1 }, 0), instruction: 1, turn: 1 };

async function written(tree: Tree, contents: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(contents)) expect(await tree.work.write(path, bytes(text))).toBeUndefined();
}
const textOf = (content: Uint8Array | null) => content && new TextDecoder().decode(content);
const changesOf = async (tree: Tree) =>
  Object.fromEntries((await tree.changes()).map(({ path, content }) => [path, textOf(content)]));

describe("a file that is renamed by case", () => {
  it("in one turn is gone under its old name, and has its old contents under the new one", async () => {
    const tree = treeOf();
    await written(tree, { "readme.md": "same" });
    await commit(tree);
    await tree.work.remove("readme.md");
    await written(tree, { "README.md": "same" });
    expect(await changesOf(tree)).toEqual({ "readme.md": null, "README.md": "same" });
    await commit(tree);
    expect(turns.at(-1)?.changes.map(({ path, sha256 }) => [path, sha256 !== null])).toEqual([
      ["readme.md", false],
      ["README.md", true],
    ]);
    expect((await registry.allFiles(run.id)).map(({ path }) => path)).toEqual(["README.md"]);
    expect(await changesOf(tree)).toEqual(await changesOf(treeOf()));
  });

  it("over several turns is gone under its old name too", async () => {
    const tree = treeOf();
    await written(tree, { "a.txt": "1" });
    await commit(tree);
    await tree.work.remove("a.txt");
    await commit(tree);
    await written(tree, { "A.txt": "2" });
    await commit(tree);
    expect(await changesOf(tree)).toEqual({ "a.txt": null, "A.txt": "2" });
    expect(await changesOf(treeOf())).toEqual({ "a.txt": null, "A.txt": "2" });
  });

  it("and deleted in the same turn is deleted under the name that it had", async () => {
    const tree = treeOf();
    await written(tree, { "a.txt": "1" });
    await commit(tree);
    await tree.work.remove("a.txt");
    await written(tree, { "A.txt": "2" });
    await tree.work.remove("A.txt");
    expect(tree.turnChanges(2).flatMap(({ changes }) => changes)).toMatchObject([{ path: "a.txt", sha256: null }]);
    await tree.work.write("a.txt", bytes("1"));
    expect(tree.turnChanges(2)).toEqual([]);
  });
});

describe("files that are moved", () => {
  const move = (tree: Tree, ...moves: [string, string][]) => tree.work.move(moves.map(([from, to]) => ({ from, to })));

  it("change places, change the case of their names, and go into a folder that has the name of one", async () => {
    const tree = treeOf();
    await written(tree, { "a.txt": "1", "b.txt": "2", "c.txt": "3", d: "4" });
    await commit(tree);
    expect(
      await move(tree, ["a.txt", "b.txt"], ["b.txt", "a.txt"], ["c.txt", "C.txt"], ["d", "d/e.txt"]),
    ).toBeUndefined();
    const expected = { "a.txt": "2", "b.txt": "1", "c.txt": null, "C.txt": "3", d: null, "d/e.txt": "4" };
    expect(await changesOf(tree)).toEqual(expected);
    await commit(tree);
    expect(await changesOf(treeOf())).toEqual(expected);
    expect((await registry.allFiles(run.id)).map(({ path }) => path).sort()).toEqual([
      ...["C.txt", "a.txt", "b.txt", "d/e.txt"],
    ]);
  });

  it("stay all where they are when one of them cannot be moved, with what the turn changed before", async () => {
    const tree = createTree({ registry, files, run, instruction: 1, turns, given: ["given.js"] });
    await written(tree, { "a.txt": "1", "b.txt": "2", "c.txt": "3" });
    expect(await move(tree, ["a.txt", "x.txt"], ["b.txt", "c.txt"])).toContain("c.txt exists");
    expect(await move(tree, ["a.txt", "x.txt"], ["b.txt", "C.TXT"])).toContain("c.txt exists");
    expect(await move(tree, ["a.txt", "x.txt"], ["gone.txt", "y.txt"])).toBe("There is no file gone.txt.");
    expect(await move(tree, ["a.txt", "x.txt"], ["b.txt", "c.txt/b.txt"])).toContain("c.txt is a file");
    expect(await move(tree, ["a.txt", "given.js"])).toContain("was given by the user");
    expect(await changesOf(tree)).toEqual({ "a.txt": "1", "b.txt": "2", "c.txt": "3" });
  });

  it("count twice among the paths of a turn", async () => {
    const tree = treeOf();
    const paths = Array.from({ length: PATHS_PER_TURN / 2 + 1 }, (_, index) => `f${index}.txt`);
    await written(tree, Object.fromEntries(paths.map((path) => [path, path])));
    await commit(tree);
    const moves = paths.map((path): [string, string] => [path, `to/${path}`]);
    expect(await move(tree, ...moves)).toContain(`${PATHS_PER_TURN} paths`);
    expect(tree.turnChanges(2)).toEqual([]);
    expect(await move(tree, ...moves.slice(1))).toBeUndefined();
  });

  it("keep the secrets that the model sees masked", async () => {
    const tree = treeOf();
    const secret = `KEY = "${["gl", "pat-zQ8wE6rT4yU2iO1pA3sD"].join("")}"`;
    await written(tree, { "a.py": secret });
    const work = maskedFiles(tree.work);
    expect(await work.move([{ from: "a.py", to: "b.py" }])).toBeUndefined();
    expect(textOf((await work.read("b.py")) ?? null)).toContain("[secret:");
    expect(await changesOf(tree)).toEqual({ "b.py": secret });
  });
});

describe("the limits of a tree", () => {
  it("let one turn change so many paths, be they written or deleted", async () => {
    const tree = treeOf();
    const paths = Array.from({ length: PATHS_PER_TURN }, (_, index) => `f${index}.txt`);
    await written(tree, Object.fromEntries(paths.map((path) => [path, path])));
    await commit(tree);
    await written(tree, { "one.txt": "1" });
    await commit(tree);
    for (const path of paths) expect(await tree.work.remove(path)).toBe(true);
    expect(await tree.work.remove("one.txt")).toEqual({ problem: expect.stringContaining(`${PATHS_PER_TURN} paths`) });
    expect(await tree.work.write("two.txt", bytes("2"))).toContain(`${PATHS_PER_TURN} paths`);
    expect(await tree.work.write(paths[0] ?? "", bytes("again"))).toBeUndefined();
    await commit(tree);
  });

  it("count the files of the turns before, and those that were deleted and replaced no longer", async () => {
    const tree = treeOf({ files: TREE_FILES - 3 });
    await written(tree, { "a.txt": "1", "b.txt": "2" });
    await commit(tree);
    await written(tree, { "a.txt": "changed", "c.txt": "3" });
    expect(await tree.work.write("d.txt", bytes("4"))).toContain(`${TREE_FILES} files`);
    await tree.work.remove("b.txt");
    expect(await tree.work.write("d.txt", bytes("4"))).toBeUndefined();
    await commit(tree);
    expect(await tree.work.write("e.txt", bytes("5"))).toContain(`${TREE_FILES} files`);
  });

  it("are the same for a handler that recovers: what packs well counts as it packs", async () => {
    const large = "x".repeat(3_000_000);
    const tree = treeOf();
    await written(tree, { "a.txt": `1${large}`, "b.txt": `2${large}` });
    await commit(tree);
    expect(await tree.work.write("c.txt", bytes("small"))).toBeUndefined();
    expect(await treeOf().work.write("c.txt", bytes("small"))).toBeUndefined();
  });

  it("count a file that is written again only as it is now", async () => {
    const noise = Uint8Array.from({ length: 3_000_000 }, (_, index) => (index * index * 7919 + (index >> 3)) % 251);
    const tree = treeOf({ packedBytes: 500_000 });
    const random = noise.map((value, index) => (value * 31 + ((index * 2_654_435_761) >>> 13)) & 255);
    expect(await tree.work.write("a.bin", random)).toBeUndefined();
    expect(await tree.work.write("a.bin", random.toReversed())).toBeUndefined();
  });
});

describe("the state of the files", () => {
  it("is named alike by a handler that was there and by one that recovers", async () => {
    const tree = treeOf();
    await written(tree, { "a.txt": "1", "b.txt": "2" });
    await commit(tree);
    await written(tree, { "a.txt": "1" });
    await tree.work.remove("b.txt");
    await written(tree, { "b.txt": "2" });
    await commit(tree);
    await written(tree, { "gone.txt": "3" });
    await tree.work.remove("gone.txt");
    await commit(tree);
    expect(tree.stateHash()).toBe(treeOf().stateHash());
  });
});
