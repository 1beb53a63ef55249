import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { makeFolder } from "./make-folder.ts";
import { codeOf } from "./storage-errors.ts";

const folder = mkdtempSync(join(tmpdir(), "l2mac-folder-"));
afterAll(() => rmSync(folder, { recursive: true }));

const codeFor = (path: string): string => {
  try {
    makeFolder(path);
    return "";
  } catch (error) {
    return codeOf(error);
  }
};

describe("a folder", () => {
  it("is made with those above it, and is left as it is where it is there", () => {
    makeFolder(join(folder, "a/b/c"));
    writeFileSync(join(folder, "a/b/c/kept"), "");
    makeFolder(join(folder, "a/b/c"));
    expect(existsSync(join(folder, "a/b/c/kept"))).toBe(true);
    expect(statSync(join(folder, "a")).isDirectory()).toBe(true);
  });

  it("that cannot be created fails at once", () => {
    writeFileSync(join(folder, "file"), "");
    expect(codeFor(join(folder, "file/x"))).toBe("ENOTDIR");
    expect(codeFor(join(folder, "file"))).toBe("EEXIST");
  });

  it.skipIf(!existsSync("/proc/self"))("fails at once too if the system reports that its parent does not exist", () => {
    expect(codeFor("/proc/x")).toBe("EACCES");
    expect(codeFor("/proc/x/y")).toBe("EACCES");
  });
});
