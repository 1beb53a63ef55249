/** What every table must do, whatever stores it. An adapter's test calls `describeTable` with a way to open one. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Condition, Item, Table, Write } from "../../lib/core/ports.ts";
import { describeIndexes, describeQueries } from "./table-reading.contract.ts";

export interface OpenTable {
  table: Table;
  /** Another connection to the same items, where the store can have several. */
  another?: Table;
  close(): Promise<void>;
}

/** `open` gives an empty table each time. */
export function describeTable(name: string, open: () => Promise<OpenTable>): void {
  describe(`${name} as a table`, () => {
    let opened: OpenTable;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.close());
    const table = (): Table => opened.table;
    const another = (): Table => opened.another ?? opened.table;

    describe("items", () => describeItems(table));
    describe("conditions", () => describeConditions(table));
    describe("writes", () => describeWrites(table));
    describe("a transaction", () => describeTransactions(table));
    describe("at once", () => describeConcurrency(table, another));
    describe("a query", () => describeQueries(table));
    describe("the indexes", () => describeIndexes(table));
  });
}

const key = { pk: "RUN#1", sk: "META" };
const ok = { ok: true };
const put = (table: Table, ...items: Item[]) => table.transact(items.map((item) => ({ put: item })));

function describeItems(table: () => Table): void {
  test("gives undefined for what is not there", async () => {
    expect(await table().get(key)).toBeUndefined();
  });

  test("gives back every kind of value exactly", async () => {
    const item: Item = {
      ...key,
      text: 'quotes " \\ \n\t and \u0000 and 日本語 🙂',
      empty: "",
      zero: 0,
      negative: -12,
      fraction: 0.1,
      small: 1.5e-7,
      large: Number.MAX_SAFE_INTEGER,
      yes: true,
      no: false,
      nothing: null,
      list: [1, "two", null, [true, []]],
      map: { a: { b: [{ c: null }] }, constructor: 1, "with.dot": 2 },
      "naïve name": 1,
    };
    expect(await put(table(), item)).toEqual(ok);
    expect(await table().get(key)).toStrictEqual(item);
  });

  test("refuses a member without a name, however deep it lies", async () => {
    await put(table(), { ...key });
    const nameless = { list: [{ map: { "": 1 } }] };
    await expect(put(table(), { ...key, "": 1 })).rejects.toThrow("without a name");
    await expect(put(table(), { ...key, ...nameless })).rejects.toThrow("without a name");
    await expect(table().transact([{ update: key, set: nameless }])).rejects.toThrow("without a name");
    expect(await table().get(key)).toEqual({ ...key });
  });

  test("what it gave can be changed without changing what is stored", async () => {
    await put(table(), { ...key, list: [1] });
    const first = await table().get(key);
    Object.assign(first ?? {}, { list: [2] });
    expect(await table().get(key)).toEqual({ ...key, list: [1] });
  });

  test("holds 300 KB in an item, and refuses one beyond 400 KB without changing anything", async () => {
    await put(table(), { ...key, text: "ä".repeat(150_000) });
    await expect(put(table(), { ...key, text: "ä".repeat(205_000) })).rejects.toThrow();
    expect(await table().get(key)).toEqual({ ...key, text: "ä".repeat(150_000) });
  });
}

