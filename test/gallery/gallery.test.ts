/** The gallery shows what the rehearsals do today: each entry is played again and compared. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ENTRIES } from "./entries.ts";
import { expectAsPlayed, GALLERY, PLAY_MS } from "./expect-played.ts";
import { withoutAccidents } from "./without-accidents.ts";

describe("the gallery", () => {
  it("has a folder for each entry, and no other", () => {
    const folders = readdirSync(GALLERY).filter((name) => statSync(join(GALLERY, name)).isDirectory());
    expect(folders.toSorted()).toEqual(ENTRIES.map(({ name }) => name).toSorted());
  });

  for (const entry of ENTRIES.filter(({ needs }) => needs === undefined))
    it(`shows ${entry.name} as it is played`, { timeout: PLAY_MS }, () => expectAsPlayed(entry));
});

it("leaves out of a transcript what differs from run to run, and nothing that was found", () => {
  const said = [
    "l2mac 0.1.0 · run 01M85 (web-app) · rehearsal · home /tmp/x/.l2mac",
    "  turn 2: ✘ complete_instruction not accepted: tests · 3.09k in, 91 out, $0.00, 0s",
    "✔ 1/3 Keep · 3 turns · tests 4/4 · $0.00 · 4s · $0.00 so far",
    "Kept: 1 of 1 instruction, 2 files in /tmp/x/workspace/web-app, tests 4/4.",
    "See how it went: npx l2mac open T2AZGQ",
  ].join("\n");
  expect(withoutAccidents(said, "/tmp/x").split("\n")).toEqual([
    "  turn 2: ✘ complete_instruction not accepted: tests",
    "✔ 1/3 Keep · 3 turns · tests 4/4 · $0.00",
    "Kept: 1 of 1 instruction, 2 files in workspace/web-app, tests 4/4.",
    "",
  ]);
});
