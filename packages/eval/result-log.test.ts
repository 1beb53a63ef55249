import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { EvaluationLine } from "./result-lines.ts";
import { hashOfSettings, LOG_FILE, openResultLog } from "./result-log.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "l2mac-eval-"));
  path = join(folder, LOG_FILE);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const settings = hashOfSettings({ evidence: "off" });
const older: EvaluationLine = { v: 1, type: "evaluation", suite: "made", suiteHash: "0", model: "m", version: "1" };
const evaluation: EvaluationLine = { ...older, settings };
const first = `${JSON.stringify(evaluation)}\n`;

describe("the file of an evaluation", () => {
  it.each<[string, string, RegExp]>([
    ["a file of something else", '{"type":"order","id":7}\n', /results\.jsonl is no file of an evaluation/],
    ["a text", "notes\n", /is no file of an evaluation/],
    ["a line without an end", "notes", /is no file of an evaluation/],
    ["a newer format", first.replace('"v":1', '"v":2'), /written by a newer version/],
    ["an evaluation that is not in the first line", `\n${first}`, /is no file of an evaluation/],
    ["another model", first.replace('"m"', '"n"'), /model n/],
    ["another suite", first.replace('"made"', '"other"'), /suite other/],
    ["other settings", first.replace(settings, hashOfSettings({ evidence: "own" })), /other settings/],
  ])("is refused and left as it is: %s", async (_, text, message) => {
    writeFileSync(path, text);
    await expect(openResultLog(folder, evaluation)).rejects.toMatchObject({
      message: expect.stringMatching(message),
      exitCode: 2,
    });
    expect(readFileSync(path, "utf8")).toBe(text);
  });

  it.each([
    ["nothing", "", first],
    ["a first line that a crash cut", first.slice(0, 30), first],
    ["a file without settings, of an older version", `${JSON.stringify(older)}\n`, `${JSON.stringify(older)}\n`],
    ["a later line that a crash cut", `${first}{"type":"star`, `${first}{"type":"star\n`],
  ])("is continued from %s", async (_, text, continued) => {
    writeFileSync(path, text);
    const log = await openResultLog(folder, evaluation);
    expect(readFileSync(path, "utf8")).toBe(continued);
    await log.append({ type: "started", case: "one", seed: 0, run: "r" });
    const again = await openResultLog(folder, evaluation);
    expect(again.started({ case: "one", seed: 0 })).toBe("r");
    expect(again.begun()).toEqual(["r"]);
  });

  it("has settings that differ where results can differ", () => {
    const same = hashOfSettings({});
    expect(hashOfSettings({ budget: 7, dailyUsd: 9 })).toBe(same);
    expect(hashOfSettings({ maxTurns: 7 })).not.toBe(same);
    expect(hashOfSettings({}, { "system.md": "other" })).not.toBe(same);
  });
});
