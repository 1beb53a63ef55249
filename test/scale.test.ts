import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { simulateAccount } from "../bench/scale/account.ts";
import { ACCOUNTS, accountRows, LOADS, pageRows, type Stored } from "../bench/scale/loads.ts";
import { simulate } from "../bench/scale/simulate.ts";
import { shardOf } from "../lib/registry/keys.ts";

const page = readFileSync(new URL("../docs/scale.md", import.meta.url), "utf8");
const stored: Stored = JSON.parse(readFileSync(new URL("../bench/scale/result.json", import.meta.url), "utf8"));

const tableOn = (name: string): string[] => {
  const table = page.split(`<!-- ${name}: begin -->`)[1]?.split(`<!-- ${name}: end -->`)[0] ?? "";
  return table.trim().split("\n").slice(2);
};

it("the page on scale shows the loads as they were last simulated", () => {
  expect(tableOn("loads")).toEqual(pageRows(stored.loads));
  expect(stored.loads.map(({ runs, dailyUsd }) => [runs, dailyUsd])).toEqual(
    LOADS.map(({ runs, dailyUsd }) => [runs, dailyUsd]),
  );
  expect(tableOn("accounts")).toEqual(accountRows(stored.accounts));
  expect(stored.accounts).toMatchObject(ACCOUNTS);
  for (const { failed, repaired, minutes, transactions, givenUp } of stored.loads) {
    expect({ failed, repaired }).toEqual({ failed: 0, repaired: 0 });
    expect(minutes).toBeGreaterThanOrEqual(10);
    expect(givenUp / transactions).toBeLessThanOrEqual(0.001);
  }
});

it("runs without a daily ceiling never meet, and the same load is simulated the same again", async () => {
  const load = { runs: 6, minutes: 30 };
  const first = await simulate(load);
  expect(first).toMatchObject({ failed: 0, repaired: 0, conflicts: 0, throttled: 0, givenUp: 0 });
  expect(first.completed).toBeGreaterThan(2);
  expect(await simulate(load)).toEqual(first);
});

it("shows runs that meet: on one shard of the day more than on all, and hardly where the day is large enough for leases", async () => {
  const load = { runs: 40, minutes: 5 };
  const alike = Array.from({ length: 5_000 }, (_, index) => `01RUN${index}`).filter((id) => shardOf(id, 16) === 0);
  const together = { ...load, idOf: (number: number) => alike[number] ?? "" };
  const spread = await simulate({ ...load, dailyUsd: 20 });
  const met = await simulate({ ...together, dailyUsd: 20 });
  expect([spread.failed, met.failed]).toEqual([0, 0]);
  expect(met.conflicts).toBeGreaterThan(3 * spread.conflicts);
  const leased = await simulate({ ...together, dailyUsd: 1e6 });
  expect(leased.conflicts).toBeLessThan(met.conflicts / 10);
});

it("answers the commands of an account with ten executions, while five runs are watched", async () => {
  const load = { executions: 10, watched: 5, minutes: 12 };
  const account = await simulateAccount({ ...load, holdSeconds: 0 });
  expect(account).toMatchObject({ unanswered: 0, lost: 0, failed: 0 });
  expect(account.requests).toBeGreaterThan(500);
  expect(account.refused / account.requests).toBeLessThan(0.01);
  // Held requests take what the runs leave.
  const held = await simulateAccount({ ...load, holdSeconds: 5 });
  expect(held.refused / held.requests).toBeGreaterThan(0.05);
});
