/** The gallery shows what the rehearsals do today: each entry is played again and compared. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../house-rules.ts";
import { ENTRIES } from "./entries.ts";
import { makeEntry } from "./make-entry.ts";
import { withoutAccidents } from "./without-accidents.ts";

const gallery = join(projectRoot, "examples/gallery");
const MOST_BYTES = 150_000;
/** On a busy computer. */
const PLAY_MS = 600_000;

describe("the gallery", () => {
  it("has a folder for each entry, and no other", () => {
    const folders = readdirSync(gallery).filter((name) => statSync(join(gallery, name)).isDirectory());
    expect(folders.toSorted()).toEqual(ENTRIES.map(({ name }) => name).toSorted());
  });

  for (const entry of ENTRIES) {
    const { name, needs } = entry;
    const isMissing = needs !== undefined && spawnSync(needs, ["--version"]).status !== 0;
    it.skipIf(isMissing)(
      `shows ${name} as it is played${needs ? ` (needs ${needs})` : ""}`,
      { timeout: PLAY_MS },
      async () => {
        const folder = join(gallery, name);
        const shown = Object.fromEntries(
          readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), "utf8")]),
        );
        expect(shown, "npm run gallery writes it").toEqual(await makeEntry(entry));
        expect(shown["README.md"]).toMatch(/^# .*\n\n\*\*A rehearsal\.\*\*/);
        expect(shown["README.md"]).toContain("Cost: nothing, this was a rehearsal.");
        expect(Object.values(shown).join("").length).toBeLessThan(MOST_BYTES);
      },
    );
  }
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
