import { expect, it } from "vitest";
import { fakeClock } from "../../test/doubles/fake-clock.ts";
import { aRun } from "../../test/doubles/runs.ts";
import { openSqliteTable } from "../local/sqlite-table.ts";
import { createRegistry } from "./registry.ts";

it("a ceiling that what a dead attempt left reserved brings near is told at the claim that writes it off", async () => {
  const table = openSqliteTable(":memory:");
  const clock = fakeClock();
  const registry = createRegistry({ table, clock, notifies: true });
  const due = async () => {
    const found = await registry.dueNotifications({ upTo: new Date(clock.now()).toISOString(), limit: 10 });
    return found.map(({ notification }) => notification.ceiling);
  };
  const options = { ...aRun().options, budget: { tokens: 100 } };
  const created = await registry.create(aRun({ options }));
  if ("run" in created) await registry.beginEpoch(created.run, {});
  const { id } = aRun();
  await registry.reserve(await registry.claim(id, 1), { microUsd: 0, tokens: 80 }, 1_000);
  expect(await due()).toEqual([]);
  await registry.claim(id, 1);
  await registry.claim(id, 1);
  expect(await due()).toEqual([{ of: "tokens", limit: 100, spent: 80 }]);
  table.close();
});
