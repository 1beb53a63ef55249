import { expect, it } from "vitest";
import { fakeClock } from "../../test/doubles/fake-clock.ts";
import { aRun } from "../../test/doubles/runs.ts";
import { openSqliteTable } from "../host/sqlite-table.ts";
import { createRegistry } from "./registry.ts";

it("a ceiling that a dead attempt's reservation brings near is reported by the claim that writes it off", async () => {
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

it("who drops a notification that somebody else has taken meanwhile drops nothing", async () => {
  const table = openSqliteTable(":memory:");
  const clock = fakeClock();
  const registry = createRegistry({ table, clock, notifies: true });
  await registry.create(aRun());
  const run = await registry.run(aRun().id);
  if (run) await registry.change(run, { status: "cancelled" });
  const due = async () =>
    (await registry.dueNotifications({ upTo: new Date(clock.now()).toISOString(), limit: 10 }))[0];
  const first = await due();
  const slow = first && (await registry.takeNotification(first));
  expect(slow).toMatchObject({ tries: 1, notification: { type: "cancelled" } });
  clock.advance(24 * 3_600_000);
  const second = await due();
  const other = second && (await registry.takeNotification(second));
  expect(other).toMatchObject({ tries: 2 });
  if (slow) await registry.dropNotification(slow);
  clock.advance(24 * 3_600_000);
  expect(await due()).toMatchObject({ tries: 2 });
  if (other) await registry.dropNotification(other);
  expect(await due()).toBeUndefined();
  table.close();
});
