import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { spoilableFiles } from "../../test/doubles/hostile-files.ts";
import { encodeText } from "../core/file-text.ts";
import { deliverTree, groundAt, isOccupied } from "./delivery.ts";

let root: string;
let folder: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "l2mac-delivery-"));
  folder = join(root, "out");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const deliver = (files: Record<string, string>) =>
  deliverTree({
    tree: new Map(Object.entries(files).map(([path, text]) => [path, encodeText(text)])),
    folder,
    record: join(root, "delivered.json"),
  });
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

  it("leaves a folder that stands where a file should, and the other way round", async () => {
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
