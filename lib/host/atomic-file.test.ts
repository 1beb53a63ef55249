import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { removeWhole, writeOnce, writeWhole } from "./atomic-file.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "l2mac-atomic-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A disk without hard links, where `linksFail` is set. */
const disk = vi.hoisted(() => ({ linksFail: false }));
vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof import("node:fs/promises")>();
  return {
    ...real,
    link: (from: string, to: string) =>
      disk.linksFail ? Promise.reject(Object.assign(new Error("no links"), { code: "EPERM" })) : real.link(from, to),
  };
});
afterEach(() => {
  disk.linksFail = false;
});

test("leaves nothing but the file, whatever way it was written", async () => {
  await writeWhole(join(folder, "a", "b"), "1");
  await writeWhole(join(folder, "a", "b"), "2");
  await writeOnce(join(folder, "a", "c"), "3");
  await writeOnce(join(folder, "a", "c"), "4");
  expect(readdirSync(join(folder, "a")).sort()).toEqual(["b", "c"]);
});

test("leaves nothing when it fails", async () => {
  mkdirSync(join(folder, "taken", "by"), { recursive: true });
  writeFileSync(join(folder, "taken", "by", "a file"), "");
  await expect(writeWhole(join(folder, "taken"), "x")).rejects.toThrow();
  expect(readdirSync(folder, { recursive: true }).sort()).toEqual(["taken", "taken/by", "taken/by/a file"]);
});

test("of several concurrent calls of writeOnce exactly one returns true", async () => {
  const results = await Promise.all(["a", "b", "c", "d", "e"].map((text) => writeOnce(join(folder, "x", "y"), text)));
  expect(results.filter(Boolean)).toHaveLength(1);
  expect(readFileSync(join(folder, "x", "y"), "utf8")).toBe("abcde"[results.indexOf(true)]);
});

test("writes once also on a disk without links", async () => {
  disk.linksFail = true;
  expect(await writeOnce(join(folder, "a"), "first")).toBe(true);
  expect(await writeOnce(join(folder, "a"), "second")).toBe(false);
  expect(readFileSync(join(folder, "a"), "utf8")).toBe("first");
  expect(readdirSync(folder)).toEqual(["a"]);
});

test("takes the place of a folder in which a killed process left no file", async () => {
  mkdirSync(join(folder, "was", "a", "folder"), { recursive: true });
  writeFileSync(join(folder, "was", "a", ".l2mac-half-written"), "ha");
  await writeWhole(join(folder, "was"), "now a file");
  expect(readFileSync(join(folder, "was"), "utf8")).toBe("now a file");
});

test("removes the folders that are empty then, but never the root", async () => {
  await writeWhole(join(folder, "a", "b", "c"), "1");
  await writeWhole(join(folder, "a", "d"), "1");
  await removeWhole(join(folder, "a", "b", "c"), folder);
  expect(readdirSync(folder, { recursive: true }).sort()).toEqual(["a", "a/d"]);
  await removeWhole(join(folder, "a", "d"), folder);
  expect(readdirSync(folder)).toEqual([]);
});
