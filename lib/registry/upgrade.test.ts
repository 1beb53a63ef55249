/** What the door does with records of earlier and of newer versions. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { fakeClock } from "../../test/doubles/fake-clock.ts";
import { aRun } from "../../test/doubles/runs.ts";
import { Damaged, Unreadable } from "../core/errors.ts";
import type { Attributes, Item, ItemKey } from "../core/ports.ts";
import { instructionOf } from "../core/program/program.ts";
import type { Run } from "../core/run/run.ts";
import type { Turn } from "../core/turn/turn.ts";
import { type LocalTable, openSqliteTable } from "../host/sqlite-table.ts";
import { eventKey, instructionKey, metaKey, turnKey } from "./keys.ts";
import { createRegistry, type Registry } from "./registry.ts";
import type { Upgrades } from "./upgrade.ts";

const { id } = aRun();
const AT = "2026-07-30T12:00:00.000Z";

/** As if there had been a format 0: a run counted its turns under another name, an instruction had no list of requirements. */
const upgrades: Upgrades = {
  run: { 0: ({ turnsTaken = 0, ...record }) => ({ ...(record as Item), turns: turnsTaken }), 1: (record) => record },
  instruction: { 0: (record) => ({ ...record, requirements: record.requirements ?? [] }) },
};

let table: LocalTable;
let registry: Registry;
beforeEach(async () => {
  table = openSqliteTable(":memory:");
  registry = createRegistry({ table, clock: fakeClock(), upgrades });
  await registry.create(aRun());
});
afterEach(() => table.close());

async function rewrite(key: ItemKey, to: (item: Item) => Attributes): Promise<void> {
  const item = await table.get(key);
  if (!item) throw new Error(`no item ${key.sk}`);
  await table.transact([{ put: { ...key, ...to(item) } }]);
}

const ofFormat0 = (): Promise<void> =>
  rewrite(metaKey(id), ({ turns: _turns, ...rest }) => ({ ...rest, format: 0, turnsTaken: 7 }));

const present = (run: Run | undefined): Run => {
  if (!run) throw new Error("no run");
  return run;
};

it("an older run is upgraded when it is read, and stays as it was stored while it is only read", async () => {
  await ofFormat0();
  expect(await registry.run(id)).toMatchObject({ format: 1, turns: 7 });
  expect((await registry.runs({ owner: "local", limit: 10 })).runs).toMatchObject([{ id, turns: 7 }]);
  expect(await table.get(metaKey(id))).toMatchObject({ format: 0, turnsTaken: 7 });
});

it("the first change of an older run stores it in the format of this version, with the change", async () => {
  await ofFormat0();
  const begun = present(await registry.beginEpoch(present(await registry.run(id)), { status: "running" }));
  await registry.claim(id, begun.epoch);
  const stored = await table.get(metaKey(id));
  expect(stored).toMatchObject({ format: 1, turns: 7, epoch: 1, attempt: 1 });
  expect(stored).not.toHaveProperty("turnsTaken");
});

it("a part of an older instruction changes only after it was upgraded", async () => {
  const run = present(await registry.beginEpoch(present(await registry.run(id)), { status: "running" }));
  const claimed = await registry.claim(id, run.epoch);
  const { requirements: _none, ...older } = instructionOf({ title: "One", text: "Do it.", requirements: [] }, 1);
  await table.transact([{ put: { ...instructionKey(id, 1), ...(older as Attributes), format: 0 } }]);
  expect((await registry.instruction(id, 1))?.requirements).toEqual([]);
  await registry.commit(claimed, { instruction: { number: 1, set: { status: "running" } } });
  const stored = await table.get(instructionKey(id, 1));
  expect(stored).toMatchObject({ status: "running", requirements: [] });
  expect(stored).not.toHaveProperty("format");
});

it("a record that is too old for every upgrade is left alone and named", async () => {
  await rewrite(metaKey(id), (item) => ({ ...item, format: -1 }));
  await expect(registry.run(id)).rejects.toThrow(/is of format -1, which another version .* this one reads format 5/);
});

it("an attempt writes nothing to a run that a newer version has taken over, and says so", async () => {
  const run = present(await registry.beginEpoch(present(await registry.run(id)), { status: "running" }));
  const claimed = await registry.claim(id, run.epoch);
  await rewrite(metaKey(id), (item) => ({ ...item, format: 6 }));
  const before = await table.get(metaKey(id));
  await expect(registry.commit(claimed, { run: { pc: 2 } })).rejects.toThrow(Unreadable);
  expect(await registry.change(claimed, { pc: 2 })).toBeUndefined();
  expect(await table.get(metaKey(id))).toEqual(before);
});

const turn: Turn = {
  ...{ instruction: 1, turn: 1, epoch: 1, attempt: 1, segment: 0, state: "committed", at: AT, outcome: "tools" },
  ...{ inputTokens: 0, cachedTokens: 0, outputTokens: 0, microUsd: 0, milliseconds: 0, changes: [] },
};
const storeTurn = (over: Attributes): Promise<unknown> =>
  table.transact([{ put: { ...turnKey(id, turn), ...(turn as unknown as Attributes), ...over } }]);

it.each([
  ["of a newer format", { format: 2 }, Unreadable, /TURN#000001#0001 of run .* is of format 2/],
  ["with an unknown word", { outcome: "forked" }, Unreadable, /has a outcome that a newer version/],
  ["whose word is gone", { state: null }, Damaged, /is damaged: state/],
  ["whose word is a number", { outcome: 7 }, Damaged, /is damaged: outcome/],
])("a turn %s is named, and left as it is", async (_what, over, error, message) => {
  await storeTurn(over as Attributes);
  const before = await table.get(turnKey(id, turn));
  await expect(registry.turns(id, 1)).rejects.toThrow(error);
  await expect(registry.turns(id, 1)).rejects.toThrow(message);
  expect(await table.get(turnKey(id, turn))).toEqual(before);
});

it.each([
  ["of a newer format", { type: "notice", text: "x", format: 2 }, "notice"],
  ["with an unknown word", { type: "trapped", instruction: 1, turn: 1, title: "x", onTrap: "fork" }, "trapped"],
])("an event %s keeps its number, and those after it are read", async (_what, stored, type) => {
  const whole = { trap: { kind: "loop", detail: "x" }, ...stored } as Attributes;
  await table.transact([
    { put: { ...eventKey(id, 2), seq: 2, at: AT, ...whole } },
    { put: { ...eventKey(id, 3), seq: 3, at: AT, type: "notice", text: "after it" } },
  ]);
  expect(await registry.events(id, { after: 1, limit: 10 })).toEqual([
    { seq: 2, at: AT, type: "notice", text: `A newer version of l2mac wrote this event, of type "${type}".` },
    { seq: 3, at: AT, type: "notice", text: "after it" },
  ]);
});
