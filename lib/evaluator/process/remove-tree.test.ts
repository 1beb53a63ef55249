import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { newFolder, removeFolders } from "../../../test/doubles/evaluation.ts";
import { removeTree } from "./remove-tree.ts";

afterAll(removeFolders);

describe("removing what generated code left", () => {
  it("takes permissions back that removing needs", async () => {
    const folder = join(newFolder(), "left");
    mkdirSync(join(folder, "shut/inner"), { recursive: true });
    for (let at = 0; at < 50; at += 1) writeFileSync(join(folder, `shut/inner/${at}`), "");
    for (const path of ["shut/inner", "shut", "."]) chmodSync(join(folder, path), 0);
    await removeTree(folder);
    expect(existsSync(folder)).toBe(false);
  });

  it("reaches folders that are deeper than any path is long", async () => {
    const folder = join(newFolder(), "left");
    mkdirSync(folder);
    const before = process.cwd();
    process.chdir(folder);
    for (let depth = 0; depth < 60; depth += 1) {
      mkdirSync("d".repeat(200));
      process.chdir("d".repeat(200));
    }
    process.chdir(before);
    await removeTree(folder);
    expect(existsSync(folder)).toBe(false);
  });

  it("follows no link out of it", async () => {
    const outside = newFolder();
    writeFileSync(join(outside, "kept"), "");
    chmodSync(outside, 0o755);
    const folder = join(newFolder(), "left");
    mkdirSync(join(folder, "shut"), { recursive: true });
    symlinkSync(outside, join(folder, "shut/link"));
    chmodSync(join(folder, "shut"), 0);
    await removeTree(folder);
    expect(existsSync(join(outside, "kept"))).toBe(true);
  });

  it("takes what is not there for removed", async () => {
    await removeTree(join(newFolder(), "none"));
  });
});