function describeConditions(table: () => Table): void {
  const stored: Item = { ...key, n: 5, s: "x", z: null, list: [1, { a: [] }] };
  const holding: Condition[] = [
    { attribute: "n", is: 5 },
    { attribute: "z", is: null },
    { attribute: "list", is: [1, { a: [] }] },
    { attribute: "n", isNot: 6 },
    { attribute: "gone", isNot: 5 },
    { attribute: "s", among: ["w", "x"] },
    { attribute: "n", atMost: 5 },
    { attribute: "gone", missing: true },
    { item: "present" },
  ];
  const failing: Condition[] = [
    { attribute: "n", is: 4 },
    { attribute: "n", is: "5" },
    { attribute: "gone", is: null },
    { attribute: "n", isNot: 5 },
    { attribute: "s", among: ["w", "y"] },
    { attribute: "gone", among: ["w", null] },
    { attribute: "n", atMost: 4.5 },
    { attribute: "gone", atMost: 4 },
    { attribute: "s", atMost: 4 },
    { attribute: "z", missing: true },
    { item: "absent" },
  ];
  const kinds = (when: Condition[]): Write[] => [
    { put: { ...key, changed: true }, when },
    { update: key, set: { changed: true }, when },
    { delete: key, when },
    { check: key, when },
  ];

  test.each(holding)("%j holds, for every kind of write", async (condition) => {
    for (const write of kinds([condition])) {
      await put(table(), stored);
      expect(await table().transact([write])).toEqual(ok);
    }
  });

  test.each(failing)("%j does not hold, and nothing changes, for every kind of write", async (condition) => {
    await put(table(), stored);
    for (const write of kinds([{ item: "present" }, condition])) {
      expect(await table().transact([write])).toEqual({ ok: false, refused: [0] });
    }
    expect(await table().get(key)).toEqual(stored);
  });

  test("hold or fail on what is not there, too", async () => {
    const check = (when: Condition) => table().transact([{ check: key, when: [when] }]);
    expect(await check({ item: "absent" })).toEqual(ok);
    expect(await check({ attribute: "n", missing: true })).toEqual(ok);
    expect(await check({ attribute: "n", isNot: 1 })).toEqual(ok);
    for (const when of [{ item: "present" }, { attribute: "n", is: 1 }, { attribute: "n", atMost: 1 }] as const) {
      expect(await check(when)).toEqual({ ok: false, refused: [0] });
    }
  });
}

function describeWrites(table: () => Table): void {
  test("put replaces the whole item", async () => {
    await put(table(), { ...key, a: 1, b: 2 });
    await put(table(), { ...key, b: 3 });
    expect(await table().get(key)).toEqual({ ...key, b: 3 });
  });

  test("update sets, adds and removes, and leaves the rest", async () => {
    await put(table(), { ...key, a: 1, b: 2, c: 3, d: 4 });
    const update: Write = { update: key, set: { a: [null] }, add: { b: -5, e: 7 }, remove: ["c", "gone"] };
    expect(await table().transact([update])).toEqual(ok);
    expect(await table().get(key)).toEqual({ ...key, a: [null], b: -3, d: 4, e: 7 });
  });

  test("update of what is not there is refused, with or without conditions", async () => {
    expect(await table().transact([{ update: key, set: { a: 1 } }])).toEqual({ ok: false, refused: [0] });
    const update: Write = { update: key, set: { a: 1 }, when: [{ attribute: "a", missing: true }] };
    expect(await table().transact([update])).toEqual({ ok: false, refused: [0] });
    expect(await table().get(key)).toBeUndefined();
  });

  test("delete removes; deleting what is not there is fine", async () => {
    await put(table(), { ...key });
    expect(await table().transact([{ delete: key }])).toEqual(ok);
    expect(await table().get(key)).toBeUndefined();
    expect(await table().transact([{ delete: key }])).toEqual(ok);
  });
}

