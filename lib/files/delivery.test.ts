import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { spoilableFiles } from "../../test/doubles/hostile-files.ts";
import { encodeText } from "../core/text/file-text.ts";
import { deliverTree, groundAt, isOccupied, wasDelivered } from "./delivery.ts";

/** A disk on which the file at `failsAt` cannot be put in its place. */
const disk = vi.hoisted((): { failsAt: string | undefined } => ({ failsAt: undefined }));
vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof import("node:fs/promises")>();
  return {
    ...real,
    rename: (from: string, to: string) =>
      to === disk.failsAt ? Promise.reject(new Error("the disk fails")) : real.rename(from, to),
  };
});
afterEach(() => {
  disk.failsAt = undefined;
});

let root: string;
let folder: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "l2mac-delivery-"));
  folder = join(root, "out");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const deliver = (files: Record<string, string>, end = "the end") =>
  deliverTree({
    tree: new Map(Object.entries(files).map(([path, text]) => [path, encodeText(text)])),
    folder,
    record: join(root, "delivered.json"),
    end,
  });
const isDelivered = (end = "the end"): Promise<boolean> =>
  wasDelivered({ folder, record: join(root, "delivered.json"), end });
const read = (path: string): string => readFileSync(join(folder, path), "utf8");

describe("a delivery", () => {
  it("writes bytes as they are stored", async () => {
    const files = Object.fromEntries(spoilableFiles.map(({ path, content }) => [path, content]));
    const { files: count, kept } = await deliver(files);
    expect({ count, kept }).toEqual({ count: spoilableFiles.length, kept: [] });
    for (const { path, content } of spoilableFiles) expect(read(path)).toBe(content);
  });

  it("replaces and removes what it delivered before", async () => {
    await deliver({ "a.txt": "1", "b/c.txt": "1", "b/d.txt": "1" });
    const { kept } = await deliver({ "a.txt": "2" });
    expect({ kept, there: readdirSync(folder), a: read("a.txt") }).toEqual({ kept: [], there: ["a.txt"], a: "2" });
  });

  it("leaves what somebody changed, and what was there before", async () => {
    await deliver({ "a.txt": "1", "b.txt": "1" });
    writeFileSync(join(folder, "a.txt"), "mine");
    writeFileSync(join(folder, "new.txt"), "mine");
    const { kept } = await deliver({ "a.txt": "2", "b.txt": "2", "new.txt": "2" });
    expect(kept).toEqual(["a.txt (it was changed there)", "new.txt (it was changed there)"]);
    expect([read("a.txt"), read("b.txt"), read("new.txt")]).toEqual(["mine", "2", "mine"]);
    await deliver({});
    expect(readdirSync(folder).sort()).toEqual(["a.txt", "new.txt"]);
  });

  it("follows no link, neither to write nor to remove", async () => {
    const outside = join(root, "outside");
    mkdirSync(outside);
    await deliver({ "lib/a.txt": "1", "b.txt": "1" });
    writeFileSync(join(outside, "a.txt"), "1");
    rmSync(join(folder, "lib"), { recursive: true });
    rmSync(join(folder, "b.txt"));
    symlinkSync(outside, join(folder, "lib"));
    symlinkSync(join(outside, "b.txt"), join(folder, "b.txt"));
    const { kept } = await deliver({ "lib/a.txt": "2", "lib/new.txt": "2", "b.txt": "2" });
    expect(kept).toEqual([
      "lib/a.txt (lib is a link there)",
      "lib/new.txt (lib is a link there)",
      "b.txt (a link or device is there)",
    ]);
    await deliver({});
    expect(readdirSync(outside)).toEqual(["a.txt"]);
    expect(readFileSync(join(outside, "a.txt"), "utf8")).toBe("1");
  });

  it("makes the links of the tree where nothing is yet, and none that leads out", async () => {
    const links = { "other/a.txt": "../lib/a.txt", "there.txt": "lib/a.txt", out: "../x", "lib/b/c": "../../../x" };
    const tree = { "lib/a.txt": "1", ".l2mac-links.json": JSON.stringify(links) };
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "there.txt"), "mine");
    for (const _ of ["once", "again"]) expect((await deliver(tree)).kept).toEqual([]);
    expect(readFileSync(join(folder, "other/a.txt"), "utf8")).toBe("1");
    expect(lstatSync(join(folder, "other/a.txt")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, "there.txt"), "utf8")).toBe("mine");
    expect(readdirSync(folder).toSorted()).toEqual(["lib", "other", "there.txt"]);
    expect(readdirSync(join(folder, "lib"))).toEqual(["a.txt"]);
  });

  it("writes no path that leaves the folder, whatever a pack says", async () => {
    const { kept } = await deliver({
      "../out.txt": "x",
      "/etc/l2mac": "x",
      "a/../../b": "x",
      ".git/config": "x",
      ok: "x",
    });
    expect(kept).toHaveLength(4);
    expect(existsSync(join(root, "out.txt")) || existsSync(join(root, "b"))).toBe(false);
    expect(readdirSync(folder)).toEqual(["ok"]);
  });

  it("is made, too, where it cannot be noted, and says so", async () => {
    writeFileSync(join(root, "file"), "mine");
    const record = join(root, "file", "delivered.json");
    const asked = { tree: new Map([["a.txt", encodeText("1")]]), record, end: "the end" };
    const made = await deliverTree({ ...asked, folder });
    expect(made).toMatchObject({ files: 1, kept: [], unremembered: `${record} could not be written (ENOTDIR)` });
    expect(read("a.txt")).toBe("1");
    await expect(deliverTree({ ...asked, folder: join(root, "file", "out") })).rejects.toThrow("ENOTDIR");
  });

  it("leaves a folder in place of a file, and a file in place of a folder", async () => {
    mkdirSync(join(folder, "a"), { recursive: true });
    writeFileSync(join(folder, "b"), "mine");
    const { kept } = await deliver({ a: "1", "b/c": "1" });
    expect(kept).toEqual(["a (a folder is there)", "b/c (b is a file there)"]);
  });

  it("knows as its own what it wrote before it was killed", async () => {
    await deliver({ "a.txt": "1", "b.txt": "1" });
    rmSync(join(folder, "b.txt"));
    const { kept } = await deliver({ "a.txt": "2", "b.txt": "2" });
    expect(kept).toEqual([]);
  });
});

