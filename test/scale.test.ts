import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { LOADS, type Measured, pageRows } from "../bench/scale/loads.ts";
import { simulate } from "../bench/scale/simulate.ts";
import { shardOf } from "../lib/registry/keys.ts";

const page = readFileSync(new URL("../docs/scale.md", import.meta.url), "utf8");
const stored: Measured[] = JSON.parse(readFileSync(new URL("../bench/scale/result.json", import.meta.url), "utf8"));

it("the page on scale shows the loads as they were last simulated", () => {
  const table = page.split("<!-- loads: begin -->")[1]?.split("<!-- loads: end -->")[0] ?? "";
  expect(table.trim().split("\n").slice(2)).toEqual(pageRows(stored));
  expect(stored.map(({ name }) => name)).toEqual(LOADS.map(({ name }) => name));
  for (const { failed, transactions, givenUp } of stored) {
    expect(failed).toBe(0);
    expect(givenUp / transactions).toBeLessThanOrEqual(0.001);
  }
});

it("runs without a daily ceiling never meet, and the same load is simulated the same again", async () => {
  const load = { runs: 15, minutes: 5 };
  const first = await simulate(load);
  expect(first).toMatchObject({ failed: 0, conflicts: 0, throttled: 0, givenUp: 0 });
  expect(await simulate(load)).toEqual(first);
});

it("shows runs that meet: all on one shard of the day conflict more than those that are spread", async () => {
  const load = { runs: 60, minutes: 5, dailyMicroUsd: 1e12 };
  const alike = Array.from({ length: 5_000 }, (_, index) => `01RUN${index}`).filter((id) => shardOf(id, 16) === 0);
  const spread = await simulate(load);
  const together = await simulate({ ...load, idOf: (index) => alike[index] ?? "" });
  expect(spread.failed).toBe(0);
  expect(together.conflicts).toBeGreaterThan(3 * spread.conflicts);
});
