/** An entry of the gallery is what its rehearsal makes today. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { projectRoot } from "../house-rules.ts";
import type { Entry } from "./entries.ts";
import { makeEntry } from "./make-entry.ts";

export const GALLERY = join(projectRoot, "examples/gallery");
const MOST_BYTES = 150_000;
/** On a busy computer. */
export const PLAY_MS = 600_000;

export async function expectAsPlayed(entry: Entry): Promise<void> {
  const folder = join(GALLERY, entry.name);
  const shown = Object.fromEntries(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), "utf8")]));
  expect(shown, "npm run gallery writes it").toEqual(await makeEntry(entry));
  expect(shown["README.md"]).toMatch(/^# .*\n\n\*\*A rehearsal\.\*\*/);
  expect(shown["README.md"]).toContain("Cost: nothing, this was a rehearsal.");
  expect(Object.values(shown).join("").length).toBeLessThan(MOST_BYTES);
}