describe("what a killed delivery left half written", () => {
  const LEFT = ".l2mac-0b8f5e0c-6a43-4b1c-9d3e-1f2a3b4c5d6e";

  it("is removed by the next one, also in another folder, together with a folder that becomes empty", async () => {
    await deliver({ "a.txt": "1", "lib/deep/b.txt": "1", "gone/c.txt": "1" });
    for (const at of [".", "lib", "lib/deep", "gone"]) writeFileSync(join(folder, at, LEFT), "ha");
    await deliver({ "a.txt": "2", "lib/deep/b.txt": "1" });
    const there = readdirSync(folder, { recursive: true }).sort();
    expect(there).toEqual(["a.txt", "lib", "lib/deep", "lib/deep/b.txt"]);
  });

  it("is that alone: no other name, no folder, no link, and nothing behind one", async () => {
    const outside = join(root, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, LEFT), "mine");
    await deliver({ "lib/a.txt": "1", "b.txt": "1" });
    rmSync(join(folder, "lib"), { recursive: true });
    symlinkSync(outside, join(folder, "lib"));
    const others = [".l2mac-notes", `${LEFT}.txt`, `x${LEFT}`, LEFT.toUpperCase(), "mine"];
    for (const name of others) writeFileSync(join(folder, name), "mine");
    mkdirSync(join(folder, "mine.d"));
    writeFileSync(join(folder, "mine.d", LEFT), "not in a folder of ours");
    mkdirSync(join(folder, LEFT.replace("0b", "0c")));
    symlinkSync(join(outside, LEFT), join(folder, LEFT));
    const before = readdirSync(folder, { recursive: true }).sort();
    await deliver({ "lib/a.txt": "2", "b.txt": "2" });
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual(before);
    expect(readFileSync(join(outside, LEFT), "utf8")).toBe("mine");
  });
});

describe("a delivery came to its end", () => {
  it("for the end of the run that it was of, and for no other", async () => {
    expect(await isDelivered()).toBe(false);
    await deliver({ "a.txt": "1" });
    expect([await isDelivered(), await isDelivered("a later end")]).toEqual([true, false]);
  });

  it("not where it stopped on the way, though it was delivered before", async () => {
    await deliver({ "a/b.txt": "1" });
    disk.failsAt = join(folder, "a", "b.txt");
    await expect(deliver({ "a/b.txt": "2" })).rejects.toThrow();
    disk.failsAt = undefined;
    expect(await isDelivered()).toBe(false);
    await deliver({ "a/b.txt": "2" });
    expect(await isDelivered()).toBe(true);
  });

  it("also where the folder was removed or lies behind a link, and where an earlier version kept the record", async () => {
    const real = join(root, "real");
    mkdirSync(real);
    symlinkSync(real, join(root, "link"));
    folder = join(root, "link", "out");
    await deliver({ "a.txt": "1" });
    rmSync(join(real, "out"), { recursive: true });
    expect(await isDelivered()).toBe(true);
    writeFileSync(
      join(root, "delivered.json"),
      JSON.stringify({ [join(realpathSync(real), "out")]: { "a.txt": ["x"] } }),
    );
    expect(await isDelivered()).toBe(true);
  });
});

describe("a folder", () => {
  it("is occupied by anything at all, and as a file", async () => {
    mkdirSync(join(root, "empty"));
    writeFileSync(join(root, "file"), "");
    const folders = ["empty", "missing", "file", "."].map((name) => isOccupied(join(root, name)));
    expect(await Promise.all(folders)).toEqual([false, false, true, true]);
  });

  it("cannot be where a file is, or below one", async () => {
    writeFileSync(join(root, "file"), "");
    const grounds = ["missing", "file", "file/below", "."].map((name) => groundAt(join(root, name)));
    expect(await Promise.all(grounds)).toEqual(["free", "no folder", "no folder", "occupied"]);
  });
});
