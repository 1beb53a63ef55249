/** Entries of the gallery that need more than Node: apart, so that a computer that gets it later plays these alone. */
import { spawnSync } from "node:child_process";
import { describe, it } from "vitest";
import { ENTRIES } from "./entries.ts";
import { expectAsPlayed, PLAY_MS } from "./expect-played.ts";

describe("the gallery", () => {
  for (const entry of ENTRIES) {
    const { name, needs } = entry;
    if (needs === undefined) continue;
    const isMissing = spawnSync(needs, ["--version"]).status !== 0;
    it.skipIf(isMissing)(`shows ${name} as it is played (needs ${needs})`, { timeout: PLAY_MS }, () =>
      expectAsPlayed(entry),
    );
  }
});