function describeTransactions(table: () => Table): void {
  const numbered = (index: number): Item => ({ pk: "p", sk: String(index).padStart(3, "0"), index });
  const items = (count: number): Item[] => Array.from({ length: count }, (_, index) => numbered(index));

  test("happens wholly or not at all, and says which writes were refused", async () => {
    await put(table(), numbered(1), numbered(3));
    const writes: Write[] = [
      { put: { ...numbered(0) } },
      { delete: numbered(1) },
      { put: numbered(2), when: [{ item: "present" }] },
      { update: { pk: "p", sk: "003" }, set: { index: 33 } },
      { update: { pk: "p", sk: "004" }, set: { index: 4 } },
      { check: { pk: "p", sk: "005" }, when: [{ item: "absent" }] },
    ];
    expect(await table().transact(writes)).toEqual({ ok: false, refused: [2, 4] });
    expect(await table().query("p", { prefix: "" })).toEqual([numbered(1), numbered(3)]);
  });

  test("a refused check refuses the writes beside it", async () => {
    const check: Write = { check: key, when: [{ item: "present" }] };
    expect(await table().transact([{ put: numbered(0) }, check])).toEqual({ ok: false, refused: [1] });
    expect(await table().get({ pk: "p", sk: "000" })).toBeUndefined();
  });

  test("an error undoes the writes before it", async () => {
    await put(table(), { ...key, text: "not a number" });
    const broken: Write = { update: key, add: { text: 1 } };
    await expect(table().transact([{ put: numbered(0) }, broken])).rejects.toThrow();
    expect(await table().get({ pk: "p", sk: "000" })).toBeUndefined();
    expect(await put(table(), numbered(0))).toEqual(ok);
  });

  test("takes 100 writes, and neither 101 nor none", async () => {
    await expect(put(table(), ...items(101))).rejects.toThrow();
    await expect(table().transact([])).rejects.toThrow();
    expect(await table().query("p", { prefix: "" })).toEqual([]);
    expect(await put(table(), ...items(100))).toEqual(ok);
    expect(await table().query("p", { prefix: "" })).toEqual(items(100));
  });

  test("names no item twice", async () => {
    await expect(put(table(), numbered(0), numbered(0))).rejects.toThrow();
    await expect(
      table().transact([{ put: numbered(0) }, { check: { pk: "p", sk: "000" }, when: [{ item: "absent" }] }]),
    ).rejects.toThrow();
    expect(await table().get({ pk: "p", sk: "000" })).toBeUndefined();
  });
}

function describeConcurrency(table: () => Table, another: () => Table): void {
  test("two that add to one counter at once lose nothing", async () => {
    await put(table(), { ...key });
    const add = (of: Table) => of.transact([{ update: key, add: { count: 1 } }]);
    const written = await Promise.all(Array.from({ length: 30 }, (_, index) => add(index % 2 ? table() : another())));
    expect(written.every(({ ok }) => ok)).toBe(true);
    expect(await another().get(key)).toEqual({ ...key, count: 30 });
  });

  test("two that compare and set at once both get through, one after the other", async () => {
    await put(table(), { ...key, count: 0 });
    const increment = async (of: Table): Promise<void> => {
      const count = Number((await of.get(key))?.count);
      const write: Write = { update: key, set: { count: count + 1 }, when: [{ attribute: "count", is: count }] };
      if (!(await of.transact([write])).ok) await increment(of);
    };
    await Promise.all(Array.from({ length: 12 }, (_, index) => increment(index % 2 ? table() : another())));
    expect(await table().get(key)).toEqual({ ...key, count: 12 });
  });

  test("of several that create one item at once exactly one does", async () => {
    const create = (of: Table, by: number) =>
      of.transact([{ put: { ...key, by }, when: [{ item: "absent" }] }, { put: { pk: "made", sk: String(by) } }]);
    const written = await Promise.all([0, 1, 2, 3, 4].map((by) => create(by % 2 ? table() : another(), by)));
    const winners = written.flatMap(({ ok }, by) => (ok ? [by] : []));
    expect(winners).toHaveLength(1);
    expect(await another().get(key)).toEqual({ ...key, by: winners[0] });
    expect(await table().query("made", { prefix: "" })).toEqual([{ pk: "made", sk: String(winners[0]) }]);
  });

  test("what one has written the other reads at once", async () => {
    await put(table(), { ...key, a: 1 });
    expect(await another().get(key)).toEqual({ ...key, a: 1 });
    await another().transact([{ delete: key }]);
    expect(await table().query(key.pk, { prefix: "" })).toEqual([]);
  });
}
