import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createDiskFiles } from "./disk-files.ts";

const bytes = new TextEncoder().encode("text");
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "l2mac-disk-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("a key is a path below the root that anybody can open", async () => {
  await createDiskFiles(join(folder, "root")).put("runs/1/files/größe.md", bytes);
  expect(readFileSync(join(folder, "root", "runs", "1", "files", "größe.md"), "utf8")).toBe("text");
});

test("removal does not follow links out of the root", async () => {
  const files = createDiskFiles(join(folder, "root"));
  writeFileSync(join(folder, "precious"), "");
  await files.put("runs/1/a", bytes);
  symlinkSync(folder, join(folder, "root", "runs", "1", "link"));
  await files.removeAll("runs/1");
  expect(existsSync(join(folder, "precious"))).toBe(true);
  expect(readdirSync(join(folder, "root", "runs"))).toEqual([]);
});

test("a file in the place of a folder is an error that names the path", async () => {
  const files = createDiskFiles(folder);
  await files.put("a", bytes);
  await expect(files.put("a/b", bytes)).rejects.toThrow(join(folder, "a"));
  await expect(files.putOnce("a/b", bytes)).rejects.toThrow(join(folder, "a"));
});

test("a file that is named by its content and has lost it, as after a power cut, is written again", async () => {
  const files = createDiskFiles(folder);
  const name = createHash("sha256").update("content").digest("hex");
  const key = `runs/1/blobs/${name}`;
  const content = new TextEncoder().encode("content");
  await files.put(key, new Uint8Array());
  await files.putOnce(key, content);
  expect(await files.get(key)).toEqual(content);
  await files.putOnce(key, new TextEncoder().encode("other"));
  expect(await files.get(key)).toEqual(content);
});
