/** The search itself: it can be repeated, and it finds what is slow. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { chanceOf, MOST, mutated } from "./mutate.ts";
import { READERS } from "./readers.ts";

it("makes the same texts of the same seed, and none that is far too long", () => {
  const texts = (seed: number): string[] => {
    const chance = chanceOf(seed);
    return Array.from({ length: 300 }, () => mutated("a: b\n", "[c]", chance));
  };
  expect(texts(1)).toEqual(texts(1));
  expect(texts(1)).not.toEqual(texts(2));
  expect(Math.max(...texts(3).map(({ length }) => length))).toBeLessThan(MOST * 3);
});

it.each(Object.keys(READERS))("begins with texts that are read: %s", async (name) => {
  const { read, seeds } = READERS[name] ?? { read: () => {}, seeds: [] };
  expect(seeds.length).toBeGreaterThan(0);
  for (const seed of seeds) await read(seed);
});

it("ends in time, and counts what it did", async () => {
  const run = fileURLToPath(new URL("run.ts", import.meta.url));
  const child = spawn(process.execPath, [run, "--seconds", "3", "--only", "tap", "--seed", "5"]);
  let said = "";
  child.stdout.on("data", (chunk) => {
    said += String(chunk);
  });
  const [code] = await once(child, "close");
  expect(said).toMatch(
    /^tap +\d+ texts, the slowest \d+ ms\ngrown by \d+ MiB at most, of at most \d+ MiB in use\n\d+ texts in 3 s, seed 5: 0 findings\n$/,
  );
  expect(code).toBe(0);
});
