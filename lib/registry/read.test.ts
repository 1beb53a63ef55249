import { expect, it } from "vitest";
import { fakeClock } from "../../test/doubles/fake-clock.ts";
import { aRun } from "../../test/doubles/runs.ts";
import { Damaged } from "../core/errors.ts";
import type { Attributes } from "../core/ports.ts";
import { openSqliteTable } from "../host/sqlite-table.ts";
import { eventKey } from "./keys.ts";
import { createRegistry } from "./registry.ts";

const { id } = aRun();
const at = "2026-07-30T12:00:00.000Z";

async function eventsWith(stored: Attributes) {
  const table = openSqliteTable(":memory:");
  const registry = createRegistry({ table, clock: fakeClock() });
  await registry.create(aRun());
  await table.transact([{ put: { ...eventKey(id, 2), seq: 2, at, ...stored } }]);
  return registry.events(id, { after: 1, limit: 10 }).finally(() => table.close());
}

it("events are read without their keys, and without attributes that this version does not know", async () => {
  const event = { type: "notice", text: "Cancelling was asked for." };
  expect(await eventsWith({ ...event, later: true })).toEqual([{ ...event, seq: 2, at }]);
});

it("an event of a newer version keeps its number and says what it is", async () => {
  const [event] = await eventsWith({ type: "merged", from: "3.2" });
  expect(event).toEqual({
    type: "notice",
    text: expect.stringContaining('newer version of l2mac wrote this event, of type "merged"'),
    seq: 2,
    at,
  });
});

it("an event that is not what was stored is reported as damage, with its number", async () => {
  await expect(eventsWith({ type: "notice", text: 7 })).rejects.toThrow(Damaged);
  await expect(eventsWith({ type: "notice", text: 7 })).rejects.toThrow(/EVENT#000000002 of run .*text/);
});
