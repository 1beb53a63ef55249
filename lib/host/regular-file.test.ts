/** Named pipes in the place of files: a read that waits for a writer would hang this test. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readDeliveries } from "../files/delivery-record.ts";
import { readProgram } from "../files/program-file.ts";
import { loadPack } from "../files/prompt-folder.ts";
import { createDiskFiles } from "./disk-files.ts";
import { whoseHome } from "./home-owner.ts";
import { readRegular, readRegularSync } from "./regular-file.ts";
import { createRunLock } from "./run-lock.ts";
import { readPrivate } from "./user-folder.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "l2mac-pipes-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function pipe(name: string): string {
  const path = join(folder, name);
  execFileSync("mkfifo", ["-m", "600", path]);
  return path;
}

describe.skipIf(process.platform === "win32")("a named pipe in the place of a file", () => {
  it("is refused, not waited for; a file is read, and what is missing keeps its code", async () => {
    const path = pipe("pipe");
    expect(() => readRegularSync(path)).toThrow("is no regular file");
    await expect(readRegular(path)).rejects.toThrow("is no regular file");
    writeFileSync(join(folder, "file"), "text");
    expect(String(readRegularSync(join(folder, "file")))).toBe("text");
    expect(String(await readRegular(join(folder, "file")))).toBe("text");
    await expect(readRegular(join(folder, "none"))).rejects.toMatchObject({ code: "ENOENT" });
    await expect(readRegular(folder)).rejects.toMatchObject({ code: "EISDIR" });
    expect(() => readRegularSync(folder)).toThrow("EISDIR");
  });

  it("makes a home foreign, as a mark of another user does", () => {
    const env = { XDG_CONFIG_HOME: join(folder, "config") };
    mkdirSync(join(folder, "config", "l2mac"), { recursive: true });
    writeFileSync(join(folder, "config", "l2mac", "key"), "k".repeat(43), { mode: 0o600 });
    pipe("owner.json");
    expect(whoseHome({ home: folder, env })).toBe("foreign");
  });

  it("is no lock, no stored content, no private file and no record of deliveries", async () => {
    pipe("run.lock");
    expect(() => createRunLock(folder).holder("run")).toThrow("is no regular file");
    const stored = pipe("stored");
    await expect(createDiskFiles(folder).get("stored")).rejects.toThrow("is no regular file");
    expect(readPrivate(stored)).toBeUndefined();
    expect(await readDeliveries(stored)).toEqual({});
  });

  it("is no program, and no prompt of a pack", async () => {
    expect(() => readProgram(pipe("program.json"))).toThrow("is no regular file");
    pipe("system.md");
    await expect(loadPack(folder)).rejects.toThrow(/is no file|holds no prompt pack/);
  });
});
